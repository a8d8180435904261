//! Mistakes that rules have fixes for: a negated flag, an id or a name from elsewhere.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use super::tree::Tree;

/// The keys whose values are changed.
const MEMBERS: [&str; 11] = [
    "boundTo",
    "boundToId",
    "isBound",
    "isBoundToSystemVariable",
    "isSystemVariable",
    "required",
    "isAdditional",
    "realId",
    "methodId",
    "id",
    "state",
];

/// A mistake in the value of one of these keys.
#[derive(Debug, Clone)]
pub enum Slip {
    /// The value of another such key.
    Other(Index, Index),
    /// A negated flag, another number, a name with an additional letter.
    Changed(Index),
}

/// One to eight mistakes.
pub fn slips() -> impl Strategy<Value = Vec<Slip>> {
    let one = || any::<Index>();
    let slip = prop_oneof![(one(), one()).prop_map(|(at, from)| Slip::Other(at, from)), one().prop_map(Slip::Changed),];
    vec(slip, 1..=8)
}

impl Slip {
    /// Applies the mistake; a document without such keys stays unchanged.
    pub fn apply(&self, document: &mut Tree) {
        let places = places(document);
        let (Self::Other(at, _) | Self::Changed(at)) = self;
        if places.is_empty() {
            return;
        }
        let (number, name) = &places[at.index(places.len())];
        let Some(old) = value(document, *number) else { return };
        let new = match self {
            Self::Other(_, from) => {
                let alike: Vec<usize> =
                    places.iter().filter(|(_, other)| other == name).map(|(number, _)| *number).collect();
                value(document, alike[from.index(alike.len())]).unwrap_or(old)
            }
            Self::Changed(_) => changed(old),
        };
        if let Some((holder, index)) = document.slot(*number) {
            *holder.child(index).unwrap() = new;
        }
    }
}

fn changed(old: Tree) -> Tree {
    match old {
        Tree::Plain(flag) if flag == "true" => Tree::plain(false),
        Tree::Plain(flag) if flag == "false" => Tree::plain(true),
        Tree::Plain(number) => Tree::plain(number.parse::<i64>().map_or(7, |number| number + 7_000_000)),
        Tree::Text(state) if state == "bound" => Tree::text("static"),
        Tree::Text(state) if state == "static" => Tree::text("bound"),
        Tree::Text(name) => Tree::text(name + "x"),
        other => other,
    }
}

/// The slots of these keys, each with its name.
fn places(document: &mut Tree) -> Vec<(usize, String)> {
    let mut places = Vec::new();
    for number in 0..document.slots() {
        if let Some((Tree::Object(members), index)) = document.slot(number)
            && MEMBERS.contains(&members[index].0.as_str())
        {
            places.push((number, members[index].0.clone()));
        }
    }
    places
}

fn value(document: &mut Tree, number: usize) -> Option<Tree> {
    let (holder, index) = document.slot(number)?;
    holder.child(index).cloned()
}
