//! `--dry-run`: what the gates would decide. Nothing of it is kept.

use std::sync::Arc;

use aileron_contract::ToolCall;
use aileron_orchestrator::Decision;
use aileron_runtime::Registry;
use serde_json::json;

use super::session::{self, closed};
use crate::args::{CallArgs, DataFormat};
use crate::commands::findings::pretty;
use crate::output::{self, Failure, Outcome, tame};
use crate::settings::Settings;

pub(super) async fn run(
    args: &CallArgs,
    settings: &Settings,
    registry: Arc<Registry>,
    call: ToolCall,
) -> Result<Outcome, Failure> {
    let (orchestrator, _store) = session::orchestrator(args, settings, registry)?;
    let opening = session::opening(args)?;
    let decisions = orchestrator.dry_run(&opening, vec![call]).await.map_err(closed)?;
    for decision in &decisions {
        output::data(&match args.format {
            DataFormat::Text => tame(&sentence(decision)),
            DataFormat::Json => pretty(&json!(decision)),
        })?;
    }
    let refused = decisions.iter().any(|one| matches!(one, Decision::Refuse { .. }));
    Ok(if refused { Outcome::Findings } else { Outcome::Fine })
}

fn sentence(decision: &Decision) -> String {
    match decision {
        Decision::Run { args, clamped } => {
            let brought = clamped.iter().map(|clamp| {
                format!("; {} is brought from {} to {}", clamp.pointer, clamp.from, clamp.to)
            });
            format!("would run with {args}{}", brought.collect::<String>())
        }
        Decision::Ask { preview } => format!("would ask the person: {preview}"),
        Decision::Replay => "was made before; its answer would be given again".to_owned(),
        Decision::Refuse { policy, failure } => {
            let way_out = failure.suggestion.as_ref().map(|it| format!("; {it}"));
            let (kind, message) = (failure.kind.as_str(), &failure.message);
            format!(
                "would be refused by {policy} ({kind}): {message}{}",
                way_out.unwrap_or_default()
            )
        }
    }
}
