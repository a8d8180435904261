# Written by someone who likes long commands, splatting and remoting.
function Restart-Remote {
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true, ValueFromPipeline)] [ValidateNotNull()] [string]$ComputerName,
        [Parameter()] [ValidateSet('Service', 'Computer', IgnoreCase = $false)] [string]$What = "Service",
        [Parameter(DontShow)] [object]$Session,
        [uint32]$Timeout = 5 * 60
    )
    dynamicparam {
        $dictionary = New-Object System.Management.Automation.RuntimeDefinedParameterDictionary
        return $dictionary
    }
    process {
        $arguments = @{
            ComputerName = $ComputerName
            ScriptBlock  = {
                param($service)
                Restart-Service $service
                return @{ Remote = 'not an output' }
            }
            ArgumentList = 'Spooler'
        }
        $job = Invoke-Command @arguments -AsJob
        Wait-Job $job -Timeout $Timeout | Receive-Job -OutVariable received > $null
        cmd.exe /c "shutdown /r /m \\$ComputerName" 2>&1 | Write-Verbose
        icacls --% C:\data /grant "Everyone":(OI)(CI)F
        & "C:\Program Files\tool.exe" -x:1 --name=value /flag `
            @arguments
        . $PSScriptRoot\helper.ps1
        Get-ChildItem C:\logs\*.txt | ? Length -gt 1kb | % FullName | select -First 1 | tee-object -Variable x | Out-Null
        $report = [ordered]@{ }
        switch -Regex -CaseSensitive ($What) {
            '^S' { $report.Service = $true; break } 'C$' { $report.Computer = $true }
            { $_ -is [string] } { $report.IsText = $true }
            default { $report.Other = $true }
        }
        trap [System.Exception] { continue }
        $report.Finished = [datetime]::Now.ToString('yyyy-MM-dd')
        $report
    }
}
