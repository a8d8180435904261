# function Commented-Out { param($A) return @{ B = 1 } }
<# function Commented-Too {
   @{ C = 1 }
#>
$banner = @"
function Not-AFunction {
    param([string]$x)  "quotes" 'and' `$dollars $(if ($true) { "}" } else { ")" }) @{ D = 1 }
"@
$literal = @'
function Not-Either { " ' @{ } $( 
'@
$text = "function In-String { @{ E = 1 } } `" $("nested $("deep }")") }"
$single = 'it''s function Also-InString {'

function Get-Tricky {
    param(
        [ValidateScript({ if ($_ -match '[{}()]') { throw "No braces: }" } $true })]
        [string] $Name = 'a } b',
        [ValidatePattern("^[^`"{}]+$")]
        [string] $Pattern = "x { y",
        [string] $Here = @'
two
lines }
'@,
        [string] $Dollar = "cost: $5",
        [string] $Escaped = "tab`there",
        [scriptblock] $Block = { param($z) @{ InBlock = $z } },
        [int] $Sum = 1 + 2,
        [double] $Rate = 1.5e-3, [long] $Size = 10MB, [int] $Negative = -7
    )
    # A comment with } and ' and "
    $format = "{0} {1}" -f $Name, $Pattern
    $hash = @{ 'quoted key' = 1; "double" = 2; 3 = 'number'; Nested = @{ Inner = @{ Innermost = 1 } } ; # } here
        Block = { @{ NotThis = 1 } }
        Array = @(@{ NorThis = 1 }, @{ NorThat = 2 })
        If = if ($Name) { 'a' } else { 'b' }
    }
    $hash.Nested.Added = 2
    $hash['Nested']['AddedToo'] = 3
    $hash.'member with space' = 4
    $hash."$Name" = 5
    <# inline #> return <# another #> $hash # the end }
}
