//! The actions of the session logic, and the commands for the provider among them.

use aileron_contract::transport::{CallResult, Utterance};
use aileron_contract::{CallId, ToolCall};
use aileron_orchestrator::TurnInput;
use aileron_orchestrator::state::StateEvent;

use crate::voice::protocol::{SessionEndReason, VoiceServerMessage};

/// An action that the session performs.
#[derive(Debug, PartialEq)]
pub(crate) enum VoiceAction {
    SendMessage(VoiceServerMessage),
    SendAudio(Vec<u8>),
    /// Drop audio that is queued for the client.
    ClearPlayback,
    CommandProvider(ProviderCommand),
    /// Take the pending message that the model is to say first, if there is one.
    TakePendingMessage,
    /// Take the results of tasks that the model does not have.
    TakeTaskResults,
    /// Begin a turn.
    BeginTurn(TurnInput),
    /// Add a transcript to the turn that has begun.
    AddTranscript {
        text: String,
        began_ms: u64,
    },
    /// Admit and run the calls of one provider message.
    Call(Vec<ToolCall>),
    Confirm {
        token: String,
        approve: bool,
    },
    /// Cancel calls, because the provider has cancelled them.
    Cancel(Vec<CallId>),
    /// Interrupt the running calls, because of a barge-in.
    Interrupt,
    ApplyStateEvent(StateEvent),
    /// The same, once all audio has been sent to the client.
    ApplyStateEventWhenSent(StateEvent),
    /// End the session.
    End(SessionEnd),
}

/// A command for the provider, owned.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ProviderCommand {
    Text(String),
    Results(Vec<CallResult>),
    LateResult(CallResult),
    /// Stop the reply, of which this much audio was played.
    Interrupt {
        played_ms: u64,
    },
    Truncate {
        utterance: Utterance,
        played_ms: u64,
    },
    Say(String),
    /// Have the model say a pending message.
    SendPendingMessage(String),
    /// The microphone was switched off.
    AudioEnd,
    /// The provider did not report the end of a turn in time.
    TurnOverdue,
}

/// How a session ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SessionEnd {
    pub(crate) reason: SessionEndReason,
    /// Messages of the tool that ended the session.
    pub(crate) closing_messages: ClosingMessages,
}

impl From<SessionEndReason> for SessionEnd {
    fn from(reason: SessionEndReason) -> Self {
        Self { reason, closing_messages: ClosingMessages::default() }
    }
}

/// The messages that a tool which ends a session leaves for the page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ClosingMessages {
    pub(crate) reason: Option<String>,
    pub(crate) closing_message: Option<String>,
    pub(crate) text_response: Option<String>,
}
