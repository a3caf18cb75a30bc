//! Asks the person at the terminal to confirm a call.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::Arc;
use std::thread;

use aileron_contract::ToolResponse;
use aileron_contract::envelope::ConfirmationRequest;
use aileron_orchestrator::Resolution;
use tokio::sync::oneshot;

use super::session::CallSession;
use super::wait_for_calls;
use crate::args::CallArgs;
use crate::interrupt::CtrlC;
use crate::output::{self, Failure, tame};

/// The result after the person has decided, if a confirmation was needed.
pub(super) async fn settled(
    args: &CallArgs,
    session: &CallSession,
    answer: Arc<ToolResponse>,
    ctrl_c: &mut CtrlC,
) -> Result<Arc<ToolResponse>, Failure> {
    let request = answer.failure().and_then(|failure| failure.confirmation_request.as_ref());
    let Some(request) = request else { return Ok(answer) };
    let approve = match args.confirm {
        true => true,
        false if io::stdin().is_terminal() => ask_person(request, ctrl_c).await,
        false => {
            output::talk(&hint(args, session));
            return Ok(answer);
        }
    };
    let conversation = &session.conversation;
    let confirmed = conversation.confirm(&request.token, approve, &session.person);
    let resolution = wait_for_calls(conversation, confirmed, ctrl_c).await?;
    match resolution.map_err(|error| Failure::Failed(error.to_string()))? {
        Resolution::Approved(late)
        | Resolution::Declined(late)
        | Resolution::Expired(late)
        | Resolution::Superseded(late) => {
            Ok(late.into_iter().next().map_or(answer, |late| late.answer))
        }
        Resolution::AskAgain { .. } | Resolution::Known(_) => Ok(answer),
    }
}

fn hint(args: &CallArgs, session: &CallSession) -> String {
    let same = match args.memory {
        true => String::new(),
        false => format!(" --conversation {}", tame(session.conversation.id().as_str())),
    };
    format!("no person at the terminal can approve it; add{same} --confirm to approve it yourself")
}

/// Denied unless the person answers yes; Ctrl-C also denies.
async fn ask_person(request: &ConfirmationRequest, ctrl_c: &mut CtrlC) -> bool {
    let (preview, tool) = (tame(&request.preview), &request.tool);
    let _ = write!(anstream::stderr().lock(), "{tool} asks: {preview}\nApprove? [y/N] ");
    let (sender, line) = oneshot::channel();
    // A separate thread, because reading cannot be cancelled; it is not awaited at the end.
    thread::spawn(move || {
        let mut line = String::new();
        let _ = io::stdin().lock().read_line(&mut line);
        sender.send(line)
    });
    tokio::select! {
        line = line => is_yes(&line.unwrap_or_default()),
        _ = ctrl_c.recv() => {
            output::talk("");
            false
        }
    }
}

fn is_yes(line: &str) -> bool {
    matches!(line.trim().to_lowercase().as_str(), "y" | "yes")
}
