# Loads what lies beside it, but its tests.
$Public = @(Get-ChildItem -Path $PSScriptRoot\*.ps1 -Exclude *.Tests.ps1)
foreach ($File in $Public) {
    . $File.FullName
}
Export-ModuleMember -Function 'New-Badge', 'Get-BadgeState'
