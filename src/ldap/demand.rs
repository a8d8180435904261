//! What a filter asks of an entry: the comparisons that have to be true or false.

use super::Filter;
use super::assertion::MatchingRule;
use super::attribute::Description;
use super::filter::{Item, Node, Test};

/// Demands of all ways together; then only the first alternatives are followed.
const MAX_DEMANDS: usize = 4096;

/// A comparison that has to be true, or false.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demand {
    /// The attribute with its options; `None` for a matching rule that is applied to all attributes.
    pub attribute: Option<String>,
    pub holds: bool,
    /// A value for which it is true; `None` where any value will do, or none is known.
    pub example: Option<String>,
}

impl Filter {
    /// Ways to match: in each, all demands have to be met. Of a filter with more than `max` some are left out.
    pub fn demands(&self, max: usize) -> Vec<Vec<Demand>> {
        self.root.ways(true, max)
    }
}

/// The attribute type that a name stands for, in lower case; `None` of a name that no attribute can have, and of the
/// distinguished name.
pub fn attribute_type(name: &str) -> Option<String> {
    Description::parse(name).filter(|description| !description.is_own_name()).map(|description| description.attribute)
}

impl Node {
    /// The disjunctive normal form, as far as `max` allows. Recurses as deep as the filter is nested.
    fn ways(&self, holds: bool, max: usize) -> Vec<Vec<Demand>> {
        match self {
            Self::Not(node) => node.ways(!holds, max),
            Self::Item(item) => vec![vec![item.demand(holds)]],
            Self::And(nodes) if holds => all(nodes, holds, max),
            Self::Or(nodes) if !holds => all(nodes, holds, max),
            Self::And(nodes) | Self::Or(nodes) => {
                nodes.iter().flat_map(|node| node.ways(holds, max)).take(max).collect()
            }
        }
    }
}

fn all(nodes: &[Node], holds: bool, max: usize) -> Vec<Vec<Demand>> {
    let mut ways: Vec<Vec<Demand>> = vec![Vec::new()];
    for node in nodes {
        let more = node.ways(holds, max);
        let Some(first) = more.first() else { return Vec::new() };
        let demands: usize = ways.iter().map(Vec::len).sum();
        if more.len() == 1 || demands > MAX_DEMANDS {
            for way in &mut ways {
                way.extend(first.iter().cloned());
            }
            continue;
        }
        let joined = ways.iter().flat_map(|way| more.iter().map(move |more| [way.as_slice(), more].concat()));
        ways = joined.take(max).collect();
    }
    ways
}

impl Item {
    fn demand(&self, holds: bool) -> Demand {
        let example = match &self.test {
            Test::Present => None,
            Test::Equal(assertion) | Test::AtLeast(assertion) | Test::AtMost(assertion) => assertion.example(),
            Test::Substrings(parts) => parts.example(),
            Test::Rule(MatchingRule::Unknown, _) => None,
            Test::Rule(_, assertion) => assertion.example(),
        };
        Demand { attribute: self.attribute.as_ref().map(Description::name), holds, example }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each way as a text: `!` before what must be false.
    fn ways(filter: &str) -> Vec<String> {
        let text = |demand: &Demand| {
            let example = demand.example.as_deref().unwrap_or("*");
            let not = if demand.holds { "" } else { "!" };
            format!("{not}{}={example}", demand.attribute.as_deref().unwrap_or_default())
        };
        let ways = Filter::parse(filter).unwrap().demands(8);
        ways.iter().map(|way| way.iter().map(text).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn ways_are_the_disjunctive_normal_form() {
        assert_eq!(ways("(&(a=1)(!(b=2)))"), ["a=1 !b=2"]);
        assert_eq!(ways("(|(a=1)(b=*x*y))"), ["a=1", "b=xy"]);
        assert_eq!(ways("(!(&(a=*)(b>=2)))"), ["!a=*", "!b=2"]);
        assert_eq!(ways("(!(|(a=1)(b=2)))"), ["!a=1 !b=2"]);
        assert_eq!(ways("(&(|(a=1)(a=2))(|(b=1)(b=2)))"), ["a=1 b=1", "a=1 b=2", "a=2 b=1", "a=2 b=2"]);
        assert_eq!(ways("(&)"), [""]);
        assert_eq!(ways("(|)"), [""; 0]);
        assert_eq!(ways("(uac:1.2.840.113556.1.4.803:=2)"), ["uac=2"]);
    }

    #[test]
    fn many_alternatives_are_cut_off() {
        let either = "(|(a=1)(a=2)(a=3)(a=4))";
        let filter = Filter::parse(&format!("(&{})", either.repeat(5000))).unwrap();
        assert_eq!(filter.demands(64).len(), 64);
    }
}
