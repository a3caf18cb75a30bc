//! `aileron audit replay`: the decisions of another registry about a conversation's calls.

use std::path::Path;

use aileron_contract::AuditRecord;
use aileron_orchestrator::replay::{Replay, ReplayedCall, replay};
use aileron_runtime::Registry;
use aileron_store::AuditFilter;
use serde_json::json;

use super::{failure, open};
use crate::args::{DataFormat, ReplayArgs};
use crate::commands::findings::pretty;
use crate::installation::unusable;
use crate::output::{self, ExitOutcome, Failure, count, tame};
use crate::settings::Settings;
use crate::toolset::{Purpose, ToolsetSource};

pub(super) fn run(args: &ReplayArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    let settings = Settings::load(config)?;
    let records = records(args, config)?;
    let (text, source) = ToolsetSource::of(&args.source, &settings).text(Purpose::Look)?;
    let registry = Registry::load_rules(&text).map_err(|error| unusable(&source, &error))?;
    let replayed = replay(records, registry, &settings.policies);
    let replayed = replayed.map_err(|error| Failure::Usage(error.to_string()))?;
    print(args, &replayed)?;
    let same = replayed.differing().next().is_none();
    Ok(if same { ExitOutcome::Fine } else { ExitOutcome::Findings })
}

fn records(args: &ReplayArgs, config: Option<&Path>) -> Result<Vec<AuditRecord>, Failure> {
    let conversation = Some(args.conversation.clone());
    let filter = AuditFilter { conversation, ..AuditFilter::default() };
    let records: Result<Vec<_>, _> = open(&args.store, config)?.read(filter).collect();
    let records = records.map_err(failure)?;
    if records.is_empty() {
        let id = args.conversation.as_str();
        let way_out = "`aileron audit tail` shows the newest";
        return Err(Failure::Usage(format!("there are no records of {id:?}; {way_out}")));
    }
    Ok(records)
}

fn print(args: &ReplayArgs, replay: &Replay) -> Result<(), Failure> {
    if args.format == DataFormat::Json {
        return output::data(&pretty(&json!(replay)));
    }
    let told = replay.calls.iter().filter(|call| call.differs || !call.doubts.is_empty());
    told.map(page).try_for_each(|page| output::data(&page))?;
    output::talk(&summary(replay));
    Ok(())
}

fn page(call: &ReplayedCall) -> String {
    let word = if call.differs { "differs" } else { "same" };
    let mut lines = vec![
        format!("record {}, turn {}, {}: {word}", call.seq, call.turn, call.tool_id),
        format!("  then   {} ({})", call.then, call.outcome),
        format!("  now    {}", call.now),
    ];
    lines.extend(call.doubts.iter().map(|doubt| format!("  doubt  {doubt}")));
    lines.iter().map(|line| tame(line)).collect::<Vec<_>>().join("\n")
}

fn summary(replay: &Replay) -> String {
    format!(
        "{} of registry {} against {}: {} decided otherwise, {} in doubt",
        count(replay.calls.len(), "call"),
        tame(&replay.then),
        replay.now,
        replay.differing().count(),
        replay.doubtful().count()
    )
}
