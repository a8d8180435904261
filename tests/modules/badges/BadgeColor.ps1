enum BadgeColor { Blue; Green; Red }

function ConvertTo-BadgeOutput ($Table, $Prefix) {
    $Table.Keys | ForEach-Object -Begin { $Named = @{} } -Process { $Named["$Prefix$_"] = $Table[$_] } -End { $Named }
}
