//! The page of `wflint report`: one HTML file for people who do not read JSON. `model` says what is shown;
//! `collect` fills it, and the `data` of the page's script; `html` shows it.

mod collect;
mod data;
mod html;
mod model;
mod plays;

pub use collect::{Collected, Compared, Inputs, NotRun, ScenarioCollector, ScenarioRuns, collect};
pub use data::{PageData, RunData, ServiceData};
pub use html::page as html;
pub use model::{
    ActivityView, BrokenView, ChangeView, Changes, CoverageView, EndView, FindingView, FormFieldView, FormSectionView,
    FormView, ItemView, LawView, Looked, MailView, NotRunView, Orders, Page, PersonView, ScenarioView, Scenarios,
    SeenText, ServicePage, StatusView, TemplatePart, TimelineRow, UnknownView, VariableView,
};
pub use plays::{Play, Plays};
