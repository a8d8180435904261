use crate::common::collections::HashMap;
use crate::document::NodeId;
use crate::facts::{CaseSite, Context, Part};
use crate::model::{Literal, Member};
use crate::rules::{Cause, Reporter, Rule};

pub const RULE: Rule = rule!("WF706-case-reminder-after-expiry", Warning, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let found: Vec<Reminder<'_, '_>> = cx.cases().iter().filter_map(Reminder::find).collect();
    let mut built: HashMap<usize, Vec<&Reminder<'_, '_>>> = HashMap::default();
    for reminder in &found {
        if let Some(script) = reminder.site.script() {
            built.entry(script).or_default().push(reminder);
        }
    }
    for reminder in &found {
        let Reminder { site, expire, remind, .. } = reminder;
        let of_script = site.script().and_then(|script| built.get(&script));
        let what = if of_script.is_none_or(|others| reminder.has_known_days(others)) {
            let (remind, expire) = (remind.1, expire.1);
            format!("`RemindAfterDays` is {remind}, `ExpireAfterDays` is {expire}")
        } else {
            "`RemindAfterDays` is not less than `ExpireAfterDays`".to_owned()
        };
        out.report(&site.place_of_value(remind.0), format!("reminder after expiry: {what}"))
            .cause(Cause::CaseValue(site.case_value(expire.0)))
            .help("decrease `RemindAfterDays`, or increase `ExpireAfterDays`")
            .related(&site.place_of_value(expire.0), "`ExpireAfterDays` is set here");
    }
}

/// A case whose reminder is due when it has expired.
struct Reminder<'c, 's> {
    site: &'c CaseSite<'s>,
    expire: (NodeId, f64),
    remind: (NodeId, f64),
    /// Where the days of the reminder are.
    part: Part,
}

impl<'c, 's> Reminder<'c, 's> {
    fn find(site: &'c CaseSite<'s>) -> Option<Self> {
        let (expire, remind) = (days(&site.case.expire_after_days)?, days(&site.case.remind_after_days)?);
        let part = site.place_of_value(remind.0).part;
        (remind.1 >= expire.1).then_some(Self { site, expire, remind, part })
    }

    /// Whether the days are those of the document, and the same in all runs of the script.
    fn has_known_days(&self, of_script: &[&Self]) -> bool {
        let days = |it: &Self| (it.expire.1.to_bits(), it.remind.1.to_bits());
        of_script.iter().filter(|other| other.part == self.part).all(|other| {
            let may_show = other.site.may_show(other.expire.0) && other.site.may_show(other.remind.0);
            may_show && days(self) == days(other)
        })
    }
}

/// The value and its days, unless it is 0, which stands for none.
fn days(member: &Member<Literal<'_>>) -> Option<(NodeId, f64)> {
    let (node, literal) = member.known()?;
    let days = literal.as_number()?;
    (days > 0.0).then_some((node, days))
}
