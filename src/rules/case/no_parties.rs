use crate::facts::Context;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = rule!("WF704-no-parties", Error, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.cases() {
        let Some((node, _)) = site.case.parties.known().filter(|(_, parties)| parties.is_empty()) else { continue };
        out.report(&site.place_of_value(node), "empty `Parties` in the signing case")
            .help("add a party with `Name`, `EmailAddress` and the data that its signature type requires");
    }
}
