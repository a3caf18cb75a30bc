//! The one test command: format, lints, every test, the tidiness of the tree.

use std::path::Path;
use std::process::Command;

use crate::say;

const STEPS: &[&[&str]] = &[
    &["fmt", "--all", "--check"],
    &["clippy", "--workspace", "--all-targets", "--locked", "--", "--deny", "warnings"],
    &["test", "--workspace", "--locked"],
];

pub(crate) fn run(root: &Path) -> Result<(), String> {
    for step in STEPS {
        say(&format!("cargo {}", step.join(" ")));
        let status = Command::new(env!("CARGO")).args(*step).current_dir(root).status();
        match status {
            Ok(status) if status.success() => {}
            Ok(_) => return Err(format!("failed: cargo {}", step.join(" "))),
            Err(error) => return Err(format!("cargo could not be started: {error}")),
        }
    }
    Ok(())
}
