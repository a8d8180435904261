//! What the page of `wflint report` says to people who do not know wflint: nothing that is wrong or unexplained.

use serde_json::Value;

use crate::support::folder::{Folder, copy_of};
use crate::support::git::git;

/// The page about a folder, without the data of its script.
fn page(folder: &Folder, args: &[&str]) -> String {
    folder.run(&[&["report", "--output", "out.html"], args].concat()).expect_code(0);
    let page = folder.read("out.html");
    page.split_once("<script").expect("a script").0.to_owned()
}

/// The words of a piece of HTML.
fn words(html: &str) -> String {
    let texts = html.split('<').filter_map(|part| Some(part.split_once('>')?.1));
    texts.collect::<String>().replace("&quot;", "\"").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words of what follows the first of something, up to the next `end`.
#[track_caller]
fn after(page: &str, start: &str, end: &str) -> String {
    let (_, rest) = page.split_once(start).unwrap_or_else(|| panic!("no {start}"));
    words(&format!("<{}", rest.split_once(end).map_or(rest, |(part, _)| part)))
}

#[test]
fn law_that_holds_says_what_was_not_looked_at() {
    for (service, unseen) in [("lease", "is never false (a sampled value)"), ("travel", "(an unknown type)")] {
        let text = page(&copy_of(&format!("tests/corpus/first/{service}")), &[]);
        assert!(text.contains("data-law=\"reached\" data-holds=\"true\""), "{service}");
        let law = after(&text, "data-law=\"reached\"", "</li>");
        assert!(law.contains("holds in part") && law.contains("but for what was not looked at: "), "{law}");
        assert!(law.contains(unseen), "{law}");
    }
    let whole = page(&copy_of("examples/sign-upload"), &[]);
    assert!(!whole.contains("holds in part"), "everything is reached");
}

#[test]
fn endless_end_after_a_choice_names_the_choice() {
    let text = page(&copy_of("tests/corpus/first/lease"), &[]);
    let hang = after(&text, "Can it hang?</a>", "</dd>");
    assert!(hang.contains("an order never ends after this: ") && hang.contains("rejects"), "{hang}");
    assert!(!text.contains("whatever people do") && !text.contains("by itself"), "it depends on choices");
    let law = after(&text, "data-law=\"ends\"", "</li>");
    assert!(law.contains("can still come to an end, also to a failing one"), "{law}");
}

#[test]
fn changes_are_counted_and_in_words() {
    let folder = copy_of("examples/approval");
    git(&folder, &["init", "--quiet"]);
    git(&folder, &["add", "--all"]);
    git(&folder, &["commit", "--quiet", "--message", "First"]);
    git(&folder, &["tag", "v1"]);
    let workflow = folder.read("order.workflow.json");
    let changed = workflow.replacen("345600", "432000", 1);
    assert_ne!(workflow, changed);
    folder.write("order.workflow.json", changed);
    let text = page(&folder, &["--since", "v1"]);
    let part = after(&text, "data-part=\"changes\"", "</section>");
    assert!(part.contains("Since v1: 1 change."), "{part}");
    assert!(part.contains("changed: ") && part.contains("timeout 4 days → 5 days"), "{part}");
    assert!(!part.contains("~ ") && !part.contains("= "), "{part}");
    assert!(words(&text).contains("Changes since v1"), "a column of the overview");
    assert!(after(&text, "data-label=\"Changes\"", "</td>").contains("1 change"), "in the overview");
    // A timeout of 0 is none: the opposite of a short one.
    folder.write("order.workflow.json", workflow.replacen("345600", "0", 1));
    let text = page(&folder, &["--since", "v1"]);
    let part = after(&text, "data-part=\"changes\"", "</section>");
    assert!(part.contains("timeout 4 days → no limit (waits forever)"), "{part}");
    folder.write("order.workflow.json", workflow);
    let text = page(&folder, &["--since", "v1"]);
    assert!(after(&text, "data-part=\"changes\"", "</section>").contains("Since v1: nothing."));
}

#[test]
fn revision_is_looked_up_in_the_repository_of_the_path() {
    for is_inside in [false, true] {
        let folder = copy_of("examples");
        let own = folder.path().join("approval").display().to_string();
        if is_inside {
            git(&folder, &["init", "--quiet"]);
        }
        git(&folder, &["init", "--quiet", &own]);
        git(&folder, &["-C", &own, "add", "--all"]);
        git(&folder, &["-C", &own, "commit", "--quiet", "--message", "First"]);
        git(&folder, &["-C", &own, "tag", "v1"]);
        let name = "approval/order.workflow.json";
        folder.write(name, folder.read(name).replacen("345600", "432000", 1));
        for path in ["approval", name] {
            let text = page(&folder, &[path, "--since", "v1"]);
            assert!(after(&text, "data-part=\"changes\"", "</section>").contains("Since v1: 1 change."), "{path}");
            let ran = folder.run(&["diff", "--no-explore", &format!("v1:./{path}")]).expect_code(1);
            assert!(ran.out().contains("timeout"), "{}", ran.out());
        }
        let ran = folder.run(&["diff", "v2:./approval"]).expect_code(2);
        assert!(!ran.err().is_empty());
    }
}

#[test]
fn words_are_explained() {
    let text = page(&copy_of("examples/sign-upload"), &[]);
    let ends = after(&text, "data-part=\"ends\"", "</section>");
    assert!(ends.contains("People, addresses and values in these runs are made up."), "{ends}");
    for service in ["first/travel", "first/lease", "broken/copied-service"] {
        let text = page(&copy_of(&format!("tests/corpus/{service}")), &[]);
        let shown = text.replace("<pre", "<pre ");
        assert!(!after(&shown, "<tbody", "</tbody>").contains('`'), "{service}: names in the overview are code");
        assert!(
            !words(&text).contains("(assumes A") || text.contains("//assumptions\">assumes A"),
            "{service}: a link"
        );
        for number in text.split("//assumptions\">assumes ").skip(1).filter_map(|part| part.split('<').next()) {
            let listed = after(&text, "data-part=\"assumptions\"", "</section>");
            assert!(listed.contains(&format!("{number}: ")), "{service} states {number}: {listed}");
        }
    }
}

#[test]
fn marks_of_the_drawing_have_the_whole_message() {
    let text = page(&copy_of("examples/broken"), &[]);
    let marks: Vec<&str> = text.split("<g><title>").skip(1).collect();
    assert!(marks.len() > 4, "{}", marks.len());
    for mark in marks {
        let (title, rest) = mark.split_once("</title>").unwrap();
        let shown = after(rest, "wf-code-text", "</g>");
        let start = shown.trim_end_matches('…');
        assert!(!shown.contains('`'), "{shown}");
        assert!(
            title.replace('`', "").replace("&quot;", "\"").starts_with(start) || shown.ends_with(" more"),
            "{title}: {shown}"
        );
    }
}

#[test]
fn ends_name_every_decision_that_leads_to_them() {
    for (service, way) in [
        ("approval", "never acts; or Approval is rejected"),
        ("mailbox", "rejects; or Manager approval is not answered in time"),
    ] {
        let text = page(&copy_of(&format!("examples/{service}")), &[]);
        let end = after(&text, "data-outcome=\"terminated\"", "</li>");
        assert!(end.contains(way), "{service}: {end}");
        let done = after(&text, "data-outcome=\"completed\"", "</li>");
        assert!(!done.contains("; or "), "only an approval leads there: {done}");
    }
}

#[test]
fn hanging_is_on_people_who_exist() {
    let text = page(&copy_of("examples/sign-directory"), &[]);
    let hang = after(&text, "Can it hang?</a>", "</dd>");
    assert!(hang.contains("waits forever without an answer from the user Requester"), "{hang}");
    assert!(!hang.contains('@'), "made-up addresses are nobody's: {hang}");
}

#[test]
fn scenarios_cover_only_the_ends_on_whose_way_they_were() {
    let folder = copy_of("examples/mailbox");
    let workflow = folder.read("order.workflow.json");
    let changed =
        workflow.replacen("Mailbox {MailboxAddress} is ready", "Mailbox {MailboxAddress} is ready: {Reason}", 1);
    assert_ne!(workflow, changed);
    folder.write("order.workflow.json", changed);
    let text = page(&folder, &[]);
    let ends: Vec<String> =
        text.split("data-outcome=\"completed\"").skip(1).map(|end| after(end, "", "</li>")).collect();
    let covered: Vec<bool> = ends.iter().map(|end| !end.contains("no scenario")).collect();
    assert_eq!((ends.len(), covered.iter().filter(|it| **it).count()), (2, 1), "{ends:?}");
    for (end, is_covered) in ends.iter().zip(covered) {
        assert_ne!(end.contains("Reason is empty"), is_covered, "the scenario fills it in: {end}");
        assert!(end.contains("The mailbox is ready after the second look failed"), "its status is another: {end}");
    }
}

#[test]
fn scenario_that_cannot_be_run_is_counted_in_its_service_with_the_reason() {
    let folder = copy_of("examples/sign-upload");
    let broken = "name: Refuses\nworkflow: order.workflow.json\nform: order.form.json\nsubmitt: {}\n";
    folder.write("refuses.scenario.yaml", broken);
    let text = page(&folder, &["--no-explore"]);
    assert!(after(&text, "Is it tested?</a>", "</dd>").contains("5 of 6 pass, 1 could not be run"), "at a glance");
    assert!(after(&text, "data-label=\"Scenarios\"", "</td>").contains("5 of 6 pass"), "in the overview");
    let part = after(&text, "data-part=\"scenarios\"", "</section>");
    assert!(part.contains("refuses.scenario.yaml") && part.contains("line 4: unknown key submitt"), "{part}");
    // A name that only the documents show to be wrong, in a scenario beside another workflow.
    folder.write("refuses.scenario.yaml", broken.replace("submitt: {}", "variables: { Nobody: x }"));
    let text = page(&folder, &["--no-explore"]);
    assert!(
        after(&text, "data-part=\"scenarios\"", "</section>").contains("refuses.scenario.yamlIt could not be run: ")
    );
}

#[test]
fn what_the_answer_to_can_it_hang_rests_on_is_said() {
    let folder = copy_of("examples");
    let name = "approval/order.workflow.json";
    let workflow = folder.read(name);
    for (seconds, number, said) in [("345600", "A29", "are seconds"), ("0", "A30", "never times out")] {
        folder.write(name, workflow.replacen("345600", seconds, 1));
        let text = page(&folder, &["approval"]);
        let hang = after(&text, "Can it hang?</a>", "</dd>");
        assert!(hang.contains("rests on A") && hang.contains(number), "{number}: {hang}");
        let listed = after(&text, "data-part=\"assumptions\"", "</section>");
        assert!(listed.contains(&format!("{number}: ")) && listed.contains(said), "{listed}");
    }
}

#[test]
fn only_names_are_in_code_style_whatever_backticks_documents_have() {
    let folder = copy_of("examples/sign-upload");
    for (name, old, new) in [
        ("order.workflow.json", "\"Publish rejection\"", "\"Say `odd1` now\""),
        ("order.workflow.json", "\"Document was rejected\"", "\"Ask `odd2` or `odd3`\""),
        ("order.workflow.json", "Document status - ", "At `odd4` - "),
        ("order.form.json", "\"en-US\": \"Mail address\"", "\"en-US\": \"Mail `odd5`\""),
        ("signed.scenario.yaml", "name: ", "name: run `odd6` "),
    ] {
        let text = folder.read(name);
        assert!(text.contains(old), "{old}");
        folder.write(name, text.replace(old, new));
    }
    folder.run(&["report", "--output", "out.html"]).expect_code(0);
    let whole = folder.read("out.html");
    let (page, _) = whole.split_once("<script").unwrap();
    let is_odd = |text: &str| (1..=6).any(|number| text == format!("odd{number}"));
    let codes = page.split("<code").skip(1).filter_map(|code| Some(code.split_once('>')?.1.split_once('<')?.0));
    assert_eq!(codes.filter(|code| is_odd(code)).count(), 0);
    for number in 1..=6 {
        assert!(page.contains(&format!("odd{number}")), "odd{number} is shown");
    }
    assert!(page.contains("Ask `odd2` or `odd3`"), "a status as users see it");
    // The script makes names of what is in backticks, too: of sentences, not of values.
    let (_, data) = whole.split_once("id=\"wflint-data\">").unwrap();
    let data: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    let service = &data["services"][0];
    let said = service["events"].as_array().unwrap().iter().map(|event| event[1].as_u64().unwrap());
    for index in said {
        let text = service["texts"][usize::try_from(index).unwrap()].as_str().unwrap();
        assert!(!text.split('`').skip(1).step_by(2).any(is_odd), "{text}");
    }
}

#[test]
fn other_decisions_that_come_to_an_end_are_told_whatever_is_embedded() {
    let folder = copy_of("examples/approval");
    let text = folder.read("order.workflow.json");
    let mut workflow: Value = serde_json::from_str(&text).unwrap();
    // Whatever is decided, the order goes on.
    workflow["activities"].as_array_mut().unwrap().retain(|activity| activity["type"] != "If");
    folder.write("order.workflow.json", workflow.to_string());
    let ends = |args: &[&str]| after(&page(&folder, args), "data-part=\"ends\"", "</section>");
    let all = ends(&[]);
    assert!(all.contains("; or Approval is "), "{all}");
    assert_eq!(ends(&["--embed-states", "0"]), all, "also without states for \"Try it\"");
}
