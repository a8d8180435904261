//! The uniform-cost search: visits states in the order of their cost, until all are known.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::rc::Rc;

use super::choice::{FieldChoices, Round, SearchDecision};
use super::future_reads::FutureReads;
use super::jump::{NoJump, jump, next_deadline, skip};
use super::key::{StateKey, key_of, readable_cases};
use super::moves::{Move, Scope, moves, number_of_people};
use super::nodes::{Arrival, Clock, Cost, Edge, Node, Open, Place};
use super::observed::Observations;
use super::oracle::Point;
use super::oracle::SearchOracle;
use super::recorder::Recorder;
use super::search_run::Observers;
use super::search_run::Segment;
use super::search_run::{Reached, SearchRun};
use super::search_run::{Verdicts, judge};
use crate::common::collections::HashMap;
use crate::config::Choices;
use crate::explore::ends::{End, end_of};
use crate::explore::explored::Cut;
use crate::explore::left_out::LeftOut;
use crate::model::ActivityId;
use crate::simulate::{Instant, LoopVisits, Plan, Record, Run, Stop};

/// The settings of a search.
pub struct Settings<'e> {
    pub fields: &'e FieldChoices,
    pub assume: Choices,
    pub max_states: usize,
    pub observers: Observers<'e>,
    pub left_out: &'e LeftOut<'e>,
    /// The states that are kept for a reader; `None` for no recorder.
    pub embeds: Option<usize>,
    /// Called from time to time with the number of new states.
    pub progress: &'e dyn Fn(usize),
}

/// States between two calls of `progress`.
const PROGRESS: usize = 1024;

/// Bytes of the strings that the runs of a search may build.
const MAX_TEXT: usize = 512 << 20;

/// People who can act in one state: each may do so in two ways, and all of these runs are made at once.
const MAX_PEOPLE: usize = 128;

pub struct Explorer<'e, 'p, 's> {
    pub settings: Settings<'e>,
    pub(super) future_reads: FutureReads<'p>,
    /// The walk before the first decision.
    pub start: SearchRun<'p, 's>,
    pub(super) nodes: Vec<Node<'p, 's>>,
    known: HashMap<StateKey, usize>,
    /// Ends with the verdicts of laws, and their nodes.
    pub(super) ends: BTreeMap<(End, Verdicts), usize>,
    queue: BinaryHeap<Reverse<(Cost, usize)>>,
    pub(super) edges: Vec<Edge>,
    pub observed: Observations<'p>,
    pub recorder: Option<Recorder<'p>>,
    /// What was left out so far.
    pub(super) cut: Option<Cut>,
    /// The limit that has ended the search.
    full: Option<Cut>,
    /// Bytes of strings that runs have built.
    text: usize,
    /// What the last walk did.
    pub(super) segment: Segment<'p>,
    /// Memory for the next walk, and for the next key: without it, each would allocate its own.
    record: Record<'p>,
    key: Vec<u8>,
}

/// Where a walk has arrived, with the number of the node.
struct Arrived {
    node: Option<usize>,
    first_call_failed: bool,
}

impl<'e, 'p, 's> Explorer<'e, 'p, 's> {
    /// `run` has been filled, and has begun.
    pub fn new(plan: &'p Plan<'p>, (run, oracle): (Run<'p, 's>, SearchOracle), settings: Settings<'e>) -> Self {
        let start = SearchRun {
            run,
            oracle,
            status: None,
            jumped: None,
            ignored: Vec::new(),
            skipped_approvals: 0,
            visits: LoopVisits::default(),
            monitors: settings.observers.monitors.start(),
            timed_out: Vec::new(),
            is_plain: true,
        };
        let claimed = settings.observers.claims.iter().flat_map(|claim| claim.values.iter().map(|(slot, _)| *slot));
        Self {
            future_reads: FutureReads::new(plan, settings.observers.monitors.variables().into_iter().chain(claimed)),
            text: 0,
            recorder: settings.embeds.map(Recorder::new),
            settings,
            start,
            nodes: Vec::new(),
            known: HashMap::default(),
            ends: BTreeMap::new(),
            queue: BinaryHeap::new(),
            edges: Vec::new(),
            observed: Observations::default(),
            cut: None,
            full: None,
            segment: Segment::default(),
            record: Record::default(),
            key: Vec::new(),
        }
    }

    /// The number of states that are known.
    pub fn states(&self) -> usize {
        self.known.len()
    }

    /// Searches until all states are known, or there are too many.
    pub fn search(&mut self) {
        let first = Move {
            walk: Box::new(self.start.clone()),
            choice: None,
            deviates: false,
            is_fault: false,
            is_decided: false,
        };
        self.arrive(first, None, 0);
        while self.full.is_none()
            && let Some(Reverse((cost, index))) = self.queue.pop()
        {
            let Some(node) = self.nodes.get_mut(index).filter(|node| node.cost == cost) else { continue };
            if let Some(open) = node.open.take() {
                self.expand(index, cost, open);
            }
        }
        (self.settings.progress)(self.known.len() % PROGRESS);
    }

