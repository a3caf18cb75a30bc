//! README, the tour and the page about moving over, run line by line as printed: each file is written, each command shows the
//! output that is shown.

use std::path::Path;
use std::process::Command;

use crate::workspace::{Workspace, repository};

/// A command with the output that is shown under it.
pub(crate) struct Step {
    pub(crate) command: String,
    expected: String,
}

impl Step {
    /// The steps of a block.
    pub(crate) fn all(block: &str) -> Vec<Self> {
        let mut steps: Vec<Self> = Vec::new();
        for line in block.lines() {
            match line.strip_prefix("$ ") {
                Some(command) => {
                    steps.push(Self { command: command.to_owned(), expected: String::new() });
                }
                None => steps
                    .last_mut()
                    .expect("output before a command")
                    .expected
                    .push_str(&format!("{line}\n")),
            }
        }
        steps
    }
}

/// The next action of a reader of a page.
pub(crate) enum Part {
    File { path: String, text: String },
    Run(Step),
}

impl Part {
    /// The parts of a page: a fenced block under a line that is a path in backticks is a file, a
    /// `console` block has commands. Other blocks are only to be read.
    pub(crate) fn all(markdown: &str) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut before = "";
        let mut open: Option<(&str, &str, String)> = None;
        for line in markdown.lines() {
            match &mut open {
                None if line.starts_with("```") => open = Some((before, line, String::new())),
                None if !line.trim().is_empty() => before = line,
                None => {}
                Some((name, fence, text)) if line == "```" => {
                    match name.strip_prefix('`').and_then(|name| name.strip_suffix("`:")) {
                        Some(path) => {
                            parts.push(Self::File { path: path.to_owned(), text: text.clone() });
                        }
                        None if *fence == "```console" => {
                            parts.extend(Step::all(text).into_iter().map(Self::Run));
                        }
                        None => {}
                    }
                    open = None;
                }
                Some((_, _, text)) => text.push_str(&format!("{line}\n")),
            }
        }
        parts
    }
}

/// Runs a command as printed; its output must be the shown output.
pub(crate) fn run(workspace: &Workspace, step: &Step) {
    let folder = Path::new(env!("CARGO_BIN_EXE_aileron")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let script = format!("{} 2>&1", step.command);
    let output = Command::new("sh")
        .args(["-c", &script])
        .env("PATH", &path)
        .env("SRC", repository())
        .current_dir(workspace.path("."))
        .output();
    let shown = String::from_utf8(output.unwrap().stdout).unwrap();
    let expected = snapbox::Data::text(&step.expected);
    snapbox::Assert::new().eq(
        format!("$ {}\n{}", step.command, squeeze(&shown)),
        format!("$ {}\n{expected}", step.command),
    );
}

/// Runs the commands of a page, in an empty folder.
fn follow(page: &str, parts_at_least: usize) {
    let page = std::fs::read_to_string(repository().join(page)).unwrap();
    let workspace = Workspace::new();
    let parts = Part::all(&page);
    assert!(parts.len() >= parts_at_least, "{}", parts.len());
    for part in parts {
        match part {
            Part::File { path, text } => workspace.write(&path, text),
            Part::Run(step) => run(&workspace, &step),
        }
    }
}

#[test]
fn the_tool_of_the_readme_works_as_printed() {
    follow("README.md", 7);
}

#[test]
fn the_tour_works_as_printed() {
    follow("docs/tour.md", 20);
}

#[test]
fn a_toolset_moves_over_as_printed() {
    follow("docs/migrate.md", 20);
}

#[test]
fn the_experiment_with_two_versions_works_as_printed() {
    follow("docs/versions.md", 9);
}

/// Blank lines at the end of a step are not shown.
fn squeeze(text: &str) -> String {
    let text = text.trim_end();
    if text.is_empty() { String::new() } else { format!("{text}\n") }
}
