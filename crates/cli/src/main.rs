//! The `aileron` command: parses arguments, calls the libraries, prints.
//!
//! stdout is data, stderr is talk. Exit 0: fine; 1: findings; 2: wrong usage.

mod archive;
mod args;
mod commands;
mod file_watch;
mod git;
mod installation;
mod interrupt;
mod json_lines;
mod knowledge;
mod log;
mod moment;
mod output;
mod progress;
mod project;
mod scaffold;
mod seed;
mod settings;
mod stamp;
mod storage;
mod table;
mod toolset;
mod writer;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Args, Command};
use crate::output::{Failure, Outcome};

/// Builds allocate from many threads at once: the system's allocator took a quarter of their time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args = Args::parse();
    args.color.apply();
    match run(&args) {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Err(failure) => {
            output::talk(&failure.to_string());
            ExitCode::from(failure.exit_code())
        }
    }
}

fn run(args: &Args) -> Result<Outcome, Failure> {
    let config = args.config.as_deref();
    match &args.command {
        Command::Init(args) => commands::init::run(args),
        Command::New(args) => commands::new::run(args),
        Command::Build(args) => commands::build::run(args, config),
        Command::Check(args) => commands::check::run(args, config),
        Command::Explain(args) => commands::explain::run(args),
        Command::Diff(args) => commands::diff::run(args, config),
        Command::List(args) => commands::list::run(args, config),
        Command::Describe(args) => commands::describe::run(args, config),
        Command::Call(args) => commands::call::run(args, config),
        Command::Chat(args) => commands::chat::run(args, config),
        Command::Test(args) => commands::test::run(args, config),
        Command::Kb(args) => commands::kb::run(args, config),
        Command::Serve(args) => commands::serve::run(args, config),
        Command::Audit(args) => commands::audit::run(args, config),
        Command::Stats(args) => commands::stats::run(args, config),
        Command::Blocks(args) => commands::blocks::run(args, config),
        Command::Simulate(args) => commands::simulate::run(args),
        Command::Schema(args) => commands::schema::run(args),
        Command::Completions(args) => commands::completions::run(args),
        Command::JsWorker => commands::js_worker::run(),
    }
}
