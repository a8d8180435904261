//! What a search keeps for a reader who chooses what happens: its first states with the moves from them, what Status
//! activities publish, and how Approvals are decided. A search without a recorder costs nothing more.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use jiff::SignedDuration;

use super::choice::Choice;
use super::cycles::StateSets;
use super::nodes::{Jump, Open};
use super::oracle::{Point, Question};
use super::search_run::SearchRun;
use crate::common::collections::{HashMap, IndexMap, IndexSet};
use crate::common::outcomes::Decision;
use crate::explore::ends::without_ids;
use crate::model::ActivityId;
use crate::redaction::Mask;
use crate::simulate::{Event, Frame, Instant, Record};

/// Bytes of strings that are kept in all moves together.
const MAX_TEXT: usize = 32 << 20;

/// Maximum number of different texts of one Status activity.
const MAX_TEXTS: usize = 20;

pub struct Recorder<'p> {
    max_states: usize,
    /// From the submission to the first state.
    pub start: Option<RecordedMove<'p>>,
    /// In the order in which they were found.
    pub states: Vec<RecordedState<'p>>,
    /// By node, the index of the state.
    pub numbers: HashMap<usize, usize>,
    pub published: BTreeMap<ActivityId, Published>,
    /// By a decision of an Approval, the nodes that are reached next.
    pub decided: BTreeMap<(ActivityId, Decision), BTreeSet<usize>>,
    /// The values of masked variables.
    pub masked: IndexSet<(Mask, Arc<str>)>,
    /// The sets of states in which an order can stay forever.
    pub sets: StateSets,
    /// Bytes of strings in the moves.
    text: usize,
    /// The state that is expanded, unless it is not kept, and when it was reached.
    expanded: Option<usize>,
    began: Instant,
    /// The last segment.
    segment: Segment<'p>,
}

pub struct RecordedState<'p> {
    pub node: usize,
    /// Where the order stands.
    pub activity: Option<ActivityId>,
    /// What is decided in it; `None` until it is expanded.
    pub point: Option<Point>,
    pub moves: Vec<RecordedMove<'p>>,
}

pub struct RecordedMove<'p> {
    pub choice: Option<Rc<Choice>>,
    /// The node; `None` where the search was cut off.
    pub to: Option<usize>,
    pub began: Instant,
    pub elapsed: SignedDuration,
    /// What happened on it.
    pub record: Rc<Record<'p>>,
    /// The rounds that are skipped at its end.
    pub jump: Option<Rc<Jump>>,
}

/// What a Status activity publishes.
#[derive(Default)]
pub struct Published {
    /// The first, by the text without ids.
    pub texts: IndexMap<String, TextNodes>,
    /// The nodes that are reached after another text.
    pub after_others: BTreeSet<usize>,
}

pub struct TextNodes {
    pub text: Arc<str>,
    /// The nodes that are reached next.
    pub next: BTreeSet<usize>,
}

/// What happened between two points.
#[derive(Default)]
struct Segment<'p> {
    /// If the state it began in is kept.
    record: Option<Rc<Record<'p>>>,
    /// With the index of the text, if it is kept.
    published: Vec<(ActivityId, Option<usize>)>,
    decided: Vec<(ActivityId, Decision)>,
    ended: Option<Instant>,
    /// The node that was reached by skipping rounds, and when.
    jumped: Option<(usize, Instant, Rc<Jump>)>,
}

impl<'p> Recorder<'p> {
    pub fn new(max_states: usize) -> Self {
        Self {
            max_states,
            start: None,
            states: Vec::new(),
            numbers: HashMap::default(),
            published: BTreeMap::new(),
            decided: BTreeMap::new(),
            masked: IndexSet::default(),
            sets: StateSets::default(),
            text: 0,
            expanded: None,
            began: Instant::START,
            segment: Segment::default(),
        }
    }

    /// Whether states are kept.
    pub const fn keeps_states(&self) -> bool {
        self.max_states > 0
    }

    /// A state was found.
    pub fn add_state(&mut self, node: usize) {
        if self.states.len() < self.max_states && self.text < MAX_TEXT {
            self.numbers.insert(node, self.states.len());
            self.states.push(RecordedState { node, activity: None, point: None, moves: Vec::new() });
        }
    }

    /// The moves from a state are made next.
    pub fn expand(&mut self, node: usize, open: &Open<'p, '_>) {
        self.began = open.walk.run.clock.now();
        self.expanded = self.numbers.get(&node).copied();
        if let Some(state) = self.expanded.and_then(|number| self.states.get_mut(number)) {
            state.activity = standing(&open.walk, &open.point);
            state.point = Some(open.point.clone());
        }
    }

