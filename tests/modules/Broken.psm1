function Get-Whole {
    param([string]$Id)
    @{ Id = $Id }
}

function Get-Unclosed {
    param([string]$Id)
    if ($Id) {
        @{ Other = 1 }

function Get-After {
    param([string]$Id [string]$Missing)
    @{ Never = 1 }
}

function Get-Last([string]$Id) { return @{ Last = $Id } }
