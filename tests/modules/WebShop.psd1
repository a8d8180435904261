@{
    # Script module of this manifest
    RootModule        = 'WebShop.psm1'
    ModuleVersion     = '1.0.0'
    GUID              = 'd0a9150d-b6a4-4b17-a325-e3a24fed0aa9'
    FunctionsToExport = @('Get-ShopOrder',
        "get-shopstock", 'Get-Shop[S]tatus', 'Get-Elsewhere')
    CmdletsToExport   = @()
    AliasesToExport   = '*'
    PrivateData       = @{ PSData = @{ Tags = @('x') } }
}
