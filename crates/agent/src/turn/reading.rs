//! Reads one reply of the model, and sends its events to the reader.

use aileron_contract::text::{CompletedReply, ReplyEvent as Piece, ReplyFault, ReplyPart, Tools};
use aileron_contract::transport::Severity;

use super::{TurnAbort, TurnRun};
use crate::event::TurnEvent;
use crate::model::ReplyStream;

/// How reading a reply ended. The text up to an early end is kept.
pub(super) enum ReplyEnd {
    Reply(CompletedReply),
    /// The reader is gone.
    Stopped(Vec<ReplyPart>),
    Fault(Vec<ReplyPart>, ReplyFault),
}

impl TurnRun {
    pub(super) async fn read(
        &mut self,
        mut reading: Box<dyn ReplyStream>,
        tools: Tools,
    ) -> ReplyEnd {
        let mut text = String::new();
        loop {
            let piece = tokio::select! {
                biased;
                () = self.stop.cancelled() => return ReplyEnd::Stopped(said(text)),
                piece = reading.next() => piece,
            };
            let piece = match piece {
                Some(Ok(Piece::Done(reply))) => return ReplyEnd::Reply(reply),
                Some(Ok(piece)) => piece,
                Some(Err(fault)) => return ReplyEnd::Fault(said(text), fault),
                None => return ReplyEnd::Fault(said(text), broken_off()),
            };
            if let Piece::Text(more) = &piece {
                text.push_str(more);
                self.words.push_str(more);
            }
            if let Err(TurnAbort::Stopped | TurnAbort::Failed(_)) =
                self.send_piece(piece, tools).await
            {
                return ReplyEnd::Stopped(said(text));
            }
        }
    }

    async fn send_piece(&self, piece: Piece, tools: Tools) -> Result<(), TurnAbort> {
        match piece {
            Piece::Text(text) => self.send_event(TurnEvent::Text(text)).await,
            Piece::Reasoning(text) => self.send_event(TurnEvent::Reasoning(text)).await,
            Piece::CallBegun { call_id, tool_id } => match tools {
                Tools::Offered => self.send_event(TurnEvent::CallBegun { call_id, tool_id }).await,
                // The call will not run, so the reader is not sent it.
                Tools::Withheld => Ok(()),
            },
            // Sent with the whole message, when it is certain that the call runs.
            Piece::Call(_) | Piece::Done(_) => Ok(()),
        }
    }
}

fn said(text: String) -> Vec<ReplyPart> {
    if text.is_empty() { Vec::new() } else { vec![ReplyPart::Text { text }] }
}

/// The transport ended without a reply or a fault, which violates its contract.
fn broken_off() -> ReplyFault {
    ReplyFault {
        severity: Severity::Retry,
        code: "broken_off".to_owned(),
        message: "the reply ended without its end".to_owned(),
        reason: "a reply that has no end cannot be relied on",
        retry_after: None,
    }
}
