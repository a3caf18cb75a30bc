//! The page: its build, its checks, its tests in Chromium and pictures of it. The sources are in `web`, the tests in
//! `web/e2e`, the client library in `clients/typescript`.

use std::path::Path;
use std::process::Command;

use crate::install::finish;
use crate::{install, say};

const WEB: &str = "web";
const CLIENTS: &str = "clients/typescript";
const BROWSER: &str = "web/e2e";

/// The checks that need no server: types, unit tests, and whether the committed files are those of the sources.
const CHECKS: &[(&str, &[&str])] = &[
    (WEB, &["run", "check"]),
    (WEB, &["test"]),
    (WEB, &["run", "current"]),
    (CLIENTS, &["run", "check"]),
    (BROWSER, &["run", "check"]),
];

/// The tests that start the server.
const TESTS: &[(&str, &[&str])] = &[(CLIENTS, &["test"]), (BROWSER, &["test"])];

/// The program that the tests start, and the variable that names it.
const PROGRAM: &str = "target/debug/aileron";
const PROGRAM_VARIABLE: &str = "AILERON_BIN";

/// Builds the page into `crates/page/dist`.
pub(crate) fn build(root: &Path) -> Result<(), String> {
    install::run_in_place(root, &[WEB])?;
    npm(root, WEB, &["run", "build"])
}

pub(crate) fn check(root: &Path) -> Result<(), String> {
    CHECKS.iter().try_for_each(|(folder, arguments)| npm(root, folder, arguments))
}

/// Runs the tests in Chromium and those of the client library against the built program.
pub(crate) fn test(root: &Path) -> Result<(), String> {
    TESTS.iter().try_for_each(|(folder, arguments)| npm(root, folder, arguments))
}

/// Writes a picture of each view, light and dark, into `docs/images`.
pub(crate) fn screenshots(root: &Path) -> Result<(), String> {
    install::run_in_place(root, &[BROWSER])?;
    finish(Command::new(env!("CARGO")).args(["build", "--locked"]).current_dir(root))?;
    npm(root, BROWSER, &["run", "screenshots"])
}

fn npm(root: &Path, folder: &str, arguments: &[&str]) -> Result<(), String> {
    say(&format!("npm --prefix {folder} {}", arguments.join(" ")));
    let program = root.join(PROGRAM);
    let mut command = Command::new("npm");
    command.args(arguments).current_dir(root.join(folder)).env(PROGRAM_VARIABLE, program);
    finish(&mut command)
}
