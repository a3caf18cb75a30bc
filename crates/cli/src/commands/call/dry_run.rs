//! `--dry-run`: shows the decision of the policies. Nothing is stored.

use std::sync::Arc;

use aileron_contract::ToolCall;
use aileron_orchestrator::{Decision, DryRunCall};
use aileron_runtime::Registry;
use serde_json::json;

use super::session::{self, closed};
use crate::args::{CallArgs, DataFormat};
use crate::commands::findings::pretty;
use crate::output::{self, ExitOutcome, Failure, tame};
use crate::settings::Settings;

pub(super) async fn run(
    args: &CallArgs,
    settings: &Settings,
    registry: Arc<Registry>,
    call: ToolCall,
) -> Result<ExitOutcome, Failure> {
    let (orchestrator, _storage) = session::orchestrator(args, settings, registry)?;
    let opening = session::opening(args)?;
    let calls = orchestrator.dry_run(&opening, vec![call]).await.map_err(closed)?;
    for call in &calls {
        output::data(&match args.format {
            DataFormat::Text => format!("{}\n{}", tame(&sentence(call)), trail(call)),
            DataFormat::Json => pretty(&json!(call)),
        })?;
    }
    let refused = calls.iter().any(|call| matches!(call.decision, Decision::Refuse(_)));
    Ok(if refused { ExitOutcome::Findings } else { ExitOutcome::Fine })
}

/// Every policy that the call met, with its number.
fn trail(call: &DryRunCall) -> String {
    let steps: Vec<_> = call.trail.iter().map(ToString::to_string).collect();
    format!("policies: {}", steps.join(", "))
}

/// The decision as a sentence.
fn sentence(call: &DryRunCall) -> String {
    match &call.decision {
        Decision::Run(_) => {
            let clamped = call.clamped.iter().map(|clamp| {
                format!("; {} is brought from {} to {}", clamp.pointer, clamp.from, clamp.to)
            });
            format!("would run with {}{}", call.args, clamped.collect::<String>())
        }
        Decision::Ask(_) => {
            format!("would ask the person: {}", call.preview.as_deref().unwrap_or_default())
        }
        Decision::Hold(_) => "would wait for the person's answer about another call".to_owned(),
        Decision::Replay(..) => "was made before; its answer would be given again".to_owned(),
        Decision::Refuse(refusal) => {
            let failure = &refusal.failure;
            let way_out = failure.suggestion.as_ref().map(|it| format!("; {it}"));
            let (kind, message) = (failure.kind.as_str(), &failure.message);
            format!(
                "would be refused by {} ({kind}): {message}{}",
                refusal.by,
                way_out.unwrap_or_default()
            )
        }
    }
}
