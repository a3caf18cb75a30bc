//! External programs for tests: official SDKs, chat clients, a calendar server, a checker of APIs, a browser.
//!
//! Each has a folder with its list of packages (`package-lock.json`, `requirements.txt`) and is
//! installed into one of the same name under `target/sdk`. The lists of the last installation are
//! recorded, so that a second run does nothing. The packages of our own web code are installed where it is.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::say;

/// The folders with the lists.
const SOURCES: &[&str] = &[
    "crates/simulator/tests/sdk/live",
    "crates/simulator/tests/sdk/newest",
    "crates/simulator/tests/sdk/text",
    "crates/server/tests/sdk/api",
    "crates/server/tests/sdk/chat",
    "crates/calendar/tests/sdk/radicale",
];

/// The folders of our own web code.
const IN_PLACE: &[&str] =
    &["web", "web/e2e", "clients/typescript", "clients/typescript/example-next"];

const INTO: &str = "target/sdk";

/// The list for Node, and the one for Python.
const NODE: &str = "package-lock.json";
const PYTHON: &str = "requirements.txt";

const LISTS: &[&str] = &["package.json", NODE, ".npmrc", PYTHON];

/// Written last, so that an interrupted installation is repeated.
const STAMP: &str = "installed";

/// The folder of installed packages.
const PACKAGES: &str = "node_modules";

/// Installs missing or outdated programs.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    for source in SOURCES {
        let from = root.join(source);
        let name = from.file_name().unwrap_or_default();
        install(&from, &root.join(INTO).join(name))?;
    }
    run_in_place(root, IN_PLACE)
}

/// Installs the packages of our own web code.
pub(crate) fn run_in_place(root: &Path, folders: &[&str]) -> Result<(), String> {
    for folder in folders {
        let place = root.join(folder);
        let wanted = texts(&place, &["package.json", NODE])?;
        let stamp = place.join(PACKAGES).join(STAMP);
        if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
            continue;
        }
        say(&format!("installing {}", place.join(PACKAGES).display()));
        node(&place)?;
        fs::write(&stamp, wanted).map_err(|error| failed(&stamp, &error))?;
    }
    Ok(())
}

fn node(place: &Path) -> Result<(), String> {
    finish(Command::new("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(place))
}

fn install(from: &Path, into: &Path) -> Result<(), String> {
    let lists: Vec<&str> = LISTS.iter().copied().filter(|list| from.join(list).is_file()).collect();
    let wanted = texts(from, &lists)?;
    let stamp = into.join(STAMP);
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    say(&format!("installing {}", into.display()));
    fs::create_dir_all(into).map_err(|error| failed(into, &error))?;
    for list in &lists {
        fs::copy(from.join(list), into.join(list))
            .map_err(|error| failed(&from.join(list), &error))?;
    }
    if lists.contains(&NODE) {
        node(into)?;
    }
    if lists.contains(&PYTHON) {
        python(into)?;
    }
    fs::write(&stamp, wanted).map_err(|error| failed(&stamp, &error))
}

fn python(into: &Path) -> Result<(), String> {
    let place = into.join("python");
    finish(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&place))?;
    let quietly = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"];
    finish(Command::new(place.join("bin/python")).args(quietly).arg(into.join(PYTHON)))
}

/// The lists, one after the other.
fn texts(from: &Path, lists: &[&str]) -> Result<String, String> {
    let texts = lists.iter().map(|list| {
        let path = from.join(list);
        fs::read_to_string(&path).map_err(|error| failed(&path, &error))
    });
    texts.collect()
}

fn failed(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

pub(crate) fn finish(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("failed with {status}: {command:?}")),
        Err(error) => Err(format!("could not be started: {command:?}: {error}")),
    }
}
