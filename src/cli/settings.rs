//! `--show-settings`: the configuration that applies to a path, and the origin of each value.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Value, json};

use super::lint_options::LintOptions;
use super::request::{boundary, config_source};
use super::show;
use super::targets::Targets;
use super::world::{Exit, Failure, World};
use crate::config::{Config, Setting};
use crate::files::read::FileKey;
use crate::lint::{Baselines, Choice, check_selection};
use crate::project::{self, Buffer, Request, relative_name};
use crate::report::{visible, wrap_guarded, write_json};

const COMMAND_LINE: &str = "command line";

#[derive(Serialize)]
struct JsonSettings {
    settings: Vec<Shown>,
}

/// A setting as it is shown.
#[derive(Debug, Serialize)]
pub(super) struct Shown {
    pub key: String,
    value: Value,
    /// `default`, `command line` or `FILE:LINE`; a joined list has several, separated by `, `.
    pub origin: String,
}

impl Shown {
    pub fn is_default(&self) -> bool {
        self.origin == "default"
    }
}

pub(super) fn run(
    options: &LintOptions,
    path: Option<&PathBuf>,
    choices: &[Choice],
    world: &mut World<'_>,
) -> Result<Exit, Failure> {
    let is_json = show::human_or_json(&options.run, "--show-settings")?;
    show::check_output(&options.run, world)?;
    let config = config_of(options, path, world)?;
    check_selection(&config, choices, &[]).map_err(Failure::Message)?;
    let settings = settings(&config, options, choices, &world.current);
    let mut bytes = Vec::new();
    if is_json {
        write_json(&JsonSettings { settings }, &mut bytes)?;
    } else {
        let width = show::width(&options.run, world);
        for Shown { key, value, origin } in &settings {
            let line = visible(&format!("{key} = {value}  # {origin}")).into_owned();
            bytes.extend(wrap_guarded(&line, width, "  ").bytes().chain([b'\n']));
        }
    }
    show::write_text(&options.run, &bytes, world)?;
    Ok(Exit::Clean)
}

/// The configuration of the one path that is given, or of the current folder.
fn config_of(options: &LintOptions, path: Option<&PathBuf>, world: &World<'_>) -> Result<Config, Failure> {
    let error = |message: &str| Err(Failure::Message(message.to_owned()));
    let paths: Vec<&PathBuf> = path.into_iter().chain(&options.paths).collect();
    let path = match paths.as_slice() {
        [] => Path::new("."),
        [path] => path.as_path(),
        _ => return error("`--show-settings` takes one path"),
    };
    let is_stdin = path == Path::new("-");
    if options.stdin_filename.is_some() && !is_stdin {
        return error("`--stdin-filename` requires the path `-`");
    }
    // Only the name of the file counts; its text is not read.
    let unsaved = options.stdin_filename.iter().map(|path| Buffer::new(Some(path.clone()), []));
    let request = Request {
        current: world.current.clone(),
        paths: vec![if is_stdin { PathBuf::from(".") } else { path.to_path_buf() }],
        buffers: unsaved.collect(),
        config: config_source(&options.run, world),
        boundary: boundary(&[path.to_path_buf()], &options.run, world),
        ..Request::default()
    };
    let config = project::config_of(&request).map_err(Failure::Message)?;
    let targets = Targets::new(&options.run, &Baselines::default(), &world.current);
    let is_read = |file: &FileKey| config.files.iter().chain([&world.current.join(path)]).any(|path| file.is_of(path));
    targets.check(is_read).map_err(Failure::Message)?;
    Ok(config)
}

/// All settings, with those that options of the command line override.
pub(super) fn settings(config: &Config, options: &LintOptions, choices: &[Choice], current: &Path) -> Vec<Shown> {
    let mut shown: Vec<Shown> = config.settings().into_iter().map(|setting| show_setting(setting, current)).collect();
    let mut set = |key: &str, change: &mut dyn FnMut(&mut Shown)| {
        shown.iter_mut().filter(|setting| setting.key == key).for_each(change);
    };
    let replace = |value: Value| {
        move |setting: &mut Shown| {
            setting.value.clone_from(&value);
            COMMAND_LINE.clone_into(&mut setting.origin);
        }
    };
    let words = |wanted: fn(&Choice) -> Option<&String>| choices.iter().filter_map(wanted).collect::<Vec<_>>();
    let selected = words(|choice| if let Choice::Select(word) = choice { Some(word) } else { None });
    let ignored = words(|choice| if let Choice::Ignore(word) = choice { Some(word) } else { None });
    if !selected.is_empty() {
        // `--select` replaces the whole selection of the configuration, `ignore` too.
        set("select", &mut replace(json!(selected)));
        set("ignore", &mut replace(json!(ignored)));
    } else if !ignored.is_empty() {
        set("ignore", &mut |setting| join(setting, &ignored));
    }
    if let Some(level) = options.fail_on() {
        set("fail-on", &mut replace(json!(level)));
    }
    if let Some(path) = &options.baseline {
        set("baseline", &mut replace(json!(path.to_string_lossy())));
    }
    if options.no_scripts {
        set("scripts.evaluate", &mut replace(json!(false)));
    }
    shown
}

/// Adds words of the command line to a list.
fn join(setting: &mut Shown, words: &[&String]) {
    if let Value::Array(list) = &mut setting.value {
        list.extend(words.iter().map(|word| json!(word)));
    }
    setting.origin =
        if setting.is_default() { COMMAND_LINE.to_owned() } else { format!("{}, {COMMAND_LINE}", setting.origin) };
}

fn show_setting(setting: Setting, current: &Path) -> Shown {
    let mut origins: Vec<String> = setting
        .origins
        .iter()
        .map(|origin| format!("{}:{}", relative_name(&origin.file, current), origin.line))
        .collect();
    origins.dedup();
    let origin = if origins.is_empty() { "default".to_owned() } else { origins.join(", ") };
    Shown { key: setting.key, value: setting.value, origin }
}
