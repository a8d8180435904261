//! Which rules report, where, and with which severity.

use std::cmp::Reverse;
use std::path::Path;

use crate::config::{Config, Placed, RootedPatterns, is_selected_by_code, selectors, unknown_selector};
use crate::rules::{Preset, REGISTRY, Rule, own_rules};
use crate::text::diagnostic::{Diagnostic, Severity};

/// A choice of rules on the command line; the last one that names a rule wins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    Select(String),
    Ignore(String),
}

/// The selection of one configuration and the command line.
#[derive(Debug)]
pub(super) struct Filter {
    /// Those of wflint, then the user's own.
    rules: Vec<&'static Rule>,
    /// The least severity of each rule's findings that are reported; `None` if the rule is off.
    least: Levels,
    /// `None` for the rule's own severity.
    severity: Levels,
    /// The rules of each entry of `[per-file-ignores]`, by selector.
    per_file: Vec<Vec<RuleSet>>,
    /// The patterns of these entries, with their indices.
    patterns: RootedPatterns<usize>,
    /// Why the options of the command line leave no rule.
    no_rule_left: Option<String>,
}

/// Rules by their index in [`Filter::rules`].
type RuleSet = Vec<bool>;

/// Severities of rules by their index in [`Filter::rules`].
type Levels = Vec<Option<Severity>>;

/// A selector in `[per-file-ignores]`: the index of its entry, and its own in the entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SelectorIndex {
    pub entry: usize,
    pub selector: usize,
}

impl Filter {
    /// `elsewhere` are the selectors of the user's own rules in other configurations: choices may name them.
    pub fn new(config: &Config, choices: &[Choice], elsewhere: &[&str]) -> Result<Self, String> {
        let known = KnownRules::new(config);
        let severity = known.severities()?;
        let mut least = known.enabled(&severity)?;
        // `--select` replaces the `select` of the configuration; all other choices are added.
        let has_select_option = choices.iter().any(|choice| matches!(choice, Choice::Select(_)));
        if has_select_option {
            least.fill(None);
        }
        for choice in choices {
            match choice {
                Choice::Select(selector) => known.enable(&mut least, selector, &severity, elsewhere)?,
                Choice::Ignore(selector) => set(&mut least, &known.matching(selector, elsewhere)?, None),
            }
        }
        // What another configuration has is no reason to fail here.
        let names_others = choices.iter().any(|choice| {
            matches!(choice, Choice::Select(selector) if elsewhere.iter().any(|own| is_own_selector(own, selector)))
        });
        let has_no_rule = has_none(&least) && !names_others;
        let no_rule_left = has_no_rule.then(|| no_rule_left(config, has_select_option));
        let mut per_file = Vec::new();
        for ignore in &config.per_file_ignores {
            per_file.push(known.matching_all(&ignore.selectors)?);
        }
        let patterns = config.per_file_ignores.iter().enumerate();
        let patterns = patterns
            .map(|(index, ignore)| (config.folder_of(ignore.pattern.place), ignore.pattern.value.as_str(), index));
        let patterns = RootedPatterns::with_folders(patterns);
        Ok(Self { rules: known.rules, least, severity, per_file, patterns, no_rule_left })
    }

    /// Fails when the options leave no rule: a run that finds nothing then has looked for nothing.
    pub fn check_rules(&self) -> Result<(), String> {
        self.no_rule_left.clone().map_or(Ok(()), Err)
    }

    /// The least severity of a rule's findings that are reported in a file, see [`Self::severity`]; `None` if none are.
    /// Each selector of `[per-file-ignores]` that excludes them is passed to `ignored`.
    pub fn least(&self, code: &str, path: &Path, mut ignored: impl FnMut(SelectorIndex)) -> Option<Severity> {
        let Some(index) = self.index_of(code).filter(|_| !is_always_reported(code)) else {
            return Some(Severity::Info);
        };
        let mut least = self.least.get(index).copied().flatten();
        for entry in self.patterns.matching(path) {
            let selectors = self.per_file.get(entry).into_iter().flatten().enumerate();
            for (selector, _) in selectors.filter(|(_, rules)| is_set(rules, index)) {
                ignored(SelectorIndex { entry, selector });
                least = None;
            }
        }
        least
    }

