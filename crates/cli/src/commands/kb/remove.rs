//! `aileron kb remove`: removes records by their ids.

use aileron_contract::kb::Namespace;
use aileron_kb::{IndexStart, KnowledgeBase};
use serde_json::json;

use super::{must_exist, name_missing};
use crate::args::{DataFormat, RemoveArgs};
use crate::commands::findings::pretty;
use crate::knowledge::failure;
use crate::output::{self, ExitOutcome, Failure, count};

pub(super) fn run(args: &RemoveArgs, kb: &KnowledgeBase) -> Result<ExitOutcome, Failure> {
    must_exist(kb)?;
    let missing = kb.read(&args.ids, &Namespace::ALL).map_err(failure)?.missing;
    let removed = remove(args, kb).map_err(failure)?;
    match args.format {
        DataFormat::Json => output::data(&pretty(&json!({
            "removed": removed, "missing": missing, "dryRun": args.dry_run,
        })))?,
        DataFormat::Text => output::talk(&sentence(args, removed.len())),
    }
    name_missing(&missing);
    Ok(if missing.is_empty() { ExitOutcome::Fine } else { ExitOutcome::Findings })
}

/// The ids that existed.
fn remove<'a>(
    args: &'a RemoveArgs,
    kb: &KnowledgeBase,
) -> Result<Vec<&'a str>, aileron_kb::KbError> {
    let mut change = match args.dry_run {
        true => kb.rehearse()?,
        false => kb.begin(IndexStart::Continue)?,
    };
    let mut removed = Vec::new();
    for id in &args.ids {
        if change.remove(id)? {
            removed.push(id.as_str());
        }
    }
    change.commit()?;
    Ok(removed)
}

fn sentence(args: &RemoveArgs, removed: usize) -> String {
    let verb = if args.dry_run { "would be removed" } else { "removed" };
    format!("{} {verb}", count(removed, "record"))
}
