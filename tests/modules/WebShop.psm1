$script:Connection = $null

function script:Connect-Shop { param() $script:Connection = 'x' }
function global:Get-ShopOrder {
    <#
    .Synopsis
    Reads an order.
    .Parameter OrderNumber
    Number of the order.
    #>
    param(
        [parameter(mandatory=$true)][ValidateLength(1,20)][String]$OrderNumber,
        [Switch]$IncludeLines,
        [DateTime]$Since,
        [PSCredential]$Credential,
        [string[]]$Fields = @('a', 'b')
    )
    $o = Invoke-Sql "select * from orders where id = '$OrderNumber'"
    $ret = New-Object -TypeName PSObject -Property @{
        OrderNumber = $o.Id
        Customer    = $o.Customer
    }
    if ($IncludeLines) {
        $ret | Add-Member -NotePropertyMembers @{ Lines = $o.Lines; LineCount = $o.Lines.Count }
    }
    Write-Output -InputObject $ret -NoEnumerate
}
function Get-ShopStock {
    param([string]$Article)
    $stock = @{}
    Get-Stock $Article | ForEach-Object { $stock[$_.Warehouse] = $_.Amount }
    return $stock
}
function Get-ShopStatus {
    $props = [ordered]@{ State = 'open' }
    $props += @{ Since = Get-Date }
    New-Object -TypeName PSCustomObject -Property $props
}
function Invoke-Sql($q) { $q }
function Get-Stock($a) { $a }
New-Alias -Name gso -Value Get-ShopOrder
Set-Alias gss Get-ShopStock
Export-ModuleMember -Function Get-Shop* -Alias *
