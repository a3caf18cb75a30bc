//! Finds the toolset of a command: a folder, an artifact or a git ref.

use std::fs;
use std::path::Path;

use aileron_capability::NotBound;
use aileron_compiler::render::{self, Style};
use aileron_compiler::{
    Compilation, Counts, NativeFault, Options, Severity, compile, compile_folder, emit,
};
use aileron_contract::{Artifact, LeftOutTool, ToolId};

use crate::args::SourceArgs;
use crate::git;
use crate::output::{self, Failure, count};
use crate::settings::{ServerSettings, Settings};

/// The location of a toolset.
#[derive(Debug, Clone)]
pub(crate) enum ToolsetSource<'a> {
    /// A folder, its compile options, and what happens to its tools with errors.
    Folder(&'a Path, Options, FailedTools),
    Artifact(&'a Path),
}

impl<'a> ToolsetSource<'a> {
    /// The toolset of `--tools` or `--registry`, or else of the settings.
    pub(crate) fn of(source: &'a SourceArgs, settings: &'a Settings) -> Self {
        match (&source.registry, &source.tools) {
            (Some(file), _) => Self::Artifact(file),
            (None, Some(folder)) => {
                let failed = FailedTools::of(source.keep_going, settings);
                Self::Folder(folder, settings.compile_options(), failed)
            }
            (None, None) => match Self::set(settings) {
                Self::Folder(folder, options, _) => {
                    Self::Folder(folder, options, FailedTools::of(source.keep_going, settings))
                }
                artifact => artifact,
            },
        }
    }

    /// The toolset of the settings.
    pub(crate) fn set(settings: &'a Settings) -> Self {
        let failed = FailedTools::of(false, settings);
        Self::of_server(&settings.server, settings.compile_options(), failed)
    }

    /// The default toolset of a server.
    pub(crate) fn of_server(
        server: &'a ServerSettings,
        options: Options,
        failed: FailedTools,
    ) -> Self {
        match server.registry.as_os_str().is_empty() {
            true => Self::Folder(&server.tools, options, failed),
            false => Self::Artifact(&server.registry),
        }
    }

    pub(crate) fn artifact(self) -> Result<Artifact, Failure> {
        match self {
            Self::Folder(folder, options, failed) => from_folder(folder, &options, failed),
            Self::Artifact(file) => read(file),
        }
    }

    /// The text of the artifact, and its name in messages.
    pub(crate) fn text(self, purpose: Purpose) -> Result<(String, String), Failure> {
        match self {
            Self::Folder(folder, options, failed) => {
                let text = text_of_folder(folder, &options, purpose, failed)?;
                Ok((text, folder.display().to_string()))
            }
            Self::Artifact(file) => Ok((read_text(file)?, file.display().to_string())),
        }
    }
}

/// The treatment of tools with errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FailedTools {
    /// No toolset is made.
    Refuse,
    /// They and the tools that call them are left out, and named.
    LeaveOut,
}

impl FailedTools {
    /// As `--keep-going` or the settings say.
    pub(crate) fn of(keep_going: bool, settings: &Settings) -> Self {
        match keep_going || settings.build.keep_going {
            true => Self::LeaveOut,
            false => Self::Refuse,
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
        return from_folder(path, options, FailedTools::Refuse);
    }
    if path.is_file() {
        return read(path);
    }
    let tree = git::tree_at(word, tools).map_err(Failure::Usage)?;
    let mut compilation = compile(&tree, options, &|_, _| {});
    finished(&mut compilation, word, FailedTools::Refuse)
}

/// The text of the artifact that a folder of tools compiles to.
pub(crate) fn text_of_folder(
    folder: &Path,
    options: &Options,
    purpose: Purpose,
    failed: FailedTools,
) -> Result<String, Failure> {
    let mut compilation = compile_folder(folder, options, &|_, _| {});
    if purpose == Purpose::Run {
        check_natives(&mut compilation, folder);
    }
    check(&mut compilation, &folder.to_string_lossy(), failed)?;
    let mut text = Vec::new();
    let stamp = emit::BuildStamp { left_out: compilation.failed, ..emit::BuildStamp::default() };
    emit::write(&compilation.tools, &stamp, &mut text)
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

fn from_folder(folder: &Path, options: &Options, failed: FailedTools) -> Result<Artifact, Failure> {
    let mut compilation = compile_folder(folder, options, &|_, _| {});
    finished(&mut compilation, &folder.to_string_lossy(), failed)
}

fn finished(
    compilation: &mut Compilation,
    word: &str,
    failed: FailedTools,
) -> Result<Artifact, Failure> {
    check(compilation, word, failed)?;
    let artifact =
        emit::artifact(&compilation.tools).map_err(|error| Failure::Failed(error.to_string()))?;
    Ok(Artifact { left_out: compilation.failed.clone(), ..artifact })
}

/// Reports native handlers that this binary does not have, and could not run.
pub(crate) fn check_natives(compilation: &mut Compilation, folder: &Path) {
    compilation.check_natives(folder, find_native);
}

/// Whether this binary has the native handler of a tool with this hash of its sources.
pub(crate) fn find_native(tool: &ToolId, hash: &str) -> Result<(), NativeFault> {
    aileron_tools::natives().check(tool.as_str(), hash).map_err(|fault| match fault {
        NotBound::Absent => NativeFault::Absent,
        NotBound::OtherSource => NativeFault::OtherSource,
    })
}

/// Prints the errors of a compilation, if there are any. Tools with errors are left out or refused.
fn check(compilation: &mut Compilation, word: &str, failed: FailedTools) -> Result<(), Failure> {
    if compilation.succeeded() {
        return Ok(());
    }
    if failed == FailedTools::LeaveOut {
        compilation.leave_out_callers(word);
    }
    let errors =
        compilation.diagnostics.iter().filter(|finding| finding.severity == Severity::Error);
    output::talk_all(errors.map(|finding| render::text(finding, Style::Colour) + "\n"));
    if failed == FailedTools::LeaveOut && compilation.can_leave_out() {
        output::talk_all(left_out_lines(&compilation.failed));
        return Ok(());
    }
    let errors = count(Counts::of(&compilation.diagnostics).errors, "error");
    Err(Failure::Failed(format!("the tools of `{word}` have {errors}")))
}

/// A line for each directory that is left out.
pub(crate) fn left_out_lines(left_out: &[LeftOutTool]) -> impl Iterator<Item = String> {
    left_out.iter().map(|one| format!("left out: {} ({})", one.directory, one.codes.join(", ")))
}

/// The directories that an artifact names as left out.
pub(crate) fn left_out(artifact: &str) -> Vec<LeftOutTool> {
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Header {
        #[serde(default)]
        left_out: Vec<LeftOutTool>,
    }
    serde_json::from_str::<Header>(artifact).map(|header| header.left_out).unwrap_or_default()
}
