//! What the core asks of a transport.

use std::fmt;
use std::sync::Arc;

use super::event::Utterance;
use super::setup::Setup;
use crate::envelope::ToolResponse;
use crate::id::CallId;

/// Something the provider is to be told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Command<'a> {
    /// Sets the connection up. The first command, and sent once.
    Start(&'a Setup),
    /// What the microphone heard, at [`super::RATE_IN`].
    Audio(&'a [u8]),
    /// The microphone was turned off; what was heard so far is all there is.
    AudioEnd,
    /// The person begins to speak, where turns are not detected by the provider.
    SpeechStart,
    /// The person has finished.
    SpeechEnd,
    /// What the person wrote. Like speech, it cuts the model short.
    Text(&'a str),
    /// The answers to calls. One whose call the connection does not know, or has an answer to
    /// already, is told as [`Command::LateResult`].
    Results(&'a [CallResult]),
    /// The answer to a call that nobody waits for any more, told in words.
    LateResult(&'a CallResult),
    /// Texts and answers, in order and together, so that the model replies once to all of them.
    Told(&'a [DeferredInput]),
    /// Cuts the model short. Only this much of the utterance that plays was heard, so its words end
    /// there. What still comes of a reply that the provider goes on with is not told.
    Interrupt { played_ms: u64 },
    /// Has the model speak a given sentence of its own accord, as part of the conversation: before
    /// the person says anything, or before its next reply.
    Open(&'a str),
    /// Only this much of the utterance was heard.
    Truncate { utterance: Utterance, played_ms: u64 },
    /// Speaks a given sentence while a call runs. It is dropped if the call's answer comes first.
    Say(&'a str),
    /// Something did not come in time. The protocol goes on as if it had; where nothing is missing,
    /// nothing follows.
    Overdue(MissedEvent),
    /// Ends the connection.
    End,
}

/// What did not come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissedEvent {
    /// The end of a turn whose reply was delivered.
    TurnEnd,
    /// Anything more of a reply that was asked for.
    Reply,
}

/// Something the provider is told that can wait for a connection.
#[derive(Debug, Clone, PartialEq)]
pub enum DeferredInput {
    /// What the person wrote or said.
    Text(String),
    /// The answer to a call. On a connection that does not know the call it is told in words.
    Result(CallResult),
    /// A sentence that the model is to say, see [`Command::Open`].
    Opening(String),
}

/// The answer to one call.
#[derive(Debug, Clone, PartialEq)]
pub struct CallResult {
    /// The id the model gave its call.
    pub call_id: CallId,
    pub response: Arc<ToolResponse>,
}

/// A frame for the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutgoingFrame {
    Text(String),
    /// Closes the socket in good order.
    Close,
}

/// Why a command cannot be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandError {
    /// The setup was not taken yet, or the connection is ending.
    NotReady,
    /// A second [`Command::Start`].
    StartedTwice,
    /// The provider has nothing like it; the capabilities say so.
    Unsupported(&'static str),
    /// PCM16 has two bytes a sample.
    OddAudio { bytes: usize },
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotReady => f.write_str(
                "expected a connection that is ready, found one that is not; wait for `Ready`",
            ),
            Self::StartedTwice => f.write_str(
                "expected one `Start` a connection, found another; connect again instead",
            ),
            Self::Unsupported(what) => {
                write!(f, "the provider cannot {what}; ask the capabilities first")
            }
            Self::OddAudio { bytes } => {
                write!(
                    f,
                    "expected audio of 16-bit samples, found {bytes} bytes; send whole samples"
                )
            }
        }
    }
}

impl std::error::Error for CommandError {}