    /// Whether all findings of a rule are reported in a file, so that one that is not has gone.
    pub fn reports_all(&self, code: &str, path: &Path) -> bool {
        let rule = self.index_of(code).and_then(|index| self.rules.get(index));
        let Some((rule, least)) = rule.zip(self.least(code, path, |_| {})) else { return false };
        rule.severities().all(|own| self.severity(code).map_or(own, |set| set.max(own)) >= least)
    }

    /// Whether a selector of `[per-file-ignores]` matches enabled rules, and no others but those outside of the default.
    pub fn enables_all_of(&self, index: SelectorIndex) -> bool {
        let Some(rules) = self.per_file.get(index.entry).and_then(|entry| entry.get(index.selector)) else {
            return false;
        };
        let matched = || self.least.iter().zip(&self.rules).zip(rules).filter(|(_, is_ignored)| **is_ignored);
        let is_on = |((least, _), _): &((&Option<Severity>, &&Rule), &bool)| least.is_some();
        matched().any(|it| is_on(&it)) && matched().all(|it| is_on(&it) || !Preset::Recommended.contains(it.0.1))
    }

    pub fn set_severity(&self, diagnostic: &mut Diagnostic) {
        diagnostic.severity = self.severity(diagnostic.code).unwrap_or(diagnostic.severity);
    }

    /// The severity that replaces that of a rule.
    pub fn severity(&self, code: &str) -> Option<Severity> {
        let index = self.index_of(code).filter(|_| !is_always_reported(code))?;
        self.severity.get(index).copied().flatten()
    }

    /// Whether a rule is on, in some files at least.
    pub fn is_on(&self, code: &str) -> bool {
        self.index_of(code).and_then(|index| self.least.get(index)).is_some_and(Option::is_some)
    }

    /// The rule with this code or name.
    pub fn rule(&self, word: &str) -> Option<&'static Rule> {
        self.rules.iter().copied().find(|rule| [rule.code, rule.name].contains(&word))
    }

    fn index_of(&self, code: &str) -> Option<usize> {
        self.rules.iter().position(|rule| rule.code == code)
    }
}

/// Checks the rules that a configuration and the command line select.
///
/// # Errors
/// A selector that matches no rule, with its place; or no rule is left.
pub fn check_selection(config: &Config, choices: &[Choice], elsewhere: &[&str]) -> Result<(), String> {
    Filter::new(config, choices, elsewhere)?.check_rules()
}

/// A configuration with the rules that it knows.
struct KnownRules<'c> {
    config: &'c Config,
    rules: Vec<&'static Rule>,
    /// The selectors of the user's own.
    own: Vec<&'static str>,
}

impl<'c> KnownRules<'c> {
    fn new(config: &'c Config) -> Self {
        let rules = REGISTRY.iter().chain(own_rules(config)).collect();
        Self { config, rules, own: selectors(&config.own_rules) }
    }

    /// The rules that a configuration enables. None is an error: such a run would pass whatever the documents hold.
    fn enabled(&self, severity: &Levels) -> Result<Levels, String> {
        let config = self.config;
        let mut least = vec![None; self.rules.len()];
        match &config.select {
            None => self.enable(&mut least, Preset::Recommended.name(), severity, &[])?,
            Some(selectors) => {
                for selector in selectors {
                    self.enable(&mut least, &selector.value, severity, &[])
                        .map_err(|error| config.error_at(selector.place, &error).0)?;
                }
            }
        }
        let mut place = config.select_place;
        for (selector, rules) in config.ignore.iter().zip(self.matching_all(&config.ignore)?) {
            if config.select.is_none() && !has_none(&least) {
                place = selector.place;
            }
            set(&mut least, &rules, None);
        }
        if !has_none(&least) {
            return Ok(least);
        }
        let reason = match config.select {
            Some(_) => "`select` enables no rule; remove it, or add some, such as `\"recommended\"`",
            None => "`ignore` leaves no rule; remove some entries, or skip files with `exclude`",
        };
        Err(config.error_at(place, reason).0)
    }

    /// Enables the rules that a selector matches. A preset has only some findings of a rule, and those that `[severity]` raises.
    fn enable(&self, least: &mut Levels, selector: &str, severity: &Levels, elsewhere: &[&str]) -> Result<(), String> {
        let preset = Preset::named(selector);
        let rules = self.matching(selector, elsewhere)?.into_iter().map(|is_in| is_in || preset.is_some());
        let own = |rule: &Rule| preset.unwrap_or(Preset::Strict).least_severity(rule);
        for (((level, rule), severity), _) in
            least.iter_mut().zip(&self.rules).zip(severity).zip(rules).filter(|it| it.1)
        {
            let own = own(rule);
            if rule.severities().chain(*severity).any(|severity| severity >= own) {
                *level = Some(level.map_or(own, |level| level.min(own)));
            }
        }
        Ok(())
    }

