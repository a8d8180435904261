use crate::facts::Context;
use crate::model::Assumption;
use crate::rules::{Reporter, Rule};
use crate::script::syntax::{Syntax, SyntaxErrorKind};
use crate::text::diagnostic::Severity;

pub const RULE: Rule = rule!("WF801-script-syntax", Error | Info, check, recommends_infos: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.codes() {
        let Syntax::Error(error) = site.syntax else { continue };
        let activity = site.activity.display_name();
        let position = site.position(&error.range);
        let place = site.inside(error.range.clone());
        match error.kind {
            SyntaxErrorKind::Invalid => {
                let message = format!("invalid JavaScript in {activity}{position}: {}", error.message);
                out.report(&place, message).help("correct the script: until it parses, `Json` gets no value");
            }
            SyntaxErrorKind::TopLevelAwait => {
                let message = format!("top-level `await` in {activity}{position} may be a syntax error");
                out.report(&place, message)
                    .assumes(Assumption::ScriptWrapper)
                    .help("use `await` only inside an `async` function: the platform may not run scripts as one")
                    .severity(Severity::Info);
            }
        }
    }
}
