//! Finds how orders can go on forever: cycles of states, by strongly connected components (Sharir 1981).

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use petgraph::Direction;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::choice::{Round, SearchDecision};
use super::nodes::{Edge, Node};
use super::search_run::Verdicts;
use crate::common::collections::{HashMap, HashSet};
use crate::explore::ends::{End, Ending, without_ids};
use crate::model::{ActivityId, Assumption};

/// Maximum number of combinations of method results that are distinguished in one cycle.
const MAX_COMBINATIONS: usize = 256;

/// States in all sets that are kept for a reader.
const MAX_IN_SETS: usize = 1 << 22;

/// A cycle that an order may stay in forever.
pub struct Cycle {
    pub end: End,
    /// A state on it.
    pub node: usize,
    /// The choices of one round.
    pub round: Round,
    /// The moves of one round; none in a state that nothing leaves.
    pub moves: Vec<CycleMove>,
    /// The assumption of the simulator without which it may end.
    pub assumed: Option<Assumption>,
}

/// A move of a round: its number, and the node at which rounds were skipped.
#[derive(Debug, Clone, Copy)]
pub struct CycleMove {
    pub number: usize,
    pub jump_to: Option<usize>,
}

/// States in which an order may stay forever, and the end that this is.
pub struct StateSet {
    pub end: End,
    pub members: Vec<usize>,
    /// Whether this is one state that nothing leaves.
    pub is_still: bool,
}

/// What is found.
#[derive(Default)]
pub struct Found {
    /// By end, and by the verdicts of laws, the cheapest.
    cycles: BTreeMap<(End, Verdicts), Cycle>,
    /// All sets of states that are cycles, if they are wanted.
    sets: Option<StateSets>,
}

/// Sets of states in which an order may stay forever.
#[derive(Default)]
pub struct StateSets {
    pub all: Vec<StateSet>,
    /// States in all of them.
    states: usize,
    /// Whether there are more.
    pub is_cut: bool,
}

impl StateSets {
    fn add(&mut self, set: StateSet) {
        if self.states + set.members.len() > MAX_IN_SETS {
            self.is_cut = true;
            return;
        }
        self.states += set.members.len();
        self.all.push(set);
    }
}

type Graph<'g> = DiGraph<(), &'g Edge>;

/// The cycles of a search, in which people may `never_acts`. What runs leave out may end the loops `ended`.
pub fn cycles(
    nodes: &[Node<'_, '_>],
    edges: &[Edge],
    never_acts: bool,
    ended: &HashMap<ActivityId, Assumption>,
    wants_sets: bool,
) -> (Vec<Cycle>, StateSets) {
    let finder = Finder { nodes, goes: graph(nodes, edges.iter().filter(|edge| !edge.is_fault)), ended_loops: ended };
    let ending = finder.reaching(nodes.iter().enumerate().filter(|(_, it)| it.end.is_some()).map(|(index, _)| index));
    let unexplored =
        finder.reaching(nodes.iter().enumerate().filter(|(_, it)| it.is_unexplored()).map(|(index, _)| index));
    let mut found = Found { sets: wants_sets.then(StateSets::default), ..Found::default() };
    // Nobody acts, and no deadline is open.
    let is_passive = |edge: &Edge| !is_of_person(edge);
    let awaits = |index: usize| nodes.get(index).is_some_and(|node| node.place.awaits_deadline);
    let passive = |edge: &&Edge| !edge.is_fault && is_passive(edge) && !awaits(edge.from) && !awaits(edge.to);
    let mut outgoing: HashMap<usize, Vec<&Edge>> = HashMap::default();
    for edge in edges.iter().filter(passive) {
        outgoing.entry(edge.from).or_default().push(edge);
    }
    // If everybody acts, a state in which somebody can act is left.
    let leaving: HashSet<usize> =
        edges.iter().filter(|edge| !never_acts || is_passive(edge)).map(|edge| edge.from).collect();
    for component in components(&graph(nodes, edges.iter().filter(passive)), nodes, Some(&leaving)) {
        for members in by_answers(&component, &outgoing) {
            finder.add(&members, &ending, &unexplored, &mut found);
        }
    }
    for members in in_vain(nodes, edges, &awaits) {
        finder.add(&members, &ending, &unexplored, &mut found);
    }
    // Where no end can be reached, orders also go on forever through recurring deadlines and people who act in vain.
    let rest = |edge: &&Edge| {
        let is_in = |index: usize| [&ending, &unexplored].iter().all(|set| !set.contains(&index));
        !edge.is_fault && is_in(edge.from) && is_in(edge.to)
    };
    for component in components(&graph(nodes, edges.iter().filter(rest)), nodes, None) {
        finder.add(&component, &ending, &unexplored, &mut found);
    }
    (found.cycles.into_values().collect(), found.sets.unwrap_or_default())
}

