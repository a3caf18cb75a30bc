//! Launches a worker process, for tests and for embedding; the `aileron` command has the same.

use std::process::ExitCode;

fn main() -> ExitCode {
    let error = aileron_workers::launch::run(std::env::args_os().skip(1));
    eprintln!("{error}");
    ExitCode::FAILURE
}
