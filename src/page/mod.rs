//! The page of `wflint report`: one HTML file for people who do not read JSON. `model` says what is shown.

mod model;

pub use model::{
    ActivityView, BrokenView, ChangeView, CoverageView, EndView, FindingView, FormFieldView, FormSectionView, FormView,
    LawView, Looked, MailView, Orders, Page, PersonView, ScenarioView, Scenarios, ServicePage, StatusView,
    TemplatePart, TimelineRow, VariableView,
};