/// The cycles without an open deadline in which people act in vain: as long as the methods keep giving the same answers,
/// nothing leads to an end.
fn in_vain(nodes: &[Node<'_, '_>], edges: &[Edge], awaits: &impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
    let goes = |edge: &&Edge| !edge.is_fault && !awaits(edge.from) && !awaits(edge.to);
    let mut outgoing: HashMap<usize, Vec<&Edge>> = HashMap::default();
    for edge in edges.iter().filter(goes) {
        outgoing.entry(edge.from).or_default().push(edge);
    }
    let mut found = Vec::new();
    for component in components(&graph(nodes, edges.iter().filter(goes)), nodes, None) {
        let inner = inner(&component, &outgoing);
        let answers = answers(&inner);
        if answers.is_empty() || !inner.iter().any(|edge| is_of_person(edge)) {
            continue;
        }
        for combination in combinations(&answers).unwrap_or_default() {
            let kept = edges.iter().filter(|edge| !edge.is_fault && keeps(edge, &combination));
            let finder = Finder { nodes, goes: graph(nodes, kept), ended_loops: &HashMap::default() };
            let is_way_out = |node: &Node<'_, '_>| node.end.is_some() || node.is_unexplored();
            let ways_out = nodes.iter().enumerate().filter(|(_, node)| is_way_out(node)).map(|(index, _)| index);
            let ending = finder.reaching(ways_out);
            let cycles = cyclic(&component, &inner, &combination).into_iter();
            found.extend(cycles.filter(|members| !members.iter().any(|index| ending.contains(index))));
        }
    }
    found
}

fn is_of_person(edge: &Edge) -> bool {
    edge.choice.as_ref().is_some_and(|choice| choice.decision.is_of_person())
}

fn graph<'g>(nodes: &[Node<'_, '_>], edges: impl Iterator<Item = &'g Edge>) -> Graph<'g> {
    let mut graph = DiGraph::with_capacity(nodes.len(), 0);
    for _ in nodes {
        graph.add_node(());
    }
    for edge in edges {
        graph.add_edge(NodeIndex::new(edge.from), NodeIndex::new(edge.to), edge);
    }
    graph
}

/// The cyclic components, and the states without outgoing edges unless they are in `leaving`.
fn components(graph: &Graph<'_>, nodes: &[Node<'_, '_>], leaving: Option<&HashSet<usize>>) -> Vec<Vec<usize>> {
    let is_dead_end = |index: usize| {
        let is_state = |node: &Node<'_, '_>| node.end.is_none() && !node.is_unexplored();
        leaving.is_some_and(|leaving| !leaving.contains(&index)) && nodes.get(index).is_some_and(is_state)
    };
    let components = strongly_connected(graph).into_iter().filter(|component| match component.as_slice() {
        [only] => graph.contains_edge(*only, *only) || is_dead_end(only.index()),
        _ => true,
    });
    components.map(|component| component.into_iter().map(NodeIndex::index).collect()).collect()
}

/// The strongly connected components, each in the order of its states. Their runs may take as many steps as there are
/// states, so nothing may recurse along them as `tarjan_scc` does.
fn strongly_connected<N, E>(graph: &DiGraph<N, E>) -> Vec<Vec<NodeIndex>> {
    let mut components = kosaraju_scc(graph);
    for component in &mut components {
        component.sort_unstable();
    }
    components
}

/// The cycles of a component in which every method returns the same result each time.
fn by_answers(component: &[usize], outgoing: &HashMap<usize, Vec<&Edge>>) -> Vec<Vec<usize>> {
    let inner = inner(component, outgoing);
    let mut answers = answers(&inner);
    answers.retain(|_, results| results.len() > 1);
    match combinations(&answers) {
        Some(combinations) if !answers.is_empty() => {
            combinations.iter().flat_map(|combination| cyclic(component, &inner, combination)).collect()
        }
        _ => vec![component.to_vec()],
    }
}

