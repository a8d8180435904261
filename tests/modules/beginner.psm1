# my first module!! by Kim
# it makes users

Import-Module ActiveDirectory

function New-CompanyUser($FirstName, $LastName, [string]$Department = "IT", $Days = 30)
{
    # make the user name
    $username = $FirstName.Substring(0,3) + $LastName.Substring(0,3)
    $username = $username.ToLower()

    Write-Host "creating user $username ..."
    $user = Get-ADUser -Filter "SamAccountName -eq '$username'"

    if ($user) {
        Write-Host "user exists!"
        $out = @{}
        $out.Status = "Exists"
        $out.UserName = $username
        return $out
    }
    else
    {
        New-ADUser -Name "$FirstName $LastName" -SamAccountName $username -Department $Department
        $out = @{}
        $out["Status"] = "Created"
        $out["UserName"] = $username
        $out["Mail"] = "$username@example.com"
        return $out
    }
}

function Send-Welcome
{
    Param(
      [string]$Mail,
      [string]$Text = "Hello there, it's nice to see you"
    )

    Send-MailMessage -To $Mail -Subject "Welcome" -Body $Text
}

function Get-Everything {
    Param ($What)
    $stuff = Get-Content "C:\data\$What.txt"
    $stuff
}

function Add-Numbers ($a = 1, $b = -2.5) {
    $object = New-Object PSObject
    $object | Add-Member -MemberType NoteProperty -Name "Sum" -Value ($a + $b)
    $object | Add-Member NoteProperty Product ($a * $b)
    Add-Member -InputObject $object -NotePropertyName Quotient -NotePropertyValue ($a / $b)
    $object
}
