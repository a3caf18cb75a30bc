//! `--dry-run`: what the gates would decide.

use aileron_contract::ToolCall;
use aileron_orchestrator::Decision;
use serde_json::json;

use super::session::Session;
use crate::args::{CallArgs, DataFormat};
use crate::commands::findings::pretty;
use crate::output::{self, Failure, Outcome, tame};

pub(super) async fn run(
    args: &CallArgs,
    session: &Session,
    call: ToolCall,
) -> Result<Outcome, Failure> {
    let decisions = session.conversation.dry_run_next_turn(vec![call]);
    if args.conversation.is_none() {
        // It was opened to be asked, and nobody knows its id. Where it cannot be deleted, it could
        // not be kept either.
        let _ = session.store.delete_conversation(session.conversation.id()).await;
    }
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
