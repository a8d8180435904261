//! All snapshots are in `snapshots/`.

use insta::Settings;

/// The settings for every snapshot: `settings().bind(|| assert_snapshot!(…))`.
pub fn settings() -> Settings {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}
