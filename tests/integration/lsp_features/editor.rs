//! A service in an editor.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use wflint::lsp::features::{FileSpan, OtherFile, ServiceAnalysis, Snapshot};
use wflint::project::{self, Buffer, ConfigSource, File, Overrides, Project, Request};
use wflint::simulate::is_scenario;
use wflint::text::diagnostic::{Edit, FileId};
use wflint::text::source::SourceFile;

pub struct Editor {
    service: Rc<ServiceAnalysis>,
    others: Vec<OtherFile>,
    /// Where the cursor is.
    pub cursor: (FileId, u32),
}

const CURSOR: &str = "<|>";

impl Editor {
    /// The files of a folder by name, one with the cursor in it.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let folder = std::env::temp_dir();
        let mut cursor = None;
        let mut texts = Vec::new();
        for (name, text) in files {
            if let Some(offset) = text.find(CURSOR) {
                cursor = Some(((*name).to_owned(), u32::try_from(offset).unwrap()));
            }
            texts.push(((*name).to_owned(), text.replacen(CURSOR, "", 1)));
        }
        let is_document = |name: &str| name.ends_with(".json") && !name.contains(".scenario.");
        let buffers = texts.iter().filter(|(name, _)| is_document(name));
        let buffers = buffers.map(|(name, text)| Buffer::new(Some(name.into()), text.as_bytes()));
        let request = Request {
            current: folder.clone(),
            buffers: buffers.collect(),
            in_memory: true,
            config: ConfigSource::Isolated,
            ..Request::default()
        };
        let project = project::find(&request).unwrap();
        let others = texts.into_iter().filter(|(name, _)| !is_document(name)).enumerate();
        let others = others.map(|(index, (name, text))| OtherFile {
            id: project.id_of_other(index),
            source: SourceFile::new(folder.join(name), String::new(), text.into()),
        });
        let others = others.collect();
        let mut editor = Self { service: analysis(project, 0), others, cursor: (FileId(0), 0) };
        if let Some((name, offset)) = cursor {
            editor.cursor = (editor.id(&name), offset);
        }
        editor
    }

    /// How many services a folder has.
    pub fn services(folder: &Path) -> usize {
        Self::project(folder).services.len()
    }

    fn project(folder: &Path) -> Project {
        let request = Request { current: folder.into(), paths: vec![folder.into()], ..Request::default() };
        project::find(&request).unwrap()
    }

    /// A service of a folder, with its scenarios and its configuration.
    pub fn open(folder: &Path, index: usize) -> Self {
        let project = Self::project(folder);
        let config = project.services[index].config;
        let configs = project.configs[config].files.clone();
        let ids: Vec<FileId> = (0..1_000).map(|index| project.id_of_other(index)).collect();
        let service = analysis(project, index);
        let read = service.files();
        let folders: BTreeSet<_> = read.iter().map(|file| file.source.path.parent().unwrap()).collect();
        let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
        let generated = std::fs::read_dir(folder.join("generated")).into_iter().flatten();
        let runs = |path: &PathBuf| {
            let text = std::fs::read_to_string(path).unwrap();
            read.iter().any(|file| text.contains(&format!("\"../{}\"", file.source.name)))
        };
        let generated = generated.map(|entry| entry.unwrap().path()).filter(runs);
        let scenarios = entries.map(|entry| entry.unwrap().path()).filter(|path| is_scenario(path)).chain(generated);
        let paths = scenarios.chain(configs.into_iter().filter(|path| path.ends_with("wflint.toml")));
        let others = ids.into_iter().zip(paths).map(|(id, path)| {
            let text = std::fs::read_to_string(&path).unwrap().into();
            OtherFile { id, source: SourceFile::new(path, String::new(), text) }
        });
        let others = others.collect();
        Self { others, service: Rc::clone(&service), cursor: (FileId(0), 0) }
    }

    /// The path of a file.
    pub fn path(&self, file: FileId) -> PathBuf {
        let document = self.service.files().iter().find(|known| known.id == file).map(|file| file.source.path.clone());
        document.unwrap_or_else(|| self.others.iter().find(|other| other.id == file).unwrap().source.path.clone())
    }

    /// The texts of the files after edits, which are sorted and do not overlap.
    pub fn edited(&self, edits: &[Edit]) -> BTreeMap<FileId, String> {
        let mut texts = BTreeMap::new();
        for edit in edits.iter().rev() {
            let text = texts.entry(edit.file).or_insert_with(|| self.text(edit.file));
            text.replace_range(edit.span.range(), &edit.new_text);
        }
        texts
    }

    /// Asks about the service.
    pub fn ask<T>(&self, ask: impl FnOnce(&Snapshot) -> T) -> T {
        self.ask_with(Vec::new(), Vec::new(), ask)
    }

    /// Asks about the service, whose files were these before.
    pub fn ask_after<T>(&self, before: &Self, ask: impl FnOnce(&Snapshot) -> T) -> T {
        self.ask_with(Vec::new(), before.service.files().to_vec(), ask)
    }

    /// Asks about the service, which shares its configuration with another one.
    pub fn ask_beside<T>(&self, other: &Self, ask: impl FnOnce(&Snapshot) -> T) -> T {
        self.ask_with(other.service.files().to_vec(), Vec::new(), ask)
    }

    fn ask_with<T>(&self, shared: Vec<File>, last_valid: Vec<File>, ask: impl FnOnce(&Snapshot) -> T) -> T {
        ask(&Snapshot { service: Rc::clone(&self.service), last_valid, others: self.others.clone(), shared })
    }

    /// The ids of all files.
    pub fn ids(&self) -> Vec<FileId> {
        let others = self.others.iter().map(|other| other.id);
        self.service.files().iter().map(|file| file.id).chain(others).collect()
    }

    pub fn text(&self, file: FileId) -> String {
        self.ask(|snapshot| snapshot.text(file).unwrap().to_owned())
    }

    pub fn name(&self, file: FileId) -> String {
        let document = self.service.files().iter().find(|known| known.id == file).map(|file| file.source.name.clone());
        let other = || self.others.iter().find(|other| other.id == file).unwrap().source.path.file_name().unwrap();
        document.unwrap_or_else(|| other().to_string_lossy().into_owned())
    }

    fn id(&self, name: &str) -> FileId {
        self.ids().into_iter().find(|id| self.name(*id) == name).unwrap()
    }

    /// A place as its file and its line, with the place in `«»`.
    pub fn show(&self, place: FileSpan) -> String {
        let text = self.text(place.file);
        let range = place.span.range();
        let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[range.end..].find('\n').map_or(text.len(), |at| range.end + at);
        let [before, inside, after] = [start..range.start, range.clone(), range.end..end].map(|part| &text[part]);
        format!("{}: {}«{inside}»{}", self.name(place.file), before.trim_start(), after.trim_end())
    }
}

fn analysis(project: Project, service: usize) -> Rc<ServiceAnalysis> {
    let service = &project.services[service];
    let (config, files) = (service.config, project.read(service, &Overrides::new()).files.into());
    Rc::new(ServiceAnalysis::new(Arc::new(project), config, files))
}
