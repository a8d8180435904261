function Hämta-Anställd {
    <#
    .SYNOPSIS
    Hämtar en anställd – “med citat”.
    .PARAMETER Förnamn
    Namnet på den anställde.
    #>
    param(
        [Parameter(Mandatory)][string] $Förnamn,
        [ValidateSet(‘Lön’, “Semester”)] [string] $Ärende = ‘Lön’,
        [string] ${Konto nummer}
    )
    if ($Förnamn –eq 'Åsa') { Write-Output @{ Träff = $true } }
    $svar = @{ 'Före­tag' = 'x' }
    return $svar
}
