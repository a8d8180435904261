# The rooms plug-in: parameter sets, an enumeration, and parameters that authors never see.

enum RoomSize {
    Small
    Medium = 10
    Large  = 20   # with a screen
}

[Flags()] enum Equipment { Screen = 1; Camera = 2 }

function Request-Room {
    [CmdletBinding(DefaultParameterSetName = 'BySize')]
    param(
        [Parameter(Mandatory, ParameterSetName = 'ByName', HelpMessage = 'Name of the room')]
        [string] $Name,

        [Parameter(Mandatory, ParameterSetName = 'BySize')]
        [RoomSize] $Size = [RoomSize]::Medium,

        [Parameter(Mandatory, ParameterSetName = 'ByName')]
        [Parameter(Mandatory, ParameterSetName = 'BySize')]
        [string] $Start,

        [Parameter(Mandatory)]
        [string] $Organizer,

        [Equipment] $Equipment,

        [Parameter(ParameterSetName = 'Hidden')]
        [hashtable] $Session,

        $Config,
        $Parameters
    )
    [pscustomobject]@{ BookingId = 1; Room = $Name }
}

function Stop-RoomBooking {
    param(
        [Parameter(Mandatory, ParameterSetName = 'Default')] [string] $BookingId,
        [Parameter(ParameterSetName = 'Hidden', Mandatory)] $Config,
        [Nullable[RoomSize]] $Size
    )
    @{ Canceled = $true }
}
