//! Finds the toolset a command is about: a folder, an artifact or a git ref.

use std::fs;
use std::path::Path;

use aileron_compiler::render::{self, Style};
use aileron_compiler::{Compilation, Counts, Options, Severity, compile, compile_folder, emit};
use aileron_contract::Artifact;

use crate::args::SourceArgs;
use crate::git;
use crate::output::{self, Failure, count};

/// The toolset of `--tools` or `--registry`.
pub(crate) fn from_args(source: &SourceArgs) -> Result<Artifact, Failure> {
    match &source.registry {
        Some(file) => read(file),
        None => from_folder(&source.tools),
    }
}

/// The toolset behind a word: an artifact, a tools folder or a git ref.
pub(crate) fn find(word: &str, tools: &Path) -> Result<Artifact, Failure> {
    let path = Path::new(word);
    if path.is_dir() {
        return from_folder(path);
    }
    if path.is_file() {
        return read(path);
    }
    let tree = git::tree_at(word, tools).map_err(Failure::Usage)?;
    let compilation = compile(&tree, &Options::default(), &|_, _| {});
    finished(&compilation, word)
}

fn read(file: &Path) -> Result<Artifact, Failure> {
    let shown = file.display();
    let text = fs::read_to_string(file)
        .map_err(|error| Failure::Usage(format!("`{shown}` cannot be read: {error}")))?;
    Artifact::read(&text)
        .map_err(|error| Failure::Usage(format!("`{shown}` cannot be used: {error}")))
}

fn from_folder(folder: &Path) -> Result<Artifact, Failure> {
    let compilation = compile_folder(folder, &Options::default(), &|_, _| {});
    finished(&compilation, &folder.to_string_lossy())
}

fn finished(compilation: &Compilation, word: &str) -> Result<Artifact, Failure> {
    if !compilation.succeeded() {
        let errors =
            compilation.diagnostics.iter().filter(|finding| finding.severity == Severity::Error);
        errors.for_each(|finding| output::talk(&(render::text(finding, Style::Colour) + "\n")));
        let errors = count(Counts::of(&compilation.diagnostics).errors, "error");
        return Err(Failure::Failed(format!("the tools of `{word}` have {errors}")));
    }
    emit::artifact(&compilation.tools).map_err(|error| Failure::Failed(error.to_string()))
}
