//! The official SDKs of the providers, with which the simulator is tested: Node's and
//! Python's, of the versions in `crates/simulator/tests/sdk`, into `target/sdk`.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::say;

const SOURCES: &str = "crates/simulator/tests/sdk";

const NODE_FILES: &[&str] = &["package.json", "package-lock.json", ".npmrc"];

/// The file that says of what versions an installation is.
const DONE: &str = "installed";

/// Installs what is missing or of other versions. Quick when all is there.
pub(crate) fn install(root: &Path) -> Result<(), String> {
    let (sources, target) = (root.join(SOURCES), root.join("target/sdk"));
    node(&sources, &target.join("node"))?;
    python(&sources.join("requirements.txt"), &target.join("python"))
}

fn node(sources: &Path, place: &Path) -> Result<(), String> {
    let wanted = read(&sources.join("package-lock.json"))?;
    if is_done(place, &wanted) {
        return Ok(());
    }
    say("npm ci (the SDKs for Node, into target/sdk/node)");
    fs::create_dir_all(place).map_err(|error| failed(place, &error))?;
    for file in NODE_FILES {
        let (from, to) = (sources.join(file), place.join(file));
        fs::copy(&from, to).map_err(|error| failed(&from, &error))?;
    }
    run(Command::new("npm").args(["ci", "--no-fund", "--no-audit"]).current_dir(place))?;
    finish(place, &wanted)
}

fn python(requirements: &Path, place: &Path) -> Result<(), String> {
    let wanted = read(requirements)?;
    if is_done(place, &wanted) {
        return Ok(());
    }
    say("pip install (the SDKs for Python, into target/sdk/python)");
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(place))?;
    let pip = place.join("bin/python");
    let quietly = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"];
    run(Command::new(pip).args(quietly).arg(requirements))?;
    finish(place, &wanted)
}

fn is_done(place: &Path, wanted: &str) -> bool {
    fs::read_to_string(place.join(DONE)).is_ok_and(|found| found == wanted)
}

fn finish(place: &Path, wanted: &str) -> Result<(), String> {
    let path = place.join(DONE);
    fs::write(&path, wanted).map_err(|error| failed(&path, &error))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| failed(path, &error))
}

fn failed(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

fn run(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("failed with {status}: {command:?}")),
        Err(error) => Err(format!("could not be started: {command:?}: {error}")),
    }
}
