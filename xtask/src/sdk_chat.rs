//! The chat clients that the server is tested with, installed where its tests look for them.
//!
//! What is installed is remembered by the lists it came from, so that a second run costs nothing.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::say;

/// The lists of packages.
const LISTS: &[&str] = &["package.json", "package-lock.json", ".npmrc"];

const FROM: &str = "crates/server/tests/sdk/chat";
const INTO: &str = "target/sdk-chat";

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
    npm(&into, &["ci", "--no-audit", "--no-fund"])?;
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

fn npm(folder: &Path, args: &[&str]) -> Result<(), String> {
    say(&format!("npm {}", args.join(" ")));
    match Command::new("npm").args(args).current_dir(folder).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("failed: npm {}", args.join(" "))),
        Err(error) => Err(format!("npm could not be started: {error}")),
    }
}