    /// Takes what happened up to the next point, which is still in the record.
    pub fn take(&mut self, walk: &SearchRun<'p, '_>, is_start: bool) {
        let record = &walk.run.record;
        let keeps = self.keeps_states() && (is_start || self.expanded.is_some()) && self.text < MAX_TEXT;
        self.segment = Segment { ended: Some(walk.run.clock.now()), ..Segment::default() };
        for (activity, event) in record.entries.iter().filter_map(|entry| Some((entry.activity?, &entry.event))) {
            match event {
                Event::Published(index) => {
                    let (text, is_new) = self.published.entry(activity).or_default().add(record.status(*index));
                    self.segment.published.push((activity, text));
                    if is_new {
                        self.masked.extend(walk.run.values.masked().iter().cloned());
                    }
                }
                Event::Decided(decision) => self.segment.decided.push((activity, *decision)),
                Event::TimedOut { .. } => self.segment.decided.push((activity, Decision::TimedOut)),
                _ => {}
            }
        }
        if keeps {
            self.text += size(record);
            self.masked.extend(walk.run.values.masked().iter().cloned());
            self.segment.record = Some(Rc::new(record.clone()));
        }
    }

    /// Rounds were skipped, up to another state.
    pub fn jump(&mut self, to: usize, at: Instant, jump: &Rc<Jump>) {
        self.segment.jumped = Some((to, at, Rc::clone(jump)));
    }

    /// The move led to a node.
    pub fn arrive(&mut self, to: Option<usize>, choice: Option<&Rc<Choice>>, is_start: bool) {
        let Segment { record, published, decided, ended, jumped } = std::mem::take(&mut self.segment);
        let reached = || to.into_iter().chain(jumped.as_ref().map(|(to, ..)| *to));
        for (activity, text) in published {
            if let Some(known) = self.published.get_mut(&activity) {
                known.next(text).extend(reached());
            }
        }
        for made in decided {
            self.decided.entry(made).or_default().extend(reached());
        }
        let (Some(record), Some(ended)) = (record, ended) else { return };
        let began = if is_start { Instant::START } else { self.began };
        let made = |to, at: Instant, jump| RecordedMove {
            choice: choice.cloned(),
            to,
            began,
            elapsed: at.since(began),
            record: Rc::clone(&record),
            jump,
        };
        let plain = made(to, ended, None);
        if is_start {
            self.start = Some(plain);
        } else if let Some(state) = self.expanded.and_then(|number| self.states.get_mut(number)) {
            state.moves.push(plain);
            state.moves.extend(jumped.map(|(to, at, jump)| made(Some(to), at, Some(jump))));
        }
    }
}

impl Published {
    /// Adds a text, unless it is known. Returns its index, if it is kept, and whether it was added.
    fn add(&mut self, text: &str) -> (Option<usize>, bool) {
        let key = without_ids(text);
        let (known, next) = (self.texts.get_index_of(&key), self.texts.len());
        if known.is_some() || next >= MAX_TEXTS {
            return (known, false);
        }
        self.texts.insert(key, TextNodes { text: text.into(), next: BTreeSet::new() });
        (Some(next), true)
    }

    /// The nodes that are reached after a text.
    fn next(&mut self, text: Option<usize>) -> &mut BTreeSet<usize> {
        match text.and_then(|index| self.texts.get_index_mut(index)) {
            Some((_, text)) => &mut text.next,
            None => &mut self.after_others,
        }
    }
}

/// The activity at which an order stands that is at a point.
fn standing(walk: &SearchRun<'_, '_>, point: &Point) -> Option<ActivityId> {
    match point {
        Point::Question(Question::Call(activity) | Question::Result(activity, _)) => Some(*activity),
        Point::LoopHead | Point::Field(_) => match walk.run.frames.last() {
            Some(Frame::Activities { ids, next }) => ids.get(*next).copied(),
            _ => walk.place(),
        },
        Point::Time(_) => walk.run.current().or_else(|| walk.place()),
    }
}

/// The bytes of the strings of a record.
fn size(record: &Record<'_>) -> usize {
    let values = record.entries.iter().map(|entry| match &entry.event {
        Event::Filled(_, value) | Event::Set(_, value) => value.len(),
        Event::Warned(text) => text.len(),
        _ => 0,
    });
    let sides = record.sides.iter().flatten().map(|side| side.as_str().len());
    let texts = record.statuses.iter().map(|(_, text)| text.as_str().len());
    let mails = record.mails.iter().map(|mail| mail.subject.len());
    values.chain(sides).chain(texts).chain(mails).sum()
}
