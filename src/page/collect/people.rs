//! Who is asked: those who approve, and those who sign.

use super::subject::{Subject, quote};
use crate::catalog::{Method, ParameterKind, Purpose, Simulation};
use crate::draw::in_words;
use crate::facts::{CaseSite, ProviderSite, mail_addresses, output_sites};
use crate::graph::Placeholder;
use crate::model::case_key::EMAIL_ADDRESS;
use crate::model::{Activity, Approval, Binding, Parameter, Party};
use crate::page::PersonView;
use crate::text::{list, without_backticks};

/// In the order of the text.
pub fn people(subject: &Subject<'_, '_>) -> Vec<PersonView> {
    let mut people = Vec::new();
    for activity in subject.activities() {
        if let Some(approval) = activity.approval() {
            people.extend(approvers(subject, activity, approval));
        }
        if let Some(request) = Request::of(subject, activity) {
            let place = subject.place(activity);
            let signer = |(who, when)| PersonView { does: "signs", who, activity: place.clone(), when };
            people.extend(request.signers().into_iter().map(signer));
        }
    }
    people
}

fn approvers(subject: &Subject<'_, '_>, activity: &Activity<'_>, approval: &Approval<'_>) -> Vec<PersonView> {
    let when = waits(subject, approval);
    let assignees = approval.assignees.get().into_iter().flatten();
    let people = assignees.filter(|assignee| !assignee.is_certainly_empty()).map(|assignee| PersonView {
        does: "approves",
        who: who(subject, assignee.parameter.get()),
        activity: subject.place(activity),
        when: when.clone(),
    });
    people.collect()
}

/// How long an Approval waits, and what follows without an answer.
fn waits(subject: &Subject<'_, '_>, approval: &Approval<'_>) -> String {
    let timeout = approval.settings().timeout.get().filter(|timeout| !timeout.is_empty());
    let is_none = timeout.and_then(Binding::literal).is_some_and(|(_, literal)| literal.is_blank());
    let Some(timeout) = timeout.filter(|_| !is_none) else {
        return "the order waits for the first who approves, or until all have rejected; without an answer, forever"
            .to_owned();
    };
    let then = match approval.on_timeout.value() {
        Some("approve") => "it counts as approved",
        Some("reject") => "it counts as rejected",
        _ => "nothing is decided",
    };
    let after = match timeout.target() {
        Some(_) => format!("{} seconds", subject.called(Some(timeout))),
        None => {
            let seconds = subject.called(Some(timeout));
            in_words(&seconds).unwrap_or_else(|| format!("{seconds} seconds"))
        }
    };
    format!("the order waits for the first who approves, or until all have rejected; after {after} {then}")
}

/// The people in a binding, in words: what wrote the variable says who they are.
pub fn who(subject: &Subject<'_, '_>, binding: Option<&Binding<'_>>) -> String {
    let shown = subject.called(binding);
    match binding.and_then(Binding::target) {
        Some((_, name)) => who_is_in(subject, name, &shown),
        None => shown,
    }
}

/// The people in a variable, in words.
pub fn who_is_in(subject: &Subject<'_, '_>, name: &str, shown: &str) -> String {
    let written = output_sites(subject.context).find(|site| site.file == subject.analysis.file && site.writes(name));
    let Some((site, method)) = written.and_then(|site| Some((site.provider, site.outputs.method?))) else {
        return format!("the person in {shown}");
    };
    let identity = method.parameter_of_kind(ParameterKind::Identity).and_then(|parameter| {
        let binding = site.parameter(&parameter.name)?.value.get().filter(|binding| !binding.is_empty())?;
        let value = subject.called(Some(binding));
        Some(if binding.target().is_some() { value } else { quote(&value) })
    });
    let of = identity.map_or_else(String::new, |identity| format!(" {identity}"));
    match method.simulation {
        Some(Simulation::GroupMembers) => format!("the members of the group{of}"),
        Some(Simulation::Manager) => format!("the manager of the user{of}"),
        Some(Simulation::User) => format!("the user{of}"),
        _ => format!("the person in {shown}"),
    }
}

/// An activity that asks people to sign.
pub struct Request<'r, 's, 'a> {
    pub subject: &'r Subject<'s, 'a>,
    pub site: ProviderSite<'s, 'a>,
    pub method: &'a Method,
}

impl<'r, 's, 'a> Request<'r, 's, 'a> {
    pub fn of(subject: &'r Subject<'s, 'a>, activity: &Activity<'_>) -> Option<Self> {
        let site = ProviderSite::of_activity(subject.analysis, activity.id)?;
        let method = site.outputs.method?;
        let asks = matches!(method.simulation, Some(Simulation::SigningRequest | Simulation::SigningRequestJson));
        asks.then_some(Self { subject, site, method })
    }

