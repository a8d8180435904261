//! The baselines of a run: one for all files, or those that configurations name.

use std::path::Path;

use super::baseline::Baseline;
use crate::config::Config;
use crate::project::{Request, clean_path};
use crate::read::ReadError;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baselines {
    pub all: Vec<Baseline>,
    /// The index of its baseline, by configuration.
    pub of_config: Vec<Option<usize>>,
    /// Whether baselines are written: old ones with their entries that still occur, new ones with all findings.
    pub are_written: bool,
    /// Reports entries that no longer occur as errors.
    pub are_strict: bool,
}

impl Baselines {
    /// Reads one baseline for all files, otherwise those of the configurations.
    ///
    /// # Errors
    /// The first one that cannot be read. A file that is to be written may be missing, but one that exists must be a
    /// baseline: another file may have been named by mistake.
    pub fn load(mut self, for_all: Option<&Path>, configs: &[Config], request: &Request) -> Result<Self, String> {
        let Request { boundary, unsaved, .. } = request;
        for config in configs {
            let path = for_all.or(config.baseline.as_deref());
            let index = path.map(|path| -> Result<usize, String> {
                let (path, name) = clean_path(path, &request.current);
                if let Some(index) = self.all.iter().position(|known: &Baseline| known.path == path) {
                    return Ok(index);
                }
                let folder = config.folder_of(config.baseline_place);
                let allowed = match for_all {
                    Some(_) => Ok(()),
                    None if self.are_written => boundary.check_target(&path, folder),
                    None => boundary.check(&path, folder),
                };
                let baseline = match allowed.and_then(|()| unsaved.read(&path)) {
                    Ok(text) => Baseline::parse(path, &text).map_err(|reason| format!("{name}: {reason}")),
                    Err(ReadError::Missing) if self.are_written => Ok(Baseline::new(path)),
                    Err(error) if for_all.is_some() => Err(format!("cannot read {name}: {error}")),
                    Err(error) => {
                        let reason = format!("cannot read the baseline `{name}`: {error}");
                        Err(config.error_at(config.baseline_place, &reason).0)
                    }
                };
                self.all.push(baseline?);
                Ok(self.all.len() - 1)
            });
            self.of_config.push(index.transpose()?);
        }
        Ok(self)
    }

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
