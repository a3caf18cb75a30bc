//! `aileron blocks`: lists blocked people and lifts a block.

use std::path::Path;

use aileron_capability::{Clock, SystemClock};
use aileron_orchestrator::blocks::{self, LiftResult};
use aileron_store::{Block, SqliteOptions, SqliteStore, Store, StoreError};
use serde_json::json;

use crate::args::{
    BlocksArgs, BlocksCommand, BlocksLiftArgs, BlocksListArgs, DataFormat, StoreArgs,
};
use crate::commands::audit;
use crate::commands::findings::pretty;
use crate::installation::runtime;
use crate::moment;
use crate::output::{self, ExitOutcome, Failure, tame};
use crate::settings::Settings;
use crate::table::{Align, Cell, Table};

const COLUMNS: [(&str, Align); 3] =
    [("USER", Align::Left), ("UNTIL", Align::Left), ("SECONDS LEFT", Align::Right)];

const NOBODY: &str = "Nobody is blocked.";

pub(crate) fn run(args: &BlocksArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    match &args.command {
        BlocksCommand::List(args) => list(args, config),
        BlocksCommand::Lift(args) => lift(args, config),
    }
}

fn list(args: &BlocksListArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    let store = open(&args.store, config)?;
    let now = SystemClock.now_ms();
    let found = store.blocks(now).wait().map_err(audit::failure)?;
    match args.format {
        DataFormat::Json => {
            let one = |block: &Block| json!({ "user": block.user, "until": block.until });
            let blocks: Vec<_> = found.iter().map(one).collect();
            output::data(&pretty(&json!({ "blocks": blocks })))?;
        }
        DataFormat::Text if found.is_empty() => output::talk(NOBODY),
        DataFormat::Text => {
            let rows: Vec<_> = found.iter().map(|block| row(block, now)).collect();
            output::data(&Table::new(COLUMNS).whole(&rows))?;
        }
    }
    Ok(ExitOutcome::Fine)
}

fn row(block: &Block, now: u64) -> [Cell; 3] {
    let left = block.until.saturating_sub(now).div_ceil(1000);
    [tame(block.user.as_str()), moment::written(block.until), left.to_string()].map(Cell::from)
}

fn lift(args: &BlocksLiftArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    let store = open(&args.store, config)?;
    let lifted = blocks::lift(&store, &args.user, None, SystemClock.now_ms());
    let lifted = runtime()?.block_on(lifted).map_err(audit::failure)?;
    let user = tame(args.user.as_str());
    match (args.format, lifted) {
        (DataFormat::Json, _) => {
            let is_lifted = matches!(lifted, LiftResult::From { .. });
            output::data(&pretty(&json!({ "user": args.user, "lifted": is_lifted })))?;
        }
        (DataFormat::Text, LiftResult::From { until }) => {
            let until = moment::written(until);
            output::talk(&format!("The block of `{user}`, until {until}, is lifted."));
        }
        (DataFormat::Text, LiftResult::NotBlocked) => {
            output::talk(&format!("`{user}` is not blocked; `aileron blocks list` shows who is."));
        }
    }
    Ok(match lifted {
        LiftResult::From { .. } => ExitOutcome::Fine,
        LiftResult::NotBlocked => ExitOutcome::Findings,
    })
}

/// Opens an existing store; creates none.
pub(super) fn open(args: &StoreArgs, config: Option<&Path>) -> Result<SqliteStore, Failure> {
    let path = match &args.store {
        Some(path) => path.clone(),
        None => Settings::load(config)?.store.path,
    };
    if !path.exists() {
        return Err(audit::failure(StoreError::Missing { path }));
    }
    SqliteStore::open(path, SqliteOptions::default()).map_err(audit::failure)
}
