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

/// The text of the artifact of `--tools` or `--registry`, and how to speak of it.
pub(crate) fn text_from_args(source: &SourceArgs) -> Result<(String, String), Failure> {
    match &source.registry {
        Some(file) => Ok((read_text(file)?, file.display().to_string())),
        None => Ok((text_of_folder(&source.tools)?, source.tools.display().to_string())),
    }
}

/// The text of the artifact that a folder of tools compiles to.
pub(crate) fn text_of_folder(folder: &Path) -> Result<String, Failure> {
    let compilation = compile_folder(folder, &Options::default(), &|_, _| {});
    check(&compilation, &folder.to_string_lossy())?;
    let mut text = Vec::new();
    emit::write(&compilation.tools, &emit::Stamp::default(), &mut text)
        .map_err(|error| Failure::Failed(error.to_string()))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn read(file: &Path) -> Result<Artifact, Failure> {
    Artifact::read(&read_text(file)?)
        .map_err(|error| Failure::Usage(format!("`{}` cannot be used: {error}", file.display())))
}

pub(crate) fn read_text(file: &Path) -> Result<String, Failure> {
    fs::read_to_string(file)
        .map_err(|error| Failure::Usage(format!("`{}` cannot be read: {error}", file.display())))
}

fn from_folder(folder: &Path) -> Result<Artifact, Failure> {
    let compilation = compile_folder(folder, &Options::default(), &|_, _| {});
    finished(&compilation, &folder.to_string_lossy())
}

fn finished(compilation: &Compilation, word: &str) -> Result<Artifact, Failure> {
    check(compilation, word)?;
    emit::artifact(&compilation.tools).map_err(|error| Failure::Failed(error.to_string()))
}

/// Prints the errors of a compilation, if there are any.
fn check(compilation: &Compilation, word: &str) -> Result<(), Failure> {
    if compilation.succeeded() {
        return Ok(());
    }
    let errors =
        compilation.diagnostics.iter().filter(|finding| finding.severity == Severity::Error);
    errors.for_each(|finding| output::talk(&(render::text(finding, Style::Colour) + "\n")));
    let errors = count(Counts::of(&compilation.diagnostics).errors, "error");
    Err(Failure::Failed(format!("the tools of `{word}` have {errors}")))
}
