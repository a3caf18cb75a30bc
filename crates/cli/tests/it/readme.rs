//! README's quick start, run line by line as printed.

use std::path::Path;
use std::process::Command;

use crate::workspace::{Workspace, repository};

/// A command with the output that README shows under it.
struct Step {
    command: String,
    expected: String,
}

fn steps(markdown: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = false;
    for line in markdown.lines() {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            _ => match line.strip_prefix("$ ") {
                Some(command) => {
                    steps.push(Step { command: command.to_owned(), expected: String::new() });
                }
                None => steps
                    .last_mut()
                    .expect("output before a command")
                    .expected
                    .push_str(&format!("{line}\n")),
            },
        }
    }
    steps
}

#[test]
fn the_quick_start_works_as_printed() {
    let readme = std::fs::read_to_string(repository().join("README.md")).unwrap();
    let workspace = Workspace::new();
    let folder = Path::new(env!("CARGO_BIN_EXE_aileron")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let steps = steps(&readme);
    assert!(steps.len() > 8);
    for step in steps {
        let script = format!("{} 2>&1", step.command);
        let output = Command::new("sh")
            .args(["-c", &script])
            .env("PATH", &path)
            .env("SRC", repository())
            .current_dir(workspace.path("."))
            .output();
        let shown = String::from_utf8(output.unwrap().stdout).unwrap();
        let expected = snapbox::Data::text(step.expected);
        snapbox::Assert::new().eq(
            format!("$ {}\n{}", step.command, squeeze(&shown)),
            format!("$ {}\n{expected}", step.command),
        );
    }
}

/// Blank lines at the end of a step are not shown.
fn squeeze(text: &str) -> String {
    let text = text.trim_end();
    if text.is_empty() { String::new() } else { format!("{text}\n") }
}
