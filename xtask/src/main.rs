//! `cargo xtask`: keeps the tree tidy, its generated files fresh and its tests one command away.

mod corpus;
mod generated;
mod install;
mod page;
mod test;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask <command>

  test     format, lints, tests and tidiness: everything CI runs
  install  install the programs of others that tests run: into target/sdk, and the packages of web and clients
  page     build the page (web) into crates/page/dist; needs Node
  page-test
           the checks and tests of the page and its client library, against target/debug/aileron
  screenshots
           write pictures of the page into docs/images
  tidy     check headers, sizes, crate edges, dependencies (deny.toml) and generated files
  docs     write the generated files under docs/
  corpus   compile every tool definition of ../shared/corpora/tools-dev.jsonl.gz";

fn main() -> ExitCode {
    let command = std::env::args().nth(1);
    let result = match command.as_deref() {
        Some("test") => test::run(&root()),
        Some("install") => install::run(&root()),
        Some("page") => page::build(&root()),
        Some("page-test") => page::check(&root()).and_then(|()| page::test(&root())),
        Some("screenshots") => page::screenshots(&root()),
        Some("tidy") => tidy::run(&root()),
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