    /// The value of the parameter of a kind.
    pub fn of_kind(&self, kind: ParameterKind) -> Option<&'s Binding<'a>> {
        let name = &self.method.parameter_of_kind(kind)?.name;
        self.site.provider.parameter(name)?.value.get().filter(|binding| !binding.is_empty())
    }

    /// The cases in JSON that it may send: those of this service, if it takes one.
    pub fn cases(&self) -> &'s [CaseSite<'a>] {
        let takes_json = self.method.simulation == Some(Simulation::SigningRequestJson);
        if takes_json { self.subject.context.cases() } else { &[] }
    }

    /// The parameter with a purpose, if it has a value.
    pub fn binding_for(&self, purpose: Purpose) -> Option<&'s Binding<'a>> {
        let name = &self.method.parameter_for(purpose)?.name;
        self.site.provider.parameter(name)?.value.get().filter(|binding| !binding.is_empty())
    }

    /// Its value in words.
    pub fn for_purpose(&self, purpose: Purpose) -> Option<String> {
        let binding = self.binding_for(purpose)?;
        Some(self.subject.called(Some(binding)))
    }

    /// Whether those who are asked see the value of a parameter.
    pub fn shows(&self, parameter: &Parameter<'_>) -> bool {
        let known = parameter.name.value().and_then(|name| self.method.parameter(name));
        known.is_some_and(|known| {
            let is_named = matches!(known.purpose, Some(Purpose::DocumentName | Purpose::PartyName));
            is_named || matches!(known.kind, Some(ParameterKind::File | ParameterKind::MailText))
        })
    }

    /// Who signs, and until when.
    fn signers(&self) -> Vec<(String, String)> {
        if let Some(mail) = self.of_kind(ParameterKind::Mail) {
            return vec![(who(self.subject, Some(mail)), until(self.for_purpose(Purpose::Expiry).as_deref()))];
        }
        let parties = |case: &CaseSite<'a>| {
            let days = case.case.expire_after_days.value().filter(|days| !days.is_blank());
            let when = until(days.map(|days| days.describe()).as_deref().map(|days| days.trim_matches('"')));
            self.parties(case).into_iter().map(move |party| (party, when.clone())).collect::<Vec<_>>()
        };
        let mut people: Vec<(String, String)> = self.cases().iter().flat_map(parties).collect();
        people.sort();
        people.dedup();
        if people.is_empty() {
            let json = self.subject.called(self.of_kind(ParameterKind::CaseJson));
            people.push((format!("the parties of the case in {json}"), until(None)));
        }
        people
    }

    /// The parties of a case in words.
    pub fn parties(&self, case: &CaseSite<'a>) -> Vec<String> {
        let parties = case.case.parties.get().into_iter().flatten();
        parties.map(|party| self.party(case, party)).collect()
    }

    fn party(&self, case: &CaseSite<'a>, party: &Party<'_>) -> String {
        if party.anyone_can_sign.is_true() {
            return "anyone who has the link".to_owned();
        }
        let node = party.mail.node().or(party.name.node());
        let is_shown = node.is_some_and(|node| case.may_show(node));
        let Some(mail) = party.mail.value().or(party.name.value()).filter(|text| !text.is_empty() && is_shown) else {
            return self.built_party();
        };
        in_placeholders(self.subject, mail).unwrap_or_else(|| {
            let mut text = mail.to_owned();
            self.subject.redactions.redact_text(&mut text);
            without_backticks(&self.subject.texts().plain(&text)).into_owned()
        })
    }
}

impl Request<'_, '_, '_> {
    /// A party whose address a script puts into the case: by the variables that it may come from.
    fn built_party(&self) -> String {
        let mails = mail_addresses(self.subject.context);
        let in_cases = mails.iter().filter(|(_, sink)| sink.name == EMAIL_ADDRESS);
        let mut names: Vec<String> = in_cases.map(|(name, _)| self.subject.label_of(name)).collect();
        names.sort();
        if names.is_empty() {
            "somebody whom a script names".to_owned()
        } else {
            format!("the person in {}", list(&names, "or"))
        }
    }
}

/// Until when a signature can be given.
fn until(days: Option<&str>) -> String {
    match days {
        Some(days) => format!("within {days} days, after which the request expires"),
        None => "whenever they like, as no expiry is set".to_owned(),
    }
}

/// "the person in `Email`" for a text with placeholders.
fn in_placeholders(subject: &Subject<'_, '_>, text: &str) -> Option<String> {
    let names = subject.analysis.scope.placeholders(text);
    let names: Vec<String> = names.map(|Placeholder { name, .. }| subject.label_of(name)).collect();
    (!names.is_empty()).then(|| format!("the person in {}", list(&names, "and")))
}
