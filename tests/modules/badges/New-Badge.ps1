. "$PSScriptRoot\BadgeColor.ps1"

function New-Badge {
    # .SYNOPSIS
    # Orders a badge.
    param(
        [Parameter(Mandatory)] [string] $Person,
        [BadgeColor] $Color = 'Blue',
        [string] $Prefix
    )
    $Badge = [ordered]@{ Number = Get-Random; Color = "$Color"; ZPActivityStatus = 'Ordered'; ZPErrorCode = 0 }
    $Badge | ConvertTo-BadgeOutput -Prefix $Prefix
}

function Get-BadgeState {
    param([Parameter(Mandatory)] [string] $Number, [string] $Prefix)
    ConvertTo-BadgeOutput @{ State = 'printed' } $Prefix
}
