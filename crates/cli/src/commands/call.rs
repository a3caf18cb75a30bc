//! `aileron call`: one call through all policies, as an agent would make it.

mod arguments;
mod dry_run;
mod question;
mod session;
mod talk;

use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::Arc;

use aileron_contract::{CallId, ToolCall, ToolResponse};
use aileron_orchestrator::{Conversation, TurnInput};
use aileron_store::StoreError;

use self::session::CallSession;
use crate::args::{CallArgs, DataFormat};
use crate::installation;
use crate::interrupt::{self, CtrlC};
use crate::output::{self, ExitOutcome, Failure, tame};
use crate::settings::Settings;
use crate::toolset::{Purpose, ToolsetSource};

const CUT_IN: &str =
    "interrupted; what cannot stop half way is waited for (Ctrl-C again leaves it)";
const CANCELLING: &str = "cancelling the task (Ctrl-C again leaves it)";
const LEFT: &str = "stopped while the call was running; its outcome is unknown";

pub(crate) fn run(args: &CallArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    let settings = Settings::load(config)?;
    let call = ToolCall {
        call_id: call_id()?,
        tool_id: args.tool.replace('-', "_"),
        args: arguments::read(args.arguments.as_deref())?,
    };
    let (text, source) = ToolsetSource::of(&args.source, &settings).text(Purpose::Run)?;
    let registry =
        installation::registry(&text, &source, &settings.handlers, &settings.server.tools)?;
    talk::warn_of_absent_engines(&registry, &call.tool_id, &settings);
    let runtime = installation::runtime()?;
    let outcome = runtime.block_on(async {
        if args.dry_run {
            return dry_run::run(args, &settings, registry, call).await;
        }
        let session = CallSession::open(args, &settings, registry, &text).await?;
        make(args, &session, call).await
    });
    // A search that exceeded its deadline is not awaited.
    runtime.shutdown_background();
    outcome
}

fn call_id() -> Result<CallId, Failure> {
    let id = installation::fresh_id("call")?;
    CallId::new(id).map_err(|error| Failure::Failed(error.to_string()))
}

async fn make(
    args: &CallArgs,
    session: &CallSession,
    call: ToolCall,
) -> Result<ExitOutcome, Failure> {
    let mut ctrl_c = interrupt::ctrl_c()?;
    session.must_keep().await?;
    let conversation = &session.conversation;
    let begun = conversation.begin_turn(TurnInput::Written).await;
    let begun = begun.map_err(|error| Failure::Failed(error.to_string()))?;
    if let Some(message) = begun.pending_message {
        output::talk(&format!("kept for this turn: {}", tame(&message)));
    }
    let mut answers =
        wait_for_calls(conversation, conversation.call(vec![call]), &mut ctrl_c).await?;
    let answer = answers.pop().ok_or_else(|| Failure::Failed("no answer came".to_owned()))?;
    let answer = question::settled(args, session, answer, &mut ctrl_c).await?;
    let answer = wait_for_task(session, answer, &mut ctrl_c).await?;
    let recorded = session.store.flush().await;
    print(args, &answer)?;
    recorded.map_err(|error| Failure::Failed(format!("the call is not recorded: {error}")))?;
    Ok(if answer.failure().is_none() { ExitOutcome::Fine } else { ExitOutcome::Findings })
}

/// Waits for calls. The first Ctrl-C interrupts them, like a barge-in; the second one quits.
async fn wait_for_calls<T>(
    conversation: &Conversation,
    work: impl Future<Output = T>,
    ctrl_c: &mut CtrlC,
) -> Result<T, Failure> {
    tokio::pin!(work);
    tokio::select! {
        done = &mut work => return Ok(done),
        _ = ctrl_c.recv() => conversation.interrupt(),
    }
    output::talk(CUT_IN);
    tokio::select! {
        done = &mut work => Ok(done),
        _ = ctrl_c.recv() => Err(Failure::Failed(LEFT.to_owned())),
    }
}

/// Waits for the result, if the call runs in the background: this process runs it. The first Ctrl-C cancels
/// it; the second one quits.
async fn wait_for_task(
    session: &CallSession,
    answer: Arc<ToolResponse>,
    ctrl_c: &mut CtrlC,
) -> Result<Arc<ToolResponse>, Failure> {
    let running = answer.meta().task.as_ref().filter(|task| !task.has_ended());
    let Some(id) = running.map(|task| task.id.clone()) else { return Ok(answer) };
    output::talk(&format!(
        "{id} runs in the background; waiting for its result (Ctrl-C cancels it)"
    ));
    let conversation = &session.conversation;
    let work = conversation.final_answer(answer);
    tokio::pin!(work);
    let failed = |error: StoreError| Failure::Failed(error.to_string());
    let answer = tokio::select! {
        done = &mut work => done.map_err(failed)?,
        _ = ctrl_c.recv() => {
            session.orchestrator.cancel_task(&id).await.map_err(failed)?;
            output::talk(CANCELLING);
            tokio::select! {
                done = &mut work => done.map_err(failed)?,
                _ = ctrl_c.recv() => return Err(Failure::Failed(LEFT.to_owned())),
            }
        }
    };
    // The result is printed, so that no later turn of the conversation is given it.
    conversation.mark_told([&*answer]).await.map_err(failed)?;
    Ok(answer)
}

fn print(args: &CallArgs, answer: &Arc<ToolResponse>) -> Result<(), Failure> {
    let indented = args.format == DataFormat::Text && io::stdout().is_terminal();
    let written = match indented {
        true => serde_json::to_string_pretty(&**answer),
        false => serde_json::to_string(&**answer),
    };
    output::data(&written.map_err(|error| Failure::Failed(error.to_string()))?)
}
