//! README's quick start, run line by line as printed.

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

fn steps(markdown: &str) -> Vec<Step> {
    let blocks = markdown.split("```console\n").skip(1);
    let blocks = blocks.map(|rest| rest.split("```").next().unwrap_or_default());
    blocks.flat_map(Step::all).collect()
}

/// Runs a command as printed; what it shows has to be what is shown.
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

#[test]
fn the_quick_start_works_as_printed() {
    let readme = std::fs::read_to_string(repository().join("README.md")).unwrap();
    let workspace = Workspace::new();
    let steps = steps(&readme);
    assert!(steps.len() > 8);
    for step in &steps {
        run(&workspace, step);
    }
}

/// Blank lines at the end of a step are not shown.
fn squeeze(text: &str) -> String {
    let text = text.trim_end();
    if text.is_empty() { String::new() } else { format!("{text}\n") }
}
