//! `aileron migrate`: what the tools of another server need to run here.

mod locate;
mod report;
mod write;

use std::path::Path;

use aileron_compiler::migrate::{self, MigrationPlan, Verdict};
use aileron_compiler::{Folder, tree::ReadError};

use crate::args::{DataFormat, MigrateArgs};
use crate::commands::findings::{pretty, written};
use crate::output::{self, ExitOutcome, Failure, count};
use crate::settings::Settings;
use crate::toolset;

pub(crate) fn run(args: &MigrateArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    let options = Settings::load(config)?.compile_options();
    let tools = locate::tools_folder(&args.folder)?;
    let folder = Folder::open(&tools).map_err(|error| unreadable(&tools, &error))?;
    let plan = migrate::plan(&folder, &options, &toolset::find_native);
    let written = match args.write {
        true => write::all(&tools, &plan, args.trust)?,
        false => Vec::new(),
    };
    match args.format {
        DataFormat::Text => output::data_all(report::text(&tools, &plan, args))?,
        DataFormat::Json => output::data(&pretty(&report::json(&tools, &plan, &written)))?,
    }
    if args.write {
        output::talk(&match written.len() {
            0 => "no file was changed".to_owned(),
            files => format!("{} changed: {}", count(files, "file"), written.join(", ")),
        });
    }
    Ok(outcome(&plan))
}

/// Fine if every tool compiled as it was, before anything was written.
fn outcome(plan: &MigrationPlan) -> ExitOutcome {
    let is_done =
        plan.toolset.is_empty() && plan.tools.iter().all(|tool| tool.verdict == Verdict::AsItIs);
    if is_done { ExitOutcome::Fine } else { ExitOutcome::Findings }
}

fn unreadable(folder: &Path, error: &ReadError) -> Failure {
    let why = match error {
        ReadError::NotFound => "it does not exist".to_owned(),
        ReadError::BadLink(why) | ReadError::Other(why) => why.clone(),
        ReadError::TooLarge { .. } => "it is too large".to_owned(),
    };
    Failure::Usage(format!("`{}` cannot be read: {why}", written(folder)))
}
