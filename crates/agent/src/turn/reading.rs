//! Reads one reply of the model and tells the reader as it comes.

use aileron_contract::text::{Event as Piece, Fault, Part, Reply, Tools};
use aileron_contract::transport::Severity;

use super::{Halt, Turn};
use crate::event::Event;
use crate::model::Reading;

/// How reading a reply ended. What was said up to an early end is not lost.
pub(super) enum Read {
    Reply(Reply),
    /// Nobody reads any more.
    Stopped(Vec<Part>),
    Fault(Vec<Part>, Fault),
}

impl Turn {
    pub(super) async fn read(&mut self, mut reading: Box<dyn Reading>, tools: Tools) -> Read {
        let mut text = String::new();
        loop {
            let piece = tokio::select! {
                biased;
                () = self.stop.cancelled() => return Read::Stopped(said(text)),
                piece = reading.next() => piece,
            };
            let piece = match piece {
                Some(Ok(Piece::Done(reply))) => return Read::Reply(reply),
                Some(Ok(piece)) => piece,
                Some(Err(fault)) => return Read::Fault(said(text), fault),
                None => return Read::Fault(said(text), broken_off()),
            };
            if let Piece::Text(more) = &piece {
                text.push_str(more);
                self.words.push_str(more);
            }
            if let Err(Halt::Stopped | Halt::Failed(_)) = self.tell_piece(piece, tools).await {
                return Read::Stopped(said(text));
            }
        }
    }

    async fn tell_piece(&self, piece: Piece, tools: Tools) -> Result<(), Halt> {
        match piece {
            Piece::Text(text) => self.tell(Event::Text(text)).await,
            Piece::Reasoning(text) => self.tell(Event::Reasoning(text)).await,
            Piece::CallBegun { call_id, tool_id } => match tools {
                Tools::Offered => self.tell(Event::CallBegun { call_id, tool_id }).await,
                // It is not made, so nobody is to wait for it.
                Tools::Withheld => Ok(()),
            },
            // Told with its whole message, when it is sure that it is made.
            Piece::Call(_) | Piece::Done(_) => Ok(()),
        }
    }
}

fn said(text: String) -> Vec<Part> {
    if text.is_empty() { Vec::new() } else { vec![Part::Text { text }] }
}

/// A transport always ends with a reply or a fault; this one did not.
fn broken_off() -> Fault {
    Fault {
        severity: Severity::Retry,
        code: "broken_off".to_owned(),
        message: "the reply ended without its end".to_owned(),
        reason: "a reply that has no end cannot be relied on",
        retry_after: None,
    }
}
