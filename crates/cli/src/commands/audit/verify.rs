//! `aileron audit verify`: walks the chain and names the first broken record.

use aileron_contract::audit::ChainBreak;
use aileron_store::{AuditLog, ChainReport, StoreError};
use serde_json::json;

use super::failure;
use crate::args::{DataFormat, VerifyArgs};
use crate::commands::findings::pretty;
use crate::output::{self, ExitOutcome, Failure, tame};

const WHOLE: &str =
    "the chain is whole; keep its head elsewhere to notice a log that was cut off and written anew";

pub(super) fn run(args: &VerifyArgs, log: &AuditLog) -> Result<ExitOutcome, Failure> {
    match log.verify() {
        Ok(verified) => whole(args, &verified),
        Err(StoreError::BrokenChain(broken)) => report(args, &broken),
        Err(error) => Err(failure(error)),
    }
}

fn whole(
    args: &VerifyArgs,
    ChainReport { records, base, head }: &ChainReport,
) -> Result<ExitOutcome, Failure> {
    match args.format {
        DataFormat::Json => {
            let verdict = json!({"ok": true, "records": records, "base": base, "head": head});
            output::data(&pretty(&verdict))?;
        }
        DataFormat::Text => {
            let link = |name: &str, seq, hash| format!("{name}  record {seq}, {hash}");
            output::data(&format!("records  {records}"))?;
            output::data(&link("base   ", base.seq, &base.hash))?;
            output::data(&link("head   ", head.seq, &head.hash))?;
            output::talk(WHOLE);
        }
    }
    Ok(ExitOutcome::Fine)
}

fn report(args: &VerifyArgs, broken: &ChainBreak) -> Result<ExitOutcome, Failure> {
    output::data(&match args.format {
        DataFormat::Text => tame(&broken.to_string()),
        DataFormat::Json => {
            pretty(&json!({"ok": false, "broken": {"seq": broken.seq, "why": broken.why}}))
        }
    })?;
    Ok(ExitOutcome::Findings)
}
