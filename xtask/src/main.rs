//! `cargo xtask`: keeps the tree tidy, its generated files fresh and its tests one command away.

mod corpus;
mod generated;
mod python;
mod sdk;
mod sdk_chat;
mod sdk_text;
mod test;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask <command>

  test     format, lints, tests and tidiness: everything CI runs
  sdk      install the providers' SDKs, which test the simulator, into target/sdk
  python   install the Python programs that tests run, under target/
  tidy     check headers, sizes, crate edges and generated files
  sdk-chat install the chat clients that test the server
  sdk-text install the SDKs that test the simulator in writing
  docs     write the generated files under docs/
  corpus   compile every tool definition of ../shared/corpora/tools-dev.jsonl.gz";

fn main() -> ExitCode {
    let command = std::env::args().nth(1);
    let result = match command.as_deref() {
        Some("test") => test::run(&root()),
        Some("sdk") => sdk::install(&root()),
        Some("python") => python::install(&root()),
        Some("tidy") => tidy::run(&root()),
        Some("sdk-chat") => sdk_chat::install(&root()),
        Some("sdk-text") => sdk_text::install(&root()),
        Some("docs") => generated::write(&root()),
        Some("corpus") => corpus::run(&root()),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            say(&message);
            ExitCode::FAILURE
        }
    }
}

/// The top of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned).unwrap_or_default()
}

/// Prints a line for a person.
#[expect(clippy::print_stderr, reason = "a developer's command talks to a developer")]
fn say(text: &str) {
    eprintln!("{text}");
}

/// Prints a line of a report.
#[expect(clippy::print_stdout, reason = "the report is the data of the command")]
fn report(text: &str) {
    println!("{text}");
}