/// The edges between the states of a component.
fn inner<'e>(component: &[usize], outgoing: &HashMap<usize, Vec<&'e Edge>>) -> Vec<&'e Edge> {
    let members: HashSet<usize> = component.iter().copied().collect();
    let edges = component.iter().filter_map(|index| outgoing.get(index)).flatten();
    edges.filter(|edge| members.contains(&edge.to)).copied().collect()
}

/// By the activity that calls a method, the answers that it gets.
fn answers(edges: &[&Edge]) -> BTreeMap<ActivityId, BTreeSet<usize>> {
    let mut answers: BTreeMap<ActivityId, BTreeSet<usize>> = BTreeMap::new();
    for (activity, result) in edges.iter().filter_map(|edge| answer(edge)) {
        answers.entry(activity).or_default().insert(result);
    }
    answers
}

/// One answer for each activity.
type Combination = BTreeMap<ActivityId, usize>;

/// All combinations of answers; `None` when there are too many.
fn combinations(answers: &BTreeMap<ActivityId, BTreeSet<usize>>) -> Option<Vec<Combination>> {
    let number = answers.values().map(BTreeSet::len).try_fold(1_usize, usize::checked_mul);
    number.filter(|number| *number <= MAX_COMBINATIONS)?;
    let mut combinations = vec![Combination::new()];
    for (activity, results) in answers {
        let more = combinations.iter().flat_map(|known| {
            results.iter().map(|result| {
                let mut combination = known.clone();
                combination.insert(*activity, *result);
                combination
            })
        });
        combinations = more.collect();
    }
    Some(combinations)
}

/// Whether an edge does not give an activity another answer.
fn keeps(edge: &Edge, combination: &Combination) -> bool {
    answer(edge).is_none_or(|(activity, result)| combination.get(&activity).is_none_or(|kept| *kept == result))
}

/// The cyclic parts of a component that are left with a combination of answers.
fn cyclic(component: &[usize], inner: &[&Edge], combination: &Combination) -> Vec<Vec<usize>> {
    let mut graph: DiGraph<usize, ()> = DiGraph::new();
    let places: HashMap<usize, NodeIndex> = component.iter().map(|index| (*index, graph.add_node(*index))).collect();
    for edge in inner.iter().filter(|edge| keeps(edge, combination)) {
        if let (Some(from), Some(to)) = (places.get(&edge.from), places.get(&edge.to)) {
            graph.add_edge(*from, *to, ());
        }
    }
    let cyclic = strongly_connected(&graph).into_iter().filter(|component| match component.as_slice() {
        [only] => graph.contains_edge(*only, *only),
        _ => true,
    });
    cyclic.map(|component| component.into_iter().filter_map(|at| graph.node_weight(at).copied()).collect()).collect()
}

fn answer(edge: &Edge) -> Option<(ActivityId, usize)> {
    let choice = edge.choice.as_ref()?;
    match choice.decision {
        SearchDecision::Returns { number, .. } => Some((choice.activity?, number)),
        _ => None,
    }
}

struct Finder<'f, 'p, 's> {
    nodes: &'f [Node<'p, 's>],
    /// The graph without calls that are made to fail.
    goes: Graph<'f>,
    ended_loops: &'f HashMap<ActivityId, Assumption>,
}

