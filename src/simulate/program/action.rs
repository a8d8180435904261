//! The actions of activities, by type.

use jiff::SignedDuration;

use super::assign::Assign;
use super::call::Call;
use super::condition::Condition;
use super::context::Context;
use super::source::{Readable, Source};
use crate::config::ActivityShape;
use crate::document::NodeId;
use crate::model::{ActivityKind, Approval, Binding, Code, Locales, Member};
use crate::simulate::clock;
use crate::simulate::text::number;

#[derive(Debug)]
pub enum Action<'p> {
    Call(Box<Readable<Call<'p>>>),
    Approval(&'p Approval<'p>),
    /// In document order it does nothing: its Approval runs it when an approver answers.
    Event,
    Assign(Assign<'p>),
    Status {
        status: &'p Member<Box<Binding<'p>>>,
        translations: &'p Member<Locales<'p>>,
    },
    Sequence,
    While(While<'p>),
    If(Readable<Condition<'p>>),
    Terminate,
    Code(&'p Code<'p>),
    Declared(ActivityShape),
    Unknown,
}

#[derive(Debug)]
pub struct While<'p> {
    pub condition: Readable<Condition<'p>>,
    pub delay: Delay<'p>,
}

/// The time that a loop waits in each round.
#[derive(Debug, Clone, Copy)]
pub enum Delay<'p> {
    Fixed(SignedDuration),
    /// A number of seconds, and the node to report if it is invalid.
    Of(Source<'p>, Option<NodeId>),
}

impl<'p> Action<'p> {
    pub(super) fn of(kind: &'p ActivityKind<'p>, context: &Context<'_, 'p>) -> Self {
        let names = context.names;
        match kind {
            ActivityKind::Provider(provider) => Self::Call(Box::new(Call::of(provider, context))),
            ActivityKind::Approval(approval) => Self::Approval(approval),
            ActivityKind::Event { .. } => Self::Event,
            ActivityKind::Assign(assign) => Self::Assign(Assign::of(assign, names)),
            ActivityKind::Status { status, translations } => Self::Status { status, translations },
            ActivityKind::Sequence => Self::Sequence,
            ActivityKind::While { expression, delay } => {
                let source = Source::of(delay, names);
                let fixed = match source {
                    Source::Nothing => Some(SignedDuration::ZERO),
                    Source::Text(text) => Delay::of(text),
                    Source::Variable { .. } | Source::Unreadable => None,
                };
                let node = delay.get().map(|binding| binding.value.node().unwrap_or(binding.node));
                let delay = fixed.map_or(Delay::Of(source, node), Delay::Fixed);
                Self::While(While { condition: Condition::of(expression, names), delay })
            }
            ActivityKind::If { expression } => Self::If(Condition::of(expression, names)),
            ActivityKind::Terminate => Self::Terminate,
            ActivityKind::Code(code) => Self::Code(code),
            ActivityKind::Declared { shape, .. } => Self::Declared(*shape),
            ActivityKind::Unknown { .. } => Self::Unknown,
        }
    }
}

impl Delay<'_> {
    /// The duration that a string gives in seconds: zero if it is blank, `None` if it cannot be read.
    pub fn of(text: &str) -> Option<SignedDuration> {
        let text = text.trim();
        if text.is_empty() { Some(SignedDuration::ZERO) } else { number(text).and_then(clock::seconds) }
    }
}
