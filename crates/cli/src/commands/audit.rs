//! `aileron audit`: reads the audit log of a store, also while others write it.

mod export;
mod replay;
mod row;
mod show;
mod tail;
mod verify;

use std::path::Path;

use aileron_store::{AuditLog, StoreError};

use crate::args::{AuditArgs, AuditCommand, StoreArgs};
use crate::output::{ExitOutcome, Failure};
use crate::settings::Settings;

const NO_STORE: &str = "the first call makes it; if it is elsewhere, name it with --store, \
                        or as `path` of [store] in aileron.toml";

const NO_RECORDS: &str = "there are no records yet; each call leaves one";

const NONE_FITS: &str = "no record fits; leave out a filter to see more";

pub(crate) fn run(args: &AuditArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    match &args.command {
        AuditCommand::Tail(args) => tail::run(args, &open(&args.store, config)?),
        AuditCommand::Show(args) => show::run(args, &open(&args.store, config)?),
        AuditCommand::Verify(args) => verify::run(args, &open(&args.store, config)?),
        AuditCommand::Export(args) => export::run(args, &open(&args.store, config)?),
        AuditCommand::Replay(args) => replay::run(args, config),
    }
}

/// Opens the audit log of the selected store.
pub(crate) fn open(args: &StoreArgs, config: Option<&Path>) -> Result<AuditLog, Failure> {
    let path = match &args.store {
        Some(path) => path.clone(),
        None => Settings::load(config)?.store.path,
    };
    AuditLog::open(&path).map_err(failure)
}

/// A file that is not a store is wrong usage; other errors are failures.
pub(crate) fn failure(error: StoreError) -> Failure {
    match error {
        StoreError::Missing { .. } => Failure::Usage(format!("{error}; {NO_STORE}")),
        StoreError::NotOurs { .. } | StoreError::Newer { .. } => Failure::Usage(error.to_string()),
        other => Failure::Failed(other.to_string()),
    }
}

/// Why there is nothing to print, and what to do.
pub(crate) fn nothing(log: &AuditLog) -> Result<&'static str, Failure> {
    let empty = log.end().map_err(failure)? == 1;
    Ok(if empty { NO_RECORDS } else { NONE_FITS })
}
