//! The Python programs that tests run, each in an environment of its own under `target/`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::say;

/// The folder of the environment, and what is installed in it.
const ENVIRONMENTS: [(&str, &str); 1] = [("schemathesis", "schemathesis==4.32.5")];

/// Installs what is not installed yet.
pub(crate) fn install(root: &Path) -> Result<(), String> {
    let target = std::env::var_os("CARGO_TARGET_DIR");
    let target = target.map_or_else(|| root.join("target"), PathBuf::from);
    for (name, requirement) in ENVIRONMENTS {
        let folder = target.join(name);
        // The note is written last, so that an installation that broke off is begun again.
        let note = folder.join("installed");
        if std::fs::read_to_string(&note).is_ok_and(|found| found == requirement) {
            continue;
        }
        say(&format!("pip install {requirement}"));
        run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))?;
        let pip = folder.join("bin/pip");
        run(Command::new(pip).args(["install", "--quiet", requirement]))?;
        let written = std::fs::write(&note, requirement);
        written.map_err(|error| format!("`{}`: {error}", note.display()))?;
    }
    Ok(())
}

fn run(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("failed: {command:?}")),
        Err(error) => Err(format!("{command:?} could not be started: {error}")),
    }
}
