//! Launches a worker process, for tests and for embedding; the `aileron` command has the same.

#![allow(
    clippy::print_stderr,
    reason = "the standard error of a process that could not be launched is read"
)]

use std::process::ExitCode;

fn main() -> ExitCode {
    let error = aileron_workers::launch::run(std::env::args_os().skip(1));
    eprintln!("{error}");
    ExitCode::FAILURE
}
