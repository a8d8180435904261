//! The limits that docs/limits.md promises: the numbers are those of the code. What is huge, deep, many or long is tested
//! to neither crash nor hang, and to say what was not looked at.

mod analysis;
mod dense;
mod exploring;
mod files;
mod redaction;
mod scripts;
mod simulation;
mod suggestions;
mod taint;

use std::collections::BTreeMap;

use wflint::common::limits;

#[test]
fn numbers_of_the_page_are_those_of_the_code() {
    let page = include_str!("../../docs/limits.md");
    let rows = page.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| ")?.split('|').map(str::trim);
        let (what, limit) = (cells.next()?, cells.next()?);
        Some((what, limit.split(' ').next()?.parse::<f64>().ok()?))
    });
    let numbers: [(&str, f64); 21] = [
        ("Document", f64::from(limits::MAX_FILE_MIB)),
        ("Part of a larger file that is searched for the keys of a document", f64::from(limits::MAX_SEARCHED_MIB)),
        ("Nesting of a document", exact(limits::MAX_DEPTH)),
        ("Values of a document", exact(limits::max_values(0))),
        ("Objects of a document", exact(limits::max_objects(0))),
        ("Baseline, directory file", f64::from(limits::MAX_FILE_MIB)),
        ("Configuration, catalog, scenario, ignore file", exact(limits::MAX_SMALL_FILE_BYTES >> 20)),
        ("States that are kept apart at one activity", exact(limits::MAX_STATES)),
        ("Facts in the states of one workflow", exact(limits::MAX_FACTS)),
        ("Those that are held at one time", exact(limits::max_held_facts(0))),
        ("Steps of any other search in one workflow or service", exact(limits::MAX_SEARCH_STEPS)),
        ("Cells that are compared for suggestions", exact(usize::try_from(limits::MAX_COMPARED_CELLS).unwrap())),
        ("Listed findings of one rule in one service", exact(limits::MAX_FINDINGS)),
        ("Script", exact(limits::MAX_SCRIPT_BYTES >> 20)),
        ("Variables of a script", exact(limits::MAX_VARIABLE_BYTES >> 20)),
        ("Memory of a script", exact(limits::MAX_SCRIPT_MEMORY >> 20)),
        ("Steps of a script for each second of `script-seconds`, in units of 10,000", limits::SCRIPT_POLLS_PER_SECOND),
        ("Scripts of one service, or of one run", f64::from(limits::SCRIPTS_PER_SERVICE)),
        ("Steps of a simulated run", exact(usize::try_from(limits::MAX_RUN_STEPS).unwrap())),
        ("Virtual time of a simulated run", exact(usize::try_from(limits::MAX_RUN_DAYS).unwrap())),
        ("States of a service that are explored", exact(limits::MAX_EXPLORED_STATES)),
    ];
    let text = |(what, number): (&'static str, f64)| (what, number.to_string());
    assert_eq!(rows.map(text).collect::<BTreeMap<_, _>>(), numbers.map(text).into_iter().collect());
}

fn exact(number: usize) -> f64 {
    u32::try_from(number).unwrap().into()
}
