# The helpdesk plug-in: a helper of the module places the prefix before each output.

function Add-OutputPrefix {
    param(
        [hashtable] $Table,
        [string] $Prefix
    )
    $Prefixed = @{}
    foreach ($Key in $Table.Keys) {
        if ($Key -in 'ZPActivityStatus', 'ZPErrorCode') { $Prefixed[$Key] = $Table[$Key] }
        else { $Prefixed["$Prefix$Key"] = $Table[$Key] }
    }
    return $Prefixed
}

function New-HelpdeskTicket {
    <#
    .SYNOPSIS
    Opens a ticket.
    .PARAMETER Title
    Title of the ticket.
    .PARAMETER Prefix
    Prefix of the output variables.
    #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)]
        [string] $Title,

        [Parameter(Mandatory = $false)]
        [ValidateSet('Low', 'Normal', 'High')]
        [string] $Urgency = 'Normal',

        [string] $Prefix,

        [Parameter(ParameterSetName = 'Hidden')]
        $Config
    )
    $Result = @{ ZPActivityStatus = ''; ZPErrorCode = 0 }
    try {
        $Ticket = Invoke-HelpdeskApi -Uri $Config.Uri -Body @{ title = $Title; urgency = $Urgency }
        $Result.TicketId = $Ticket.id
        $Result.Url = $Ticket.links.self
        $Result.ZPActivityStatus = "Ticket $($Ticket.id) was opened"
    }
    catch {
        $Result.ZPErrorCode = 1
        $Result.ZPActivityStatus = $_.Exception.Message
    }
    return (Add-OutputPrefix -Table $Result -Prefix $Prefix)
}

# Without the helper: the prefix is taken, but has no effect.
function Close-HelpdeskTicket {
    param(
        [Parameter(Mandatory)] [string] $TicketId,
        [string] $Prefix,
        $Config
    )
    Invoke-HelpdeskApi -Uri "$($Config.Uri)/$TicketId" -Body @{ state = 'closed' } | Out-Null
    @{ Closed = $true; ZPActivityStatus = 'Closed'; ZPErrorCode = 0 }
}

# The helper of another module, which may add more.
function Get-HelpdeskTicket {
    param([Parameter(Mandatory)] [string] $TicketId, [string] $Prefix)
    $Ticket = @{ State = 'open'; Owner = 'nobody' }
    return Complete-Activity -Output $Ticket -Log $TicketId
}

Export-ModuleMember -Function *-HelpdeskTicket
