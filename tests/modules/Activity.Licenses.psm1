# The license plug-in: keys are built with the prefix, one by one or in a loop.

function Get-LicenseCount {
    param(
        [Parameter(Mandatory)] [string] $Product,
        [string] $Prefix
    )
    $Count = Get-LicensePool -Product $Product
    return @{
        "${Prefix}Total"     = $Count.Total
        "$($Prefix)Free"     = $Count.Free
        ($Prefix + 'InUse')  = $Count.Total - $Count.Free
        ('{0}Price' -f $Prefix) = $Count.Price
        ZPActivityStatus     = "$($Count.Free) of $($Count.Total) are free"
        ZPErrorCode          = 0
    }
}

function Add-License {
    param(
        [Parameter(Mandatory)] [string] $User,
        [Parameter(Mandatory)] [string] $Product,
        [string] $Prefix
    )
    $Output = @{ LicenseKey = New-Guid; Expires = (Get-Date).AddYears(1) }
    if ($Prefix) {
        $Named = @{}
        foreach ($Entry in $Output.GetEnumerator()) {
            $Named["$Prefix$($Entry.Key)"] = $Entry.Value
        }
        $Output = $Named
    }
    $Output['ZPErrorCode'] = 0
    return,$Output
}

function Get-LicenseUsage {
    param([string] $Product, [string] $Prefix)
    $Usage = @{ Product = $Product }
    Get-LicensePool -Product $Product | ForEach-Object { $Usage["$Prefix$($_.Department)"] = $_.Count }
    if (-not
        $Usage.Count) { $Usage["${Prefix}Empty"] = $true }
    return $Usage
}

Export-ModuleMember -Function Get-LicenseCount, Add-License, Get-LicenseUsage
