//! The prompts that people write: in the binary, or in a project's folder.

use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Maximum size of a prompt.
const MAX_BYTES: usize = 256 * 1024;

/// The prompts of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompts {
    pub core: String,
    pub voice: String,
    pub text: String,
}

impl Default for Prompts {
    fn default() -> Self {
        Self {
            core: include_str!("../../../../prompts/core.md").to_owned(),
            voice: include_str!("../../../../prompts/voice-behavior.md").to_owned(),
            text: include_str!("../../../../prompts/text-behavior.md").to_owned(),
        }
    }
}

/// Why the prompts of a folder cannot be used.
#[derive(Debug)]
pub struct PromptError {
    path: PathBuf,
    why: String,
}

impl fmt::Display for PromptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the prompt `{}` cannot be used: {}", self.path.display(), self.why)
    }
}

impl std::error::Error for PromptError {}

impl Prompts {
    /// The prompts of a folder: `core.md`, `voice-behavior.md`, `text-behavior.md`. A missing file is
    /// replaced by the shipped prompt; the folder itself must exist.
    pub fn load(folder: &Path) -> Result<Self, PromptError> {
        if !folder.is_dir() {
            let why = "expected a folder, found none; make it or leave out `prompt.path`";
            return Err(PromptError { path: folder.to_owned(), why: why.to_owned() });
        }
        let shipped = Self::default();
        Ok(Self {
            core: read(&folder.join("core.md"))?.unwrap_or(shipped.core),
            voice: read(&folder.join("voice-behavior.md"))?.unwrap_or(shipped.voice),
            text: read(&folder.join("text-behavior.md"))?.unwrap_or(shipped.text),
        })
    }
}

fn read(path: &Path) -> Result<Option<String>, PromptError> {
    let unusable = |why: String| PromptError { path: path.to_owned(), why };
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unusable(error.to_string())),
    };
    if bytes.len() > MAX_BYTES {
        let found = bytes.len();
        return Err(unusable(format!("expected at most {MAX_BYTES} bytes, found {found}")));
    }
    let text = String::from_utf8(bytes);
    let text = text.map_err(|_| unusable("expected UTF-8, found other bytes".to_owned()))?;
    Ok(Some(text))
}