    /// Whether a lookup was made, and nothing can be found that it asks for.
    pub fn only_fails(&self, activity: ActivityId) -> bool {
        let choices = self.edges.iter().filter_map(|edge| edge.choice.as_ref());
        let mut results =
            choices.filter(|it| it.activity == Some(activity)).filter_map(|choice| match &choice.decision {
                SearchDecision::Returns { result, .. } => Some(result.outputs.is_err()),
                _ => None,
            });
        results.next().is_some_and(|fails| fails) && results.all(|fails| fails)
    }

    /// The end that a node is.
    pub fn end_at(&self, node: usize) -> Option<&End> {
        self.nodes.get(node)?.end.as_ref()
    }

    /// The loop or Approval that is under way in a state.
    pub fn place_of(&self, node: usize) -> Option<ActivityId> {
        self.nodes.get(node)?.place.activity
    }

    /// Whether some moves from a state were not made.
    pub fn is_unexplored(&self, node: usize) -> bool {
        self.nodes.get(node).is_some_and(Node::is_unexplored)
    }

    /// By node, the nodes that are reached next.
    pub fn following(&self) -> Vec<Vec<usize>> {
        let mut following = vec![Vec::new(); self.nodes.len()];
        for edge in &self.edges {
            following.get_mut(edge.from).into_iter().for_each(|next| next.push(edge.to));
        }
        following
    }

    /// Why not everything is known.
    pub fn cut(&self) -> Option<Cut> {
        self.full.or(self.cut)
    }

    fn expand(&mut self, index: usize, cost: Cost, open: Open<'p, 's>) {
        if matches!(open.point, Point::Time(_)) && number_of_people(&open.walk) > MAX_PEOPLE {
            self.full = Some(Cut::People);
            self.cut_off(index);
            return;
        }
        let scope = Scope { fields: self.settings.fields, assume: self.settings.assume, cases: &open.cases };
        self.recorder.iter_mut().for_each(|recorder| recorder.expand(index, &open));
        let mut fails_by_itself = false;
        for (number, next) in moves(open.walk, &open.point, &scope).into_iter().enumerate() {
            if next.is_fault && fails_by_itself {
                continue;
            }
            if self.full.is_some() {
                break;
            }
            let is_fault = next.is_fault;
            let deviations = cost.0 + u32::from(next.deviates);
            let choice = next.choice.clone();
            let from = Arrival { parent: index, number, choice: choice.clone(), jump: None };
            let arrived = self.arrive(next, Some(from), deviations);
            fails_by_itself |= !is_fault && arrived.first_call_failed;
            if let Some(to) = arrived.node {
                let number = u32::try_from(number).unwrap_or(u32::MAX);
                self.edges.push(Edge { from: index, to, is_fault, number, is_jump: false, choice });
            }
        }
        if self.full.is_some() {
            self.cut_off(index);
        }
    }

    /// Notes that not all moves from a state were made.
    fn cut_off(&mut self, index: usize) {
        if let Some(node) = self.nodes.get_mut(index) {
            node.is_cut = true;
        }
    }

    /// Continues a walk to its next point or end, and adds it as a node.
    fn arrive(&mut self, next: Move<'p, 's>, from: Option<Arrival>, deviations: u32) -> Arrived {
        let Move { mut walk, choice, is_decided, .. } = next;
        let is_start = from.is_none();
        walk.run.record.continue_in(std::mem::take(&mut self.record));
        let reached = walk.advance(is_decided, self.settings.fields);
        self.recorder.iter_mut().for_each(|recorder| recorder.take(&walk, is_start));
        self.text = self.text.saturating_add(walk.take_segment(&self.settings.observers, &mut self.segment));
        if self.text > MAX_TEXT {
            self.full = Some(Cut::Text);
        }
        self.record = walk.run.record.take_memory();
        if let Reached::End(_) = reached {
            // The loops in which it ends.
            let branches = &mut self.segment.branches;
            walk.visits.clone().end(&mut |id, branch, _| branches.push((id, branch)));
        }
        let cost = (deviations, walk.run.steps);
        self.observed.add(&self.segment, cost, from.as_ref());
        // A lookup that can only fail does so in the next segment.
        let only_fails = matches!(&reached, Reached::Point(Point::Question(question)) if question.only_fails());
        let first_call_failed = self.segment.first_call_failed || only_fails;
        let node = match reached {
            Reached::End(stop) => self.add_end(&walk, stop.as_ref(), cost, from),
            Reached::Point(point) => self.add_point(walk, point, cost, from),
        };
        self.recorder.iter_mut().for_each(|recorder| recorder.arrive(node, choice.as_ref(), is_start));
        Arrived { node, first_call_failed }
    }

