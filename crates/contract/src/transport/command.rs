//! The commands of the core to a transport.

use std::fmt;
use std::sync::Arc;

use super::event::Utterance;
use super::setup::Setup;
use crate::envelope::ToolResponse;
use crate::id::CallId;

/// A command for the provider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Command<'a> {
    /// Sets up the connection. Must be the first command and is sent once.
    Start(&'a Setup),
    /// Audio of the microphone, at [`super::RATE_IN`].
    Audio(&'a [u8]),
    /// The microphone was turned off; the utterance ends here.
    AudioEnd,
    /// The person begins to speak; only if the provider does not detect turns.
    SpeechStart,
    /// The person has finished.
    SpeechEnd,
    /// A text of the person. Like speech, it interrupts the model.
    Text(&'a str),
    /// The results of calls. If the connection does not know the call, or has its result already,
    /// the result is sent as [`Command::LateResult`].
    Results(&'a [CallResult]),
    /// The result of a call that is no longer open, sent as text.
    LateResult(&'a CallResult),
    /// Texts and answers, in order and together, so that the model replies once to all of them.
    Told(&'a [DeferredInput]),
    /// Interrupts the model. Only this much of the playing utterance was heard, so its transcript
    /// ends there. If the provider continues the reply, the rest is not reported.
    Interrupt { played_ms: u64 },
    /// Lets the model speak a given sentence as part of the conversation: before the person says
    /// anything, or before its next reply.
    Open(&'a str),
    /// Only this much of the utterance was heard.
    Truncate { utterance: Utterance, played_ms: u64 },
    /// Speaks a given sentence while a call runs. It is dropped if the call's result comes first.
    Say(&'a str),
    /// An expected event did not arrive in time. The protocol continues as if it had; if nothing is
    /// missing, this has no effect.
    Overdue(MissedEvent),
    /// Ends the connection.
    End,
}

/// The event that did not arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissedEvent {
    /// The end of a turn whose reply was delivered.
    TurnEnd,
    /// The next event of a requested reply.
    Reply,
}

/// An input for the provider that can wait for a connection.
#[derive(Debug, Clone, PartialEq)]
pub enum DeferredInput {
    /// A text that the person wrote or said.
    Text(String),
    /// The result of a call. On a connection that does not know the call it is sent as text.
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
    /// Closes the socket with a close frame.
    Close,
}

/// Why a command cannot be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandError {
    /// The provider has not confirmed the setup yet, or the connection is ending.
    NotReady,
    /// A second [`Command::Start`].
    StartedTwice,
    /// The provider does not support it, as its capabilities say.
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
