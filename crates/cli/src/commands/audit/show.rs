//! `aileron audit show`: one record whole.

use aileron_contract::spec::Category;
use aileron_contract::{AuditEntry, AuditRecord, CallId, ErrorType, UserId};
use aileron_store::{AuditFilter, AuditLog};
use serde_json::Value;

use super::failure;
use crate::args::{DataFormat, ShowArgs};
use crate::commands::findings::pretty;
use crate::moment;
use crate::output::{self, ExitOutcome, Failure, count, tame};

/// Maximum number of records in the message.
const NAMED: usize = 10;

const INDENT: &str = "\n              ";

pub(super) fn run(args: &ShowArgs, log: &AuditLog) -> Result<ExitOutcome, Failure> {
    let record = find(&args.record, log)?;
    output::data(&match args.format {
        DataFormat::Text => page(&record),
        DataFormat::Json => pretty(&serde_json::to_value(&record).unwrap_or_default()),
    })?;
    Ok(ExitOutcome::Fine)
}

/// The record of this number, or else of the call of this id.
fn find(word: &str, log: &AuditLog) -> Result<AuditRecord, Failure> {
    if let Some(record) = numbered(word, log)? {
        return Ok(record);
    }
    let mut records = of_call(word, log)?;
    match records.len() {
        1 => Ok(records.remove(0)),
        0 => Err(Failure::Usage(format!(
            "there is no record {word:?}; `aileron audit tail` shows the newest"
        ))),
        _ => Err(several(word, &records)),
    }
}

fn numbered(word: &str, log: &AuditLog) -> Result<Option<AuditRecord>, Failure> {
    let Ok(from) = word.parse::<u64>() else { return Ok(None) };
    let first = log.read(AuditFilter { from, limit: Some(1), ..AuditFilter::default() }).next();
    let record = first.transpose().map_err(failure)?;
    Ok(record.filter(|record| record.seq == from))
}

fn of_call(word: &str, log: &AuditLog) -> Result<Vec<AuditRecord>, Failure> {
    let call_id = CallId::new(word).map_err(|error| Failure::Usage(error.to_string()))?;
    let filter = AuditFilter { call_id: Some(call_id), ..AuditFilter::default() };
    log.read(AuditFilter { limit: Some(NAMED), ..filter })
        .collect::<Result<_, _>>()
        .map_err(failure)
}

fn several(word: &str, records: &[AuditRecord]) -> Failure {
    let numbers: Vec<_> = records.iter().map(|record| record.seq.to_string()).collect();
    Failure::Usage(format!("call {word:?} has several records; show one of {}", numbers.join(", ")))
}

fn page(record: &AuditRecord) -> String {
    let entry = &record.entry;
    let line = |(name, value): (&str, String)| format!("{name:<13} {value}");
    lines(record, entry).map(line).join("\n")
}

fn lines(record: &AuditRecord, entry: &AuditEntry) -> [(&'static str, String); 17] {
    [
        ("record", record.seq.to_string()),
        ("time", moment::written(entry.time)),
        ("conversation", tame(entry.conversation.as_str())),
        ("turn", entry.turn.to_string()),
        ("mode", entry.mode.as_str().to_owned()),
        ("user", tame(entry.user.as_ref().map_or("-", UserId::as_str))),
        ("call", tame(entry.call_id.as_str())),
        ("tool", tool(entry)),
        ("category", entry.category.map_or("-", Category::as_str).to_owned()),
        ("registry", tame(&entry.registry_version)),
        ("outcome", tame(&entry.outcome.to_string())),
        ("error", entry.error.map_or("-", ErrorType::as_str).to_owned()),
        ("duration", duration(entry)),
        ("args", json(&entry.args)),
        ("result", result(entry)),
        ("previous", record.previous.to_string()),
        ("hash", record.hash.to_string()),
    ]
}

fn tool(entry: &AuditEntry) -> String {
    tame(&match &entry.tool_version {
        Some(version) => format!("{} {version}", entry.tool_id),
        None => format!("{} (no such tool)", entry.tool_id),
    })
}

fn duration(entry: &AuditEntry) -> String {
    let attempts = usize::try_from(entry.attempts).unwrap_or(usize::MAX);
    format!("{} ms, {}", entry.duration, count(attempts, "attempt"))
}

fn result(entry: &AuditEntry) -> String {
    match (&entry.result, entry.result_bytes) {
        (Some(result), _) => json(result),
        (None, Some(bytes)) => format!("left out: {bytes} bytes"),
        (None, None) => "-".to_owned(),
    }
}

/// Indented JSON, under the column of values.
fn json(value: &Value) -> String {
    pretty(value).lines().map(tame).collect::<Vec<_>>().join(INDENT)
}
