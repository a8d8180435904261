//! `--simulate --mutants`: which changes of workflows scenarios notice.

mod accepted;
mod hostile;
mod noticed;
mod service;
mod shown;
mod since;
