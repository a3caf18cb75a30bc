//! The one test command: format, lints, every test, the tidiness of the tree.

use std::path::Path;
use std::process::Command;

use crate::{install, page, say};

const STEPS: &[&[&str]] = &[
    &["fmt", "--all", "--check"],
    &["clippy", "--workspace", "--all-targets", "--locked", "--", "--deny", "warnings"],
    &["test", "--workspace", "--locked"],
];

pub(crate) fn run(root: &Path) -> Result<(), String> {
    install::run(root)?;
    page::check(root)?;
    for step in STEPS {
        say(&format!("cargo {}", step.join(" ")));
        let status = Command::new(env!("CARGO")).args(*step).current_dir(root).status();
        match status {
            Ok(status) if status.success() => {}
            Ok(_) => return Err(format!("failed: cargo {}", step.join(" "))),
            Err(error) => return Err(format!("cargo could not be started: {error}")),
        }
    }
    page::test(root)?;
    check_handlers(root)
}

/// Cargo finds native handlers through generated code, where its formatter does not look.
fn check_handlers(root: &Path) -> Result<(), String> {
    let tools = std::fs::read_dir(root.join("tools")).into_iter().flatten().flatten();
    let handlers = tools.map(|tool| tool.path().join("handler.rs")).filter(|path| path.is_file());
    say("rustfmt --check tools/*/handler.rs");
    let status = Command::new("rustfmt").arg("--check").args(handlers).current_dir(root).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("failed: rustfmt --check tools/*/handler.rs".to_owned()),
        Err(error) => Err(format!("rustfmt could not be started: {error}")),
    }
}