impl Finder<'_, '_, '_> {
    /// All states from which one of these can be reached.
    fn reaching(&self, targets: impl IntoIterator<Item = usize>) -> HashSet<usize> {
        let mut reached: HashSet<usize> = HashSet::default();
        let mut open: Vec<usize> = targets.into_iter().collect();
        while let Some(index) = open.pop() {
            if reached.insert(index) {
                let before = self.goes.neighbors_directed(NodeIndex::new(index), Direction::Incoming);
                open.extend(before.map(NodeIndex::index));
            }
        }
        reached
    }

    /// Adds a cycle, unless a cheaper run leads to an equal one.
    fn add(&self, members: &[usize], ending: &HashSet<usize>, unexplored: &HashSet<usize>, found: &mut Found) {
        let is_ending = members.iter().any(|index| ending.contains(index));
        if !is_ending && members.iter().any(|index| unexplored.contains(index)) {
            return;
        }
        // The loop that makes a cycle is the outermost one whose condition is evaluated on it.
        let place = |index: &usize| self.nodes.get(*index).map(|node| (&node.place, node.cost));
        let by_head = |index: &&usize| {
            place(index).map(|(place, cost)| (!place.is_head, if place.is_head { place.depth } else { 0 }, cost))
        };
        let Some(&node) = members.iter().min_by_key(by_head) else { return };
        let Some((place, cost)) = place(&node) else { return };
        let end = End {
            ending: if is_ending { Ending::Waits } else { Ending::Endless },
            activity: place.activity,
            status: place.status.as_deref().map(without_ids),
        };
        if let Some(sets) = &mut found.sets {
            let is_still =
                self.goes.find_edge(NodeIndex::new(node), NodeIndex::new(node)).is_none() && members.len() == 1;
            sets.add(StateSet { end: end.clone(), members: members.to_vec(), is_still });
        }
        let of_loop = || place.activity.and_then(|id| self.ended_loops.get(&id).copied());
        let of_case = place.is_assumed.then_some(Assumption::Expired);
        let assumed = of_case.or_else(of_loop).filter(|_| !is_ending);
        let rank = |known: &Cycle| (known.assumed.is_some(), self.nodes.get(known.node).map(|node| node.cost));
        let is_better = |known: &Cycle| (assumed.is_some(), Some(cost)) < rank(known);
        let judged = self.nodes.get(node).map(|node| node.judged.clone()).unwrap_or_default();
        if found.cycles.get(&(end.clone(), judged.clone())).is_none_or(is_better) {
            let (round, moves) = self.round(node, members);
            found.cycles.insert((end.clone(), judged), Cycle { end, node, round, moves, assumed });
        }
    }

    /// The choices and moves of a shortest round from a state back to it.
    fn round(&self, node: usize, members: &[usize]) -> (Round, Vec<CycleMove>) {
        let inside: HashSet<usize> = members.iter().copied().collect();
        let mut from: BTreeMap<usize, &Edge> = BTreeMap::new();
        let mut queue = VecDeque::from([node]);
        while let Some(index) = queue.pop_front() {
            let mut edges: Vec<&Edge> = self.goes.edges(NodeIndex::new(index)).map(|edge| *edge.weight()).collect();
            // In the order in which they were found.
            edges.reverse();
            for edge in edges.into_iter().filter(|edge| inside.contains(&edge.to)) {
                if let Entry::Vacant(vacant) = from.entry(edge.to) {
                    vacant.insert(edge);
                    queue.push_back(edge.to);
                }
            }
        }
        let (mut choices, mut moves) = (Vec::new(), Vec::new());
        let mut at = node;
        while let Some(edge) = from.get(&at) {
            choices.extend(edge.choice.clone());
            moves.push(CycleMove { number: edge.number as usize, jump_to: edge.is_jump.then_some(edge.to) });
            at = edge.from;
            if at == node {
                break;
            }
        }
        choices.reverse();
        moves.reverse();
        (choices, moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::search::nodes::Place;

    fn state() -> Node<'static, 'static> {
        Node {
            open: None,
            is_cut: false,
            cost: (0, 0),
            from: None,
            end: None,
            judged: Verdicts::default(),
            place: Place::default(),
            clock: None,
        }
    }

    #[test]
    fn cycle_after_or_of_many_states_is_found() {
        const STATES: usize = 200_000;
        let nodes: Vec<_> = std::iter::repeat_with(state).take(STATES).collect();
        for back_to in [STATES - 1, 0] {
            let edge = |from, to| Edge { from, to, is_fault: false, number: 0, is_jump: false, choice: None };
            let mut edges: Vec<Edge> = (1..STATES).map(|to| edge(to - 1, to)).collect();
            edges.push(edge(STATES - 1, back_to));
            let found: Vec<_> = cycles(&nodes, &edges, true, &HashMap::default(), false)
                .0
                .into_iter()
                .map(|it| (it.end.ending, it.node))
                .collect();
            assert_eq!(found, [(Ending::Endless, back_to)]);
        }
    }
}
