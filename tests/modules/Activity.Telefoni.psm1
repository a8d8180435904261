# Telefoniväxeln. Sparad i Windows-1252, som äldre redigerare gör.

function Set-Vidarekoppling {
    <#
    .SYNOPSIS
    Kopplar en anknytning vidare – “tills vidare” eller ett datum.
    .PARAMETER Anknytning
    Anknytningen på fyra siffror.
    #>
    param(
        [Parameter(Mandatory = $true)] [string] $Anknytning,
        [ValidateSet('Växel', 'Röstbrevlåda', 'Mobil')] [string] $Mål = 'Röstbrevlåda',
        [string] $Prefix
    )
    @{ "${Prefix}Vidarekopplad" = $true; Återställs = 'fredag'; Kostnad = '5 €' }
}
