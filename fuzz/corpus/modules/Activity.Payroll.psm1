#Requires -Version 5.1
#Requires -Modules ActiveDirectory
using namespace System.Collections.Generic

<#
    The payroll plug-in. Written by a purist.
#>

Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'

enum SalaryKind { Monthly; Hourly = 2 }

class SalaryRecord {
    [string] $Person
    [decimal] $Gross = 0
    hidden [hashtable] $Cache = @{ Inner = 'function Get-Fake { @{ Fake = 1 } }' }

    SalaryRecord([string] $person) {
        $this.Person = $person
    }

    [hashtable] ToTable() {
        return @{ FromClass = $this.Person }
    }
}

<#
.SYNOPSIS
    Returns the salary of a person.

.DESCRIPTION
    Looks the person up in the payroll system { with braces } and "quotes".

.PARAMETER PersonId
    Personal id of the person,
    with or without a dash.

.PARAMETER Kind
    How the salary is paid.

.EXAMPLE
    Get-PRSalary -PersonId 19810101-1234
#>
function Get-PRSalary {
    [CmdletBinding(DefaultParameterSetName = 'ById')]
    [OutputType([hashtable])]
    param (
        [Parameter(Mandatory, ParameterSetName = 'ById')]
        [Parameter(Mandatory = $true, ParameterSetName = 'ByRecord')]
        [ValidateNotNullOrEmpty()]
        [string] $PersonId,

        [Parameter(
            HelpMessage = 'How much to round')]
        [ValidateRange(0, 4)]
        [System.Nullable[int]] $Digits = 2,

        [ValidateSet('Monthly',
                     'Hourly', "Yearly")]
        [string]
        $Kind = 'Monthly',

        [string] $Prefix,

        [Parameter(ParameterSetName = 'Hidden')]
        $Config
    )

    $record = [SalaryRecord]::new($PersonId)
    $result = [ordered] @{
        Gross = $record.Gross
        Net   = [Math]::Round($record.Gross * 0.7, $Digits)
    }
    if ($Kind -eq 'Hourly') {
        $result['Hours'] = 160
    }
    elseif ($Kind -eq 'Yearly') {
        $result.Add('Months', 12)
    }
    $result.ZPActivityStatus = "Salary of $PersonId was read"
    return $result
}

# .SYNOPSIS
# Changes a salary.
# .PARAMETER Amount
# The new amount.
function Set-PRSalary {
    param (
        [Parameter(Mandatory)] [string] $PersonId,
        [Parameter(MANDATORY = $TRUE)] [System.Decimal] $Amount,
        [switch] $WhatIfOnly
    )
    try {
        Invoke-Payroll -Person $PersonId -Amount $Amount `
            -Audit @{ Source = 'workflow'; Reason = 'salary' } | Out-Null
        [pscustomobject] @{ Changed = $true; Amount = $Amount }
    }
    catch [System.Net.WebException], [System.TimeoutException] {
        @{ Changed = $false; Error = $_.Exception.Message }
    }
    finally {
        Write-Verbose 'done'
    }
}

function Invoke-Payroll { param($Person, $Amount, $Audit) $Audit.Count }

Export-ModuleMember -Function Get-PRSalary, Set-PRSalary
