//! Which knowledge of a variable can still be of use at a point: paths that differ in nothing else
//! are one.

use petgraph::Direction;
use petgraph::graph::NodeIndex;

use super::control::{ControlFlow, Step};
use super::effects::{Effects, Names, VarId, Written};
use super::state::State;

/// Tables of more entries than this are not made; everything then counts as of use.
const LARGEST: usize = 16_000_000;

/// By point and variable: whether a read, or a condition, can come later.
#[derive(Debug)]
pub struct Liveness {
    variables: usize,
    read_later: Vec<bool>,
    tested_later: Vec<bool>,
    /// Names sorted, for variables by prefix.
    by_name: Vec<(String, VarId)>,
}

impl Liveness {
    /// The tables of a workflow.
    pub fn new(control: &ControlFlow, names: &Names<'_>, effects: &[Effects<'_>]) -> Self {
        let variables = names.len();
        let points = control.graph.node_count();
        let mut by_name: Vec<_> = names.ids().map(|id| (names.name(id).to_owned(), id)).collect();
        by_name.sort();
        let mut found = Self { variables, read_later: Vec::new(), tested_later: Vec::new(), by_name };
        if variables.saturating_mul(points) > LARGEST {
            return found;
        }
        let (reads, tests) = uses(control, effects);
        found.read_later = backwards(control, variables, &reads);
        found.tested_later = backwards(control, variables, &tests);
        found
    }

    /// Drops from a state what is of no use from a point on.
    pub fn prune(&self, point: NodeIndex, state: &mut State) {
        let row = point.index() * self.variables;
        let of_use = |table: &[bool], id: VarId| table.get(row + id.0 as usize).copied().unwrap_or(true);
        state.prune(|id| of_use(&self.read_later, id), |id| of_use(&self.tested_later, id));
    }

    /// The variables whose names begin so.
    pub fn variables_beginning<'s>(&'s self, prefix: &'s str) -> impl Iterator<Item = VarId> + 's {
        let first = self.by_name.partition_point(|(name, _)| name.as_str() < prefix);
        let rest = self.by_name.get(first..).unwrap_or_default();
        rest.iter().take_while(move |(name, _)| name.starts_with(prefix)).map(|(_, id)| *id)
    }
}

type Uses = Vec<(NodeIndex, VarId)>;

/// Where variables are read, and where their values decide a condition, possibly as copies.
fn uses(control: &ControlFlow, effects: &[Effects<'_>]) -> (Uses, Uses) {
    let (mut reads, mut tests) = (Uses::new(), Uses::new());
    for point in control.graph.node_indices() {
        let Some(&Step::Run(id)) = control.graph.node_weight(point) else { continue };
        let Some(effects) = effects.get(id.0 as usize) else { continue };
        reads.extend(effects.reads.iter().map(|read| (point, read.variable)));
        tests.extend(effects.condition.iter().flat_map(super::effects::Condition::variables).map(|id| (point, id)));
        tests.extend(effects.writes.iter().filter_map(|write| match write.value {
            Written::Copy(from) => Some((point, from)),
            _ => None,
        }));
    }
    (reads, tests)
}

/// Marks, for each use, every point from which it can be reached.
fn backwards(control: &ControlFlow, variables: usize, uses: &Uses) -> Vec<bool> {
    let mut table = vec![false; variables * control.graph.node_count()];
    let mut open: Uses = Vec::new();
    let mut mark = |point: NodeIndex, id: VarId, open: &mut Uses| {
        if let Some(entry) = table.get_mut(point.index() * variables + id.0 as usize)
            && !std::mem::replace(entry, true)
        {
            open.push((point, id));
        }
    };
    for &(point, id) in uses {
        mark(point, id, &mut open);
    }
    while let Some((point, id)) = open.pop() {
        for before in control.graph.neighbors_directed(point, Direction::Incoming) {
            mark(before, id, &mut open);
        }
    }
    table
}
