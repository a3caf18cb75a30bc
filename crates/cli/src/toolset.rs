//! Finds the toolset of a command: a folder, an artifact or a git ref.

use std::fs;
use std::path::Path;

use aileron_capability::NotBound;
use aileron_compiler::render::{self, Style};
use aileron_compiler::{
    Compilation, Counts, NativeFault, Options, Severity, compile, compile_folder, emit,
};
use aileron_contract::Artifact;

use crate::args::SourceArgs;
use crate::git;
use crate::output::{self, Failure, count};
use crate::settings::Settings;

/// The location of a toolset.
#[derive(Debug, Clone)]
pub(crate) enum ToolsetSource<'a> {
    /// A folder and its compile options.
    Folder(&'a Path, Options),
    Artifact(&'a Path),
}

impl<'a> ToolsetSource<'a> {
    /// The toolset of `--tools` or `--registry`, or else of the settings.
    pub(crate) fn of(source: &'a SourceArgs, settings: &'a Settings) -> Self {
        match (&source.registry, &source.tools) {
            (Some(file), _) => Self::Artifact(file),
            (None, Some(folder)) => Self::Folder(folder, settings.compile_options()),
            (None, None) => Self::set(settings),
        }
    }

    /// The toolset of the settings.
    pub(crate) fn set(settings: &'a Settings) -> Self {
        match settings.server.registry.as_os_str().is_empty() {
            true => Self::Folder(&settings.server.tools, settings.compile_options()),
            false => Self::Artifact(&settings.server.registry),
        }
    }

    pub(crate) fn artifact(self) -> Result<Artifact, Failure> {
        match self {
            Self::Folder(folder, options) => from_folder(folder, &options),
            Self::Artifact(file) => read(file),
        }
    }

    /// The text of the artifact, and its name in messages.
    pub(crate) fn text(self, purpose: Purpose) -> Result<(String, String), Failure> {
        match self {
            Self::Folder(folder, options) => {
                Ok((text_of_folder(folder, &options, purpose)?, folder.display().to_string()))
            }
            Self::Artifact(file) => Ok((read_text(file)?, file.display().to_string())),
        }
    }
}

/// The purpose of a toolset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Its handlers are run, so this binary must have the native ones.
    Run,
    /// Only its rules and texts are used.
    Look,
}

/// The toolset of an argument: an artifact, a tools folder or a git ref.
pub(crate) fn find(word: &str, tools: &Path, options: &Options) -> Result<Artifact, Failure> {
    let path = Path::new(word);
    if path.is_dir() {
        return from_folder(path, options);
    }
    if path.is_file() {
        return read(path);
    }
    let tree = git::tree_at(word, tools).map_err(Failure::Usage)?;
    let compilation = compile(&tree, options, &|_, _| {});
    finished(&compilation, word)
}

/// The text of the artifact that a folder of tools compiles to.
pub(crate) fn text_of_folder(
    folder: &Path,
    options: &Options,
    purpose: Purpose,
) -> Result<String, Failure> {
    let mut compilation = compile_folder(folder, options, &|_, _| {});
    if purpose == Purpose::Run {
        check_natives(&mut compilation, folder);
    }
    check(&compilation, &folder.to_string_lossy())?;
    let mut text = Vec::new();
    emit::write(&compilation.tools, &emit::BuildStamp::default(), &mut text)
        .map_err(|error| Failure::Failed(error.to_string()))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn read(file: &Path) -> Result<Artifact, Failure> {
    Artifact::read(&read_text(file)?)
        .map_err(|error| Failure::Usage(format!("`{}` cannot be used: {error}", file.display())))
}

fn read_text(file: &Path) -> Result<String, Failure> {
    fs::read_to_string(file)
        .map_err(|error| Failure::Usage(format!("`{}` cannot be read: {error}", file.display())))
}

fn from_folder(folder: &Path, options: &Options) -> Result<Artifact, Failure> {
    let compilation = compile_folder(folder, options, &|_, _| {});
    finished(&compilation, &folder.to_string_lossy())
}

fn finished(compilation: &Compilation, word: &str) -> Result<Artifact, Failure> {
    check(compilation, word)?;
    emit::artifact(&compilation.tools).map_err(|error| Failure::Failed(error.to_string()))
}

/// Reports native handlers that this binary does not have, and could not run.
pub(crate) fn check_natives(compilation: &mut Compilation, folder: &Path) {
    let natives = aileron_tools::natives();
    compilation.check_natives(folder, |tool, hash| {
        natives.check(tool.as_str(), hash).map_err(|fault| match fault {
            NotBound::Absent => NativeFault::Absent,
            NotBound::OtherSource => NativeFault::OtherSource,
        })
    });
}

/// Prints the errors of a compilation, if there are any.
fn check(compilation: &Compilation, word: &str) -> Result<(), Failure> {
    if compilation.succeeded() {
        return Ok(());
    }
    let errors =
        compilation.diagnostics.iter().filter(|finding| finding.severity == Severity::Error);
    output::talk_all(errors.map(|finding| render::text(finding, Style::Colour) + "\n"));
    let errors = count(Counts::of(&compilation.diagnostics).errors, "error");
    Err(Failure::Failed(format!("the tools of `{word}` have {errors}")))
}
