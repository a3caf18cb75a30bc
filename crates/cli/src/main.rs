//! The `aileron` command: parses arguments, reads `aileron.toml` (`settings`), calls the libraries
//! and prints.
//!
//! It decides only where to print and how to exit: results go to stdout, messages to stderr; exit
//! status 0 means success, 1 findings or a failure, 2 wrong usage or configuration, 3 a build without
//! the tools that have errors.
//! `settings/layers` applies the environment and flags over the file. `installation` and `storage`
//! assemble what a call needs, `commands/serve/assembly` a server. The hidden command `js-worker`
//! is the worker process of the sandbox, so that one binary is enough. `project` has the files that
//! `aileron init` writes; the build script embeds them from `tools/`, `prompts/` and
//! `demo/knowledge/`.

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
use crate::output::{ExitOutcome, Failure};

/// Builds allocate on many threads concurrently: the system's allocator took a quarter of their
/// time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args = Args::parse();
    args.color.apply();
    match run(&args) {
        Ok(ExitOutcome::Fine) => ExitCode::SUCCESS,
        Ok(ExitOutcome::Findings) => ExitCode::from(1),
        Ok(ExitOutcome::Partial) => ExitCode::from(3),
        Err(failure) => {
            output::talk(&failure.to_string());
            ExitCode::from(failure.exit_code())
        }
    }
}

fn run(args: &Args) -> Result<ExitOutcome, Failure> {
    let config = args.config.as_deref();
    match &args.command {
        Command::Init(args) => commands::init::run(args),
        Command::New(args) => commands::new::run(args),
        Command::Build(args) => commands::build::run(args, config),
        Command::Check(args) => commands::check::run(args, config),
        Command::Migrate(args) => commands::migrate::run(args, config),
        Command::Explain(args) => commands::explain::run(args),
        Command::Diff(args) => commands::diff::run(args, config),
        Command::List(args) => commands::list::run(args, config),
        Command::Describe(args) => commands::describe::run(args, config),
        Command::Call(args) => commands::call::run(args, config),
        Command::Chat(args) => commands::chat::run(args, config),
        Command::Test(args) => commands::test::run(args, config),
        Command::Kb(args) => commands::kb::run(args, config),
        Command::Models(args) => commands::models::run(args, config),
        Command::Serve(args) => commands::serve::run(args, config),
        Command::Registries(args) => commands::registries::run(args, config),
        Command::Audit(args) => commands::audit::run(args, config),
        Command::Stats(args) => commands::stats::run(args, config),
        Command::Blocks(args) => commands::blocks::run(args, config),
        Command::Tasks(args) => commands::tasks::run(args, config),
        Command::Providers(args) => commands::providers::run(args, config),
        Command::Simulate(args) => commands::simulate::run(args),
        Command::Schema(args) => commands::schema::run(args),
        Command::Completions(args) => commands::completions::run(args),
        Command::JsWorker => commands::js_worker::run(),
        Command::HandlerProcess(args) => commands::handler_process::run(args),
    }
}
