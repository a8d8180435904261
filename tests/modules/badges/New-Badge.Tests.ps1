$here = Split-Path -Parent $MyInvocation.MyCommand.Path
$sut = (Split-Path -Leaf $MyInvocation.MyCommand.Path) -replace '\.Tests\.', '.'
. "$here\$sut"

Describe "New-Badge" {
    Context 'with a prefix' {
        BeforeEach { $result = New-Badge -Person 'Anna' -Prefix 'X' }
        It "returns the number" { $result.XNumber | Should -Not -BeNullOrEmpty }
        It "returns no prefix before ZPErrorCode" {
            $result.ZPErrorCode | Should -Be 0
        }
    }
}
