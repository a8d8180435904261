//! No file uses itself through others.

use std::collections::BTreeMap;
use std::fmt::Write;

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;

use super::known;
use super::sources::{Module, Sources};

struct Circle {
    files: Vec<String>,
    /// The lines that make it.
    uses: String,
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let found = circles(&Sources::read());
    let is_inside = |circle: &Circle, known: &[&str]| circle.files.iter().all(|file| known.contains(&file.as_str()));
    let mut complaints = String::new();
    for circle in &found {
        if !known::CIRCLES.iter().any(|known| is_inside(circle, known)) {
            let _ = writeln!(complaints, "circle of {}:\n{}", circle.files.join(", "), circle.uses);
        }
    }
    for known in known::CIRCLES {
        if !found.iter().any(|circle| is_inside(circle, known)) {
            let _ = writeln!(complaints, "no circle any more, remove it from the list: {known:?}");
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
}

/// The strongly connected components of more than one file.
fn circles(sources: &Sources) -> Vec<Circle> {
    let mut graph = DiGraph::<&Module, ()>::new();
    let nodes: BTreeMap<_, _> = sources.files.keys().map(|module| (module, graph.add_node(module))).collect();
    for (module, node) in &nodes {
        for used in sources.uses(module) {
            graph.update_edge(*node, nodes[&used.target], ());
        }
    }
    let mut circles: Vec<Circle> = tarjan_scc(&graph)
        .into_iter()
        .filter(|component| component.len() > 1)
        .map(|component| circle(sources, component.into_iter().map(|node| graph[node]).collect()))
        .collect();
    circles.sort_by(|one, other| one.files.cmp(&other.files));
    circles
}

fn circle(sources: &Sources, mut modules: Vec<&Module>) -> Circle {
    modules.sort_by_key(|module| &sources.files[*module].name);
    let mut uses = String::new();
    for module in &modules {
        for used in sources.uses(module).iter().filter(|used| modules.contains(&&used.target)) {
            let target = &sources.files[&used.target].name;
            let _ =
                writeln!(uses, "  src/{}:{}: `{}` is in {target}", sources.files[*module].name, used.line, used.path);
        }
    }
    Circle { files: modules.iter().map(|module| sources.files[*module].name.clone()).collect(), uses }
}

#[test]
fn circles_are_found_through_reexports_and_not_through_declarations() {
    let found = |files: &[(&str, &str)]| {
        let sources = Sources::from_texts(files.iter().map(|(name, text)| (name.into(), (*text).to_owned())));
        circles(&sources).into_iter().map(|circle| circle.files.join(" ")).collect::<Vec<_>>()
    };
    let root = ("lib.rs", "mod a;");
    assert_eq!(found(&[root, ("a/mod.rs", "mod b; pub use b::B;"), ("a/b.rs", "use super::C;")]), [""; 0]);
    assert_eq!(
        found(&[root, ("a/mod.rs", "mod b; pub use b::B; fn f(_: B) {}"), ("a/b.rs", "use super::f;")]),
        ["a/b.rs a/mod.rs"]
    );
    assert_eq!(
        found(&[
            root,
            ("a/mod.rs", "mod b; mod c; pub use b::B; pub use c::C;"),
            ("a/b.rs", "use super::C;"),
            ("a/c.rs", "use super::b; fn f() { b::g() }")
        ]),
        ["a/b.rs a/c.rs"]
    );
    assert_eq!(found(&[root, ("a.rs", "mod b; fn f() { b::g() }"), ("a/b.rs", "// super::f\nfn g() {}")]), [""; 0]);
}