    fn add_end(
        &mut self,
        walk: &SearchRun<'p, 's>,
        stop: Option<&Stop>,
        cost: Cost,
        from: Option<Arrival>,
    ) -> Option<usize> {
        let Some(end) = end_of(&walk.run, stop, walk.status.as_deref()) else {
            // A limit of the simulator, such as that of the text that a run builds.
            self.cut = Some(Cut::Simulator);
            return None;
        };
        let failure = match stop {
            Some(Stop::Failed(failure)) => Some(failure.message.as_str()),
            _ => None,
        };
        let judged = Verdicts::of(&judge(self.settings.observers, walk, end.ending.outcome(), failure));
        if let Some(&index) = self.ends.get(&(end.clone(), judged.clone())) {
            if let Some(node) = self.nodes.get_mut(index).filter(|node| cost < node.cost) {
                (node.cost, node.from) = (cost, from);
            }
            return Some(index);
        }
        let place = Place::default();
        let key = (end.clone(), judged.clone());
        let node = Node { open: None, is_cut: false, cost, from, end: Some(end), judged, place, clock: None };
        let index = self.nodes.len();
        self.ends.insert(key, index);
        self.nodes.push(node);
        Some(index)
    }

    fn add_point(
        &mut self,
        mut walk: Box<SearchRun<'p, 's>>,
        mut point: Point,
        cost: Cost,
        from: Option<Arrival>,
    ) -> Option<usize> {
        let live = self.future_reads.of(&walk.run.frames);
        let cases = readable_cases(&walk.run, &live);
        let deadline = next_deadline(&walk.run, &cases);
        walk.jumped = walk.jumped.filter(|jumped| deadline == Some(*jumped));
        let key = key_of(&walk, &point, &live, &self.settings.observers, &mut self.key);
        let Some(&known) = self.known.get(&key) else {
            return self.add_node(key, Open { walk, point, cases }, deadline, cost, from);
        };
        if let Some(node) = self.nodes.get_mut(known).filter(|node| node.open.is_some() && cost < node.cost) {
            node.open = Some(Open { walk, point, cases });
            (node.cost, node.from) = (cost, from);
            self.queue.push(Reverse((cost, known)));
            return Some(known);
        }
        if let (Some(deadline), Some(from)) = (deadline, from)
            && let Some((before, choices)) = self.round(known, &from)
        {
            match jump(&walk, &before, choices, deadline) {
                Ok(jump) => {
                    skip(&mut walk, &mut point, &jump);
                    let cost = (cost.0, walk.run.steps);
                    let key = key_of(&walk, &point, &live, &self.settings.observers, &mut self.key);
                    if !self.known.contains_key(&key) {
                        let parent = from.parent;
                        let (jump, at, number) = (Rc::new(jump), walk.run.clock.now(), from.number);
                        let from = Some(Arrival { jump: Some(Rc::clone(&jump)), ..from });
                        let deadline = next_deadline(&walk.run, &cases);
                        if let Some(to) = self.add_node(key, Open { walk, point, cases }, deadline, cost, from) {
                            self.recorder.iter_mut().for_each(|recorder| recorder.jump(to, at, &jump));
                            let number = u32::try_from(number).unwrap_or(u32::MAX);
                            self.edges.push(Edge {
                                from: parent,
                                to,
                                is_fault: false,
                                number,
                                is_jump: true,
                                choice: None,
                            });
                        }
                    }
                }
                Err(NoJump::TooLong) => self.cut = Some(Cut::ManyCalls),
                Err(NoJump::Useless) => {}
            }
        }
        Some(known)
    }

    /// Adds a state, unless the search has reached a limit.
    fn add_node(
        &mut self,
        key: StateKey,
        open: Open<'p, 's>,
        deadline: Option<Instant>,
        cost: Cost,
        from: Option<Arrival>,
    ) -> Option<usize> {
        if self.known.len() >= self.settings.max_states {
            self.full = Some(Cut::MaxStates);
            return None;
        }
        let index = self.nodes.len();
        self.recorder.iter_mut().for_each(|recorder| recorder.add_state(index));
        let Open { walk, point, cases } = &open;
        let place = Place {
            is_assumed: cases.iter().any(|case| walk.run.cases.has_expired(*case)),
            ..Place::of(walk, point, deadline)
        };
        let clock = deadline.is_some().then(|| Box::new(Clock::of(&walk.run)));
        let judged = Verdicts::of_state(self.settings.observers, walk);
        let node = Node { open: Some(open), is_cut: false, cost, from, end: None, judged, place, clock };
        self.nodes.push(node);
        self.known.insert(key, index);
        self.queue.push(Reverse((cost, index)));
        if self.known.len().is_multiple_of(PROGRESS) {
            (self.settings.progress)(PROGRESS);
        }
        Some(index)
    }

    /// The choices of the iteration that ends at a known state, and the clock at its beginning; `None` if the state is
    /// not on the path.
    fn round(&self, known: usize, last: &Arrival) -> Option<(Clock, Round)> {
        let mut choices: Round = last.choice.iter().cloned().collect();
        let mut index = last.parent;
        while index != known {
            let from = self.nodes.get(index)?.from.as_ref()?;
            if from.jump.is_some() {
                return None;
            }
            choices.extend(from.choice.clone());
            index = from.parent;
        }
        choices.reverse();
        Some(((**self.nodes.get(known)?.clock.as_ref()?).clone(), choices))
    }
}
