#requires -Version 5.1

# Shared mailboxes: one function for each activity of the plug-in.

function New-SharedMailbox {
    <#
    .SYNOPSIS
        Starts a job that creates a shared mailbox.
    .PARAMETER DisplayName
        Name in the address book.
    .PARAMETER Alias
        Part of the address before the @.
    .PARAMETER Owner
        Mail address of the owner.
    .PARAMETER Size
        Size of the mailbox.
    .PARAMETER RetentionDays
        Days for which deleted mails are kept.
    .PARAMETER Prefix
        Prefix of the names of the output variables.
    #>
    [CmdletBinding()]
    param (
        [Parameter(Mandatory = $true)]
        [string] $DisplayName,

        [Parameter(Mandatory = $true)]
        [ValidatePattern('^[a-z][a-z0-9.]+$')]
        [string] $Alias,

        [Parameter(Mandatory = $true)]
        [string] $Owner,

        [ValidateSet('Small', 'Large')]
        [string] $Size = 'Small',

        [int] $RetentionDays = 14,

        [Parameter(HelpMessage = 'Whether the address book leaves it out.')]
        [switch] $HideFromAddressBook,

        [string] $Prefix,

        [Parameter(ParameterSetName = 'Hidden')]
        $Config
    )

    $body = @{
        name      = $DisplayName
        alias     = $Alias
        owner     = $Owner
        quota     = if ($Size -eq 'Large') { 50 } else { 5 }
        retention = $RetentionDays
        hidden    = $HideFromAddressBook.IsPresent
    }
    $job = Invoke-MailboxApi -Config $Config -Method Post -Path 'jobs' -Body $body

    return @{
        "${Prefix}Id"      = $job.id
        "${Prefix}Address" = "$Alias@$($Config.Domain)"
        ZPActivityStatus   = "Mailbox $DisplayName is being created"
    }
}

function Get-SharedMailboxState {
    <#
    .SYNOPSIS
        Returns the state of a job: Waiting, Ready or Failed.
    .PARAMETER Id
        Id that New-SharedMailbox returned.
    .PARAMETER Prefix
        Prefix of the names of the output variables.
    #>
    [CmdletBinding()]
    param (
        [Parameter(Mandatory = $true)]
        [string] $Id,

        [string] $Prefix,

        [Parameter(ParameterSetName = 'Hidden')]
        $Config
    )

    $job = Invoke-MailboxApi -Config $Config -Method Get -Path "jobs/$Id"
    $result = [ordered]@{ "${Prefix}State" = $job.state }
    $result
}

function Invoke-MailboxApi {
    param ($Config, [string] $Method, [string] $Path, $Body)

    $request = @{
        Method      = $Method
        Uri         = "$($Config.Address)/$Path"
        ContentType = 'application/json'
    }
    if ($Body) { $request.Body = $Body | ConvertTo-Json }
    Invoke-RestMethod @request
}
