//! The official SDKs that drive the simulator in writing, installed where its tests look for them.
//!
//! What is installed is remembered by the lists it came from, so that a second run costs nothing.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::say;

/// The lists of packages.
const LISTS: &[&str] = &["package.json", "package-lock.json", ".npmrc", "requirements.txt"];

const FROM: &str = "crates/simulator/tests/sdk/text";
const INTO: &str = "target/sdk-text";

pub(crate) fn install(root: &Path) -> Result<(), String> {
    let (from, into) = (root.join(FROM), root.join(INTO));
    let wanted = lists(&from)?;
    let stamp = into.join("installed");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    fs::create_dir_all(&into).map_err(|error| format!("{}: {error}", into.display()))?;
    for list in LISTS {
        fs::copy(from.join(list), into.join(list)).map_err(|error| format!("{list}: {error}"))?;
    }
    run(&into, "npm", &["ci", "--no-audit", "--no-fund"])?;
    run(&into, "python3", &["-m", "venv", "python"])?;
    let pip = into.join("python/bin/pip");
    run(
        &into,
        &pip.to_string_lossy(),
        &["install", "--quiet", "--requirement", "requirements.txt"],
    )?;
    fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))
}

/// The lists, one after the other.
fn lists(from: &Path) -> Result<String, String> {
    let texts = LISTS.iter().map(|list| {
        let path = from.join(list);
        fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    });
    texts.collect()
}

fn run(folder: &Path, program: &str, args: &[&str]) -> Result<(), String> {
    say(&format!("{program} {}", args.join(" ")));
    match Command::new(program).args(args).current_dir(folder).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("failed: {program} {}", args.join(" "))),
        Err(error) => Err(format!("{program} could not be started: {error}")),
    }
}
