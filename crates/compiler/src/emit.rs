//! Writes the artifact: the same bytes for the same tools, atomically.
//!
//! One line per tool, in canonical JSON, so that a diff shows which tools changed.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use aileron_contract::artifact::{FORMAT_VERSION, content_hash, version_of};
use aileron_contract::{Artifact, ArtifactError, LeftOutTool};
use serde_json::json;

use crate::compilation::CompiledTool;
use crate::diagnostic::Diagnostic;
use crate::lint::files::output_not_written;
use crate::source::Source;

/// When and from what the artifact was built. Not part of its hash.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BuildStamp {
    pub git_commit: Option<String>,
    pub build_timestamp: Option<String>,
    /// The directories that the build leaves out.
    pub left_out: Vec<LeftOutTool>,
}

/// The registry version of these tools.
pub fn version(tools: &[CompiledTool]) -> String {
    version_of(&content_hash(tools.iter().map(|tool| &tool.hash)))
}

/// The parsed artifact.
pub fn artifact(tools: &[CompiledTool]) -> Result<Artifact, ArtifactError> {
    let mut text = Vec::new();
    write(tools, &BuildStamp::default(), &mut text)
        .map_err(|error| ArtifactError::NotJson(error.to_string()))?;
    Artifact::read(&String::from_utf8_lossy(&text))
}

/// Writes the artifact's text.
pub fn write(tools: &[CompiledTool], stamp: &BuildStamp, out: &mut dyn Write) -> io::Result<()> {
    let hash = content_hash(tools.iter().map(|tool| &tool.hash));
    writeln!(out, "{{")?;
    writeln!(out, "  \"version\": {},", json!(version_of(&hash)))?;
    writeln!(out, "  \"contentHash\": {},", json!(hash))?;
    writeln!(out, "  \"formatVersion\": {FORMAT_VERSION},")?;
    writeln!(out, "  \"gitCommit\": {},", json!(stamp.git_commit))?;
    writeln!(out, "  \"buildTimestamp\": {},", json!(stamp.build_timestamp))?;
    if !stamp.left_out.is_empty() {
        writeln!(out, "  \"leftOut\": {},", json!(stamp.left_out))?;
    }
    writeln!(out, "  \"tools\": [")?;
    for (index, tool) in tools.iter().enumerate() {
        let comma = if index + 1 < tools.len() { "," } else { "" };
        writeln!(out, "{}{comma}", tool.json)?;
    }
    writeln!(out, "  ]")?;
    writeln!(out, "}}")
}

/// Writes the artifact to a temporary file and renames it.
pub fn save(
    tools: &[CompiledTool],
    stamp: &BuildStamp,
    path: &Path,
) -> Result<(), Box<Diagnostic>> {
    try_save(tools, stamp, path).map_err(|error| {
        let source = Source::new(path.to_string_lossy().replace('\\', "/"), "");
        Box::new(output_not_written::diagnose(&source, &error.to_string()))
    })
}

fn try_save(tools: &[CompiledTool], stamp: &BuildStamp, path: &Path) -> io::Result<()> {
    let folder =
        path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = temporary(folder)?;
    let mut out = BufWriter::new(file.as_file_mut());
    write(tools, stamp, &mut out)?;
    out.flush()?;
    drop(out);
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// A hidden file in the same folder, readable like any other file once renamed.
fn temporary(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tool_registry.");
    #[cfg(unix)]
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(mode);
    builder.tempfile_in(folder)
}