    /// The severities that replace those of rules.
    fn severities(&self) -> Result<Levels, String> {
        let mut severity = vec![None; self.rules.len()];
        let levels = self.config.severity.iter().map(|(selector, level)| Ok((self.matching_placed(selector)?, *level)));
        let mut levels: Vec<(RuleSet, Severity)> = levels.collect::<Result<_, String>>()?;
        // A more specific selector overrides a more general one.
        levels.sort_by_key(|(rules, _)| Reverse(rules.iter().filter(|is_in| **is_in).count()));
        for (rules, level) in levels {
            set(&mut severity, &rules, Some(level));
        }
        Ok(severity)
    }

    /// The rules that a selector matches: a code, a prefix of codes, a name, a group or a preset.
    fn matching(&self, selector: &str, elsewhere: &[&str]) -> Result<RuleSet, String> {
        let own: Vec<&str> = self.own.iter().chain(elsewhere).copied().collect();
        match unknown_selector(selector, &own) {
            None => Ok(self.rules.iter().map(|rule| rule.matches(selector)).collect()),
            Some(error) => Err(error),
        }
    }

    /// The rules that a selector of the configuration matches; an error has its place.
    fn matching_placed(&self, selector: &Placed) -> Result<RuleSet, String> {
        self.matching(&selector.value, &[]).map_err(|error| self.config.error_at(selector.place, &error).0)
    }

    fn matching_all(&self, selectors: &[Placed]) -> Result<Vec<RuleSet>, String> {
        selectors.iter().map(|selector| self.matching_placed(selector)).collect()
    }
}

/// Whether a selector selects a rule of the user's own by its code, name or group.
fn is_own_selector(own: &str, selector: &str) -> bool {
    own == selector || is_selected_by_code(own, selector)
}

fn has_none(least: &Levels) -> bool {
    least.iter().all(Option::is_none)
}

/// The error for options that leave no rule of a configuration.
fn no_rule_left(config: &Config, has_select_option: bool) -> String {
    let options = if has_select_option { "`--select` and `--ignore`" } else { "`--ignore`" };
    let (verb, file) = match &config.path {
        // `--select` replaces the setting of the file.
        Some(path) if !has_select_option => ("leaves", format!(" that {} enables", path.display())),
        _ if has_select_option => ("leave", String::new()),
        _ => ("leaves", String::new()),
    };
    format!("{options} {verb} no rule{file}; a run without rules would pass whatever the documents hold")
}

/// Whether the findings of a rule are reported whatever is selected: see [`Rule::is_always_reported`].
pub fn is_always_reported(code: &str) -> bool {
    REGISTRY.iter().any(|rule| rule.code == code && rule.is_always_reported)
}

fn is_set(flags: &[bool], index: usize) -> bool {
    flags.get(index).copied().unwrap_or(false)
}

fn set<T: Clone>(flags: &mut [T], rules: &[bool], value: T) {
    for (flag, _) in flags.iter_mut().zip(rules).filter(|(_, is_in)| **is_in) {
        *flag = value.clone();
    }
}

#[cfg(test)]
mod tests {
    use crate::config::{SELECTORS, unknown_selector};
    use crate::rules::{Group, Preset, REGISTRY};

    #[test]
    fn what_is_known_selects_rules() {
        let rules = REGISTRY.iter().flat_map(|rule| [rule.code, rule.name]);
        let groups = Group::ALL.map(Group::name).into_iter().chain(Preset::ALL.map(Preset::name));
        assert!(rules.chain(groups).eq(SELECTORS.iter().copied()));
        for selector in SELECTORS.iter().chain(&["ALL", "WF2"]) {
            assert!(REGISTRY.iter().any(|rule| rule.matches(selector)) && unknown_selector(selector, &[]).is_none());
        }
        for selector in ["", "WF99", "all", "wf101"] {
            assert!(!REGISTRY.iter().any(|rule| rule.matches(selector)) && unknown_selector(selector, &[]).is_some());
        }
    }
}
