//! Writes the proposed lines of a plan. Each file is replaced as a whole, keeps its line ends, and the plan is made in the
//! same run.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use aileron_compiler::migrate::{MigrationPlan, ToolPlan, Verdict};

use crate::commands::findings::written;
use crate::output::Failure;

const MARK: &str = "\u{feff}";

/// Whether the lines of a tool are written. A tool that needs a decision is left as it is.
pub(super) fn is_written(tool: &ToolPlan, trust: bool) -> bool {
    match tool.verdict {
        Verdict::Lines => true,
        Verdict::Runtime(_) => trust,
        Verdict::AsItIs | Verdict::Decision => false,
    }
}

/// Writes the changed files; returns their names.
pub(super) fn all(tools: &Path, plan: &MigrationPlan, trust: bool) -> Result<Vec<String>, Failure> {
    let mut files = Vec::new();
    for tool in plan.tools.iter().filter(|tool| is_written(tool, trust)) {
        for (name, text) in &tool.texts {
            let path = tools.join(name);
            replace(&path, text).map_err(|error| {
                let done = match files.len() {
                    0 => "nothing was changed".to_owned(),
                    _ => format!("already changed: {}", files.join(", ")),
                };
                Failure::Failed(format!("`{}` cannot be written: {error}; {done}", written(&path)))
            })?;
            files.push(written(&path));
        }
    }
    Ok(files)
}

/// Replaces a file by a text, with the line ends and the mode of the file.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let before = fs::read_to_string(path)?;
    let text = match before.contains("\r\n") {
        true => text.replace('\n', "\r\n"),
        false => text.to_owned(),
    };
    let text = if before.starts_with(MARK) { format!("{MARK}{text}") } else { text };
    // A link stays a link: the file that it leads to is replaced.
    let real = fs::canonicalize(path)?;
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    let draft = real.with_file_name(format!(".{name}.{}.new", std::process::id()));
    let written = write_new(&draft, &text, &real).and_then(|()| fs::rename(&draft, &real));
    if written.is_err() {
        // The draft may not exist; the error that is reported is the first one.
        let _ = fs::remove_file(&draft);
    }
    written
}

/// Writes a file that does not exist yet, with the mode of another.
fn write_new(path: &Path, text: &str, like: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::set_permissions(path, fs::metadata(like)?.permissions())
}
