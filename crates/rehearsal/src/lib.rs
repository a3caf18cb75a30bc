//! Plays conversation scripts through the pipeline, with test doubles and a clock that only the
//! script moves, and reports the decision of every step.
//!
//! It is a separate crate because two test suites use it: that of the pipeline checks the
//! expectations of each script, and the conformance suite of the server
//! (`crates/server/tests/it/conformance.rs`) plays the same scripts over every transport, with a
//! simulated provider on one side and a real client on the other, and compares answers, records and
//! model input with the direct run. No shipped crate depends on it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "all of this crate is for tests, where a surprise ends the test"
)]

pub mod check;
pub mod claims;
mod environment;
mod observer;
mod rows;
mod run;
pub mod toolset;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use aileron_script::Script;

pub use self::check::FailedExpectation;
pub use self::environment::{ScriptClock, ScriptEnvironment, ScriptKb};
pub use self::observer::RecordingObserver;
pub use self::run::{Run, RunOptions, RunResult, StepResult, person, readers};

/// The folder of the scripts.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../orchestrator/tests/conversations")
}

/// The names of all scripts.
pub fn names() -> BTreeSet<String> {
    let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let pages = files.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    let names = pages.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned());
    names.filter(|name| name != "README").collect()
}

/// Reads a script by its name.
pub fn read(name: &str) -> Script {
    let text = fs::read_to_string(folder().join(format!("{name}.md"))).unwrap();
    match aileron_script::parse(name, &text) {
        Ok(script) => script,
        Err(fault) => panic!("{name}.md:{}: {}", fault.line, fault.why),
    }
}

/// A fault with the place of its line.
pub fn report(name: &str, fault: &FailedExpectation) -> String {
    let FailedExpectation { line, expected, found } = fault;
    format!("{name}.md:{line}\n  expected: {expected}\n  found:    {found}")
}
