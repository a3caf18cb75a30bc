//! The real text that records are made of: abstracts of papers if they are available, else the
//! repository's own documents.

use std::fs;
use std::path::{Path, PathBuf};

use super::collection;

/// Where the repository is.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Titles and sentences as people wrote them.
#[derive(Debug, Default)]
pub(crate) struct Text {
    pub(crate) titles: Vec<String>,
    pub(crate) sentences: Vec<String>,
    /// The source of the text, for the table.
    pub(crate) source: &'static str,
}

impl Text {
    pub(crate) fn read() -> Result<Self, String> {
        if !collection::folder().is_dir() {
            return Self::of_repository();
        }
        let mut text =
            Self { source: "abstracts of ../shared/corpora/ir-scifact", ..Self::default() };
        for document in collection::documents()? {
            text.add(&document.title, &document.text);
        }
        Ok(text)
    }

    /// The documents of the repository.
    fn of_repository() -> Result<Self, String> {
        let mut text =
            Self { source: "the repository's Markdown, for want of ../shared", ..Self::default() };
        let mut folders = vec![repository()];
        while let Some(folder) = folders.pop() {
            for path in children(&folder)? {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                if path.is_dir() && !name.starts_with('.') && name != "target" {
                    folders.push(path);
                } else if name.ends_with(".md") {
                    let written = fs::read_to_string(&path).map_err(|error| error.to_string())?;
                    written.split("\n\n").for_each(|part| text.add_part(part));
                }
            }
        }
        Ok(text)
    }

    fn add_part(&mut self, part: &str) {
        match part.strip_prefix('#') {
            Some(title) => self.add(title.trim_start_matches('#').trim(), ""),
            None => self.add("", &part.replace('\n', " ")),
        }
    }

    fn add(&mut self, title: &str, text: &str) {
        if title.split_whitespace().count() > 3 {
            self.titles.push(title.trim_end_matches('.').to_owned());
        }
        let whole = |sentence: &&str| (40..400).contains(&sentence.len());
        let sentences = text.split(". ").map(|sentence| sentence.trim().trim_end_matches('.'));
        self.sentences.extend(sentences.filter(whole).map(str::to_owned));
    }
}

/// In the order of their names, so that random choices are the same everywhere.
fn children(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    Ok(paths)
}
