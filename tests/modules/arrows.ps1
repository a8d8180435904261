# PowerShell 7, without a module
function Get-Modern([Parameter(Mandatory)][string]$Id, [int]$Retries = 3) {
    $client = $script:Client ?? (New-Client)
    $name = $Id ? $Id : 'none'
    $length = ${name}?.Length
    $client?.Close() 
    Test-Path $Id && Write-Host 'yes' || Write-Host 'no'
    $response = Invoke-RestMethod -Uri "https://example.com/$Id" -Headers @{ Accept = 'application/json'; Authorization = 'x' }
    $items = $response
    | Where-Object { $_.Active -and $_.Name -notin 'a', 'b' }
    | Sort-Object -Property Name -Descending
    foreach ($item in $items) {
        if ($item.Name -match '^x') { continue }
        if (-not $item) { break }
    }
    :outer for ($i = 0; $i -lt $Retries; $i++) {
        while ($true) { break outer }
    }
    $values = $items.ForEach{ $_.Name }.Where({ $_ })
    $total = ($items | Measure-Object -Property Size -Sum).Sum
    return [PSCustomObject]@{
        Id = $Id; Count = $items.Count
        Total = $total
        Names = $values -join ','
    }
}

function Get-Passed {
    param([string]$Id)
    $parameters = @{ Uri = "https://example.com"; Method = 'Get' }
    $answer = Invoke-RestMethod @parameters
    $answer
}

function Get-Guarded {
    param([string]$Id)
    if (-not $Id) { return }
    if ($Id -eq 'none') { return $null }
    $r = @{ Found = $true }
    $r
}

filter Select-Active { if ($_.Active) { $_ } }
