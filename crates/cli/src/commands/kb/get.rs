//! `aileron kb get`: records by their ids.

use aileron_contract::kb::Namespace;
use aileron_kb::KnowledgeBase;
use serde_json::json;

use super::{name_missing, record};
use crate::args::{DataFormat, KbGetArgs};
use crate::commands::findings::pretty;
use crate::knowledge::failure;
use crate::output::{self, ExitOutcome, Failure};

pub(super) fn run(args: &KbGetArgs, kb: &KnowledgeBase) -> Result<ExitOutcome, Failure> {
    let fetched = kb.read(&args.ids, &Namespace::ALL).map_err(failure)?;
    match args.format {
        DataFormat::Json => output::data(&pretty(&json!(fetched)))?,
        DataFormat::Text if fetched.records.is_empty() => {}
        DataFormat::Text => {
            let pages: Vec<_> = fetched.records.iter().map(record::page).collect();
            output::data(&pages.join("\n\n"))?;
        }
    }
    name_missing(&fetched.missing);
    Ok(if fetched.missing.is_empty() { ExitOutcome::Fine } else { ExitOutcome::Findings })
}
