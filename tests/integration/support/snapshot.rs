//! Where snapshots lie: all of them in `snapshots/`.

use insta::Settings;

/// The settings under which every snapshot is compared; `settings().bind(|| assert_snapshot!(…))`.
pub fn settings() -> Settings {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}
