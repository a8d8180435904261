//! The similarity of two items.

use super::members::{MemberPair, by_key};
use super::tree::{Item, Tree};
use crate::collections::HashMap;

/// The maximum number of siblings, on each side, that are compared with each other.
const MAX_COMPARED: usize = 64;

/// The pairs of similar items of one type, the most similar first. Each item is in at most one pair.
pub(super) fn alike(old: (&Tree<'_>, &[usize]), new: (&Tree<'_>, &[usize])) -> Vec<(usize, usize)> {
    let mut scored = Vec::new();
    for (at, &one) in old.1.iter().take(MAX_COMPARED).enumerate() {
        for (place, &other) in new.1.iter().take(MAX_COMPARED).enumerate() {
            let (Some(old_item), Some(new_item)) = (old.0.item(one), new.0.item(other)) else { continue };
            if old_item.type_name != new_item.type_name {
                continue;
            }
            let (equal, all) = likeness((old.0, one, old_item), (new.0, other, new_item));
            if equal * 2 > all || all == 0 {
                // Parts of a million, so that scores have an order.
                let score = (equal * 1_000_000).checked_div(all).unwrap_or(1_000_000);
                scored.push((std::cmp::Reverse(score), at.abs_diff(place), at + place, at, one, other));
            }
        }
    }
    scored.sort_unstable();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (_, _, _, _, one, other) in scored {
        if !pairs.iter().any(|pair| pair.0 == one || pair.1 == other) {
            pairs.push((one, other));
        }
    }
    pairs
}

/// The number of equal members and children, and the number of all. Children are compared by name and type.
fn likeness(
    (old_tree, old_index, old): (&Tree<'_>, usize, &Item<'_>),
    (new_tree, new_index, new): (&Tree<'_>, usize, &Item<'_>),
) -> (usize, usize) {
    let pairs = by_key(&old.members, &new.members);
    let is_equal = |(old, new): &MemberPair<'_, '_>| old.map(|member| member.value) == new.map(|member| member.value);
    let members = pairs.iter().filter(|pair| is_equal(pair)).count();
    let mut children: HashMap<(Option<&str>, Option<&str>), usize> = HashMap::default();
    let (of_old, of_new) = (|| old_tree.children(Some(old_index)), || new_tree.children(Some(new_index)));
    for child in of_old().filter_map(|child| old_tree.item(child)) {
        *children.entry((child.type_name, child.name)).or_default() += 1;
    }
    let found = of_new().filter_map(|child| new_tree.item(child)).filter(|child| {
        match children.get_mut(&(child.type_name, child.name)) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        }
    });
    let found = found.count();
    (members + found, pairs.len() + of_old().count().max(of_new().count()))
}
