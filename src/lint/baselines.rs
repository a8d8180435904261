//! The baselines of a run: one for all files, or those that configurations name.

use super::baseline::Baseline;

#[derive(Debug, Clone, Default)]
pub struct Baselines {
    pub all: Vec<Baseline>,
    /// By configuration: the index of its baseline.
    pub of_config: Vec<Option<usize>>,
    /// Lists in each baseline what still occurs of its entries; in a new one all findings.
    pub are_written: bool,
    /// Reports entries that no longer occur as errors.
    pub are_strict: bool,
}

impl Baselines {
    /// The baseline of a configuration, with its index.
    pub(super) fn of(&self, config: usize) -> Option<(usize, &Baseline)> {
        let index = self.of_config.get(config).copied().flatten()?;
        Some((index, self.all.get(index)?))
    }

    /// The first configuration with a baseline.
    pub fn config_of(&self, baseline: usize) -> usize {
        self.of_config.iter().position(|&index| index == Some(baseline)).unwrap_or_default()
    }
}
