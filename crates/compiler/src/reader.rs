//! Reads a text file of a tool: bounded, UTF-8, without byte order mark, `\n` line ends.

use std::sync::Arc;

use aileron_contract::artifact::source_text;

use crate::diagnostic::Diagnostic;
use crate::lint::files;
use crate::source::Source;
use crate::tree::{ReadError, SourceTree};

/// Maximum bytes of a file, by its kind.
pub(crate) mod limit {
    /// `schema.json`, `cases.json` and documentation.
    pub(crate) const TEXT: u64 = 1 << 20;
    /// One module of a handler.
    pub(crate) const MODULE: u64 = 1 << 20;
    /// The lock file of a handler's packages.
    pub(crate) const LOCK: u64 = 64 << 20;
}

/// The result of reading a file.
pub(crate) enum ReadFile {
    Missing,
    /// A fault that was already reported.
    Unreadable,
    Read(Arc<Source>),
}

impl ReadFile {
    /// The source, if there is one.
    pub(crate) fn source(self) -> Option<Arc<Source>> {
        match self {
            Self::Read(source) => Some(source),
            Self::Missing | Self::Unreadable => None,
        }
    }
}

/// Reads a file; its faults, except its absence, are added to `found`.
pub(crate) fn read(
    tree: &dyn SourceTree,
    path: &str,
    limit: u64,
    found: &mut Vec<Diagnostic>,
) -> ReadFile {
    let shown = tree.display(path);
    let bytes = match tree.read(path, limit) {
        Ok(bytes) => bytes,
        Err(ReadError::NotFound) => return ReadFile::Missing,
        Err(error) => {
            found.push(files::diagnose(&Source::new(shown, ""), &error));
            return ReadFile::Unreadable;
        }
    };
    decode(shown, bytes, found)
}

fn decode(shown: String, bytes: Vec<u8>, found: &mut Vec<Diagnostic>) -> ReadFile {
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            found.push(files::not_utf8::diagnose(shown, &error));
            return ReadFile::Unreadable;
        }
    };
    let marked = text.starts_with('\u{feff}');
    let source = Source::new(shown, source_text(&text));
    if marked {
        found.push(files::byte_order_mark::diagnose(&source));
    }
    ReadFile::Read(source)
}
