@{
    RootModule        = 'Activity.SharedMailbox.psm1'
    ModuleVersion     = '1.3.0'
    GUID              = '5b0f6a53-0c4e-4b0e-9a1e-0d6f0f6f7a10'
    Author            = 'Example team'
    FunctionsToExport = @(
        'New-SharedMailbox'
        'Get-SharedMailboxState'
    )
}
