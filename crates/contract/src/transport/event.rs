//! The events that a transport reports.

use std::time::Duration;

use super::fault::ProviderFault;
use crate::call::ToolCall;
use crate::id::CallId;

/// An event of the provider.
#[derive(Debug, Clone, PartialEq)]
pub enum ProviderEvent {
    /// The provider has answered; it has not confirmed the setup yet.
    Connected {
        session: Option<String>,
    },
    /// The provider confirmed the setup; every command may be sent now.
    Ready {
        session: Option<String>,
    },
    /// The person began to speak: audio that was not played yet is stale.
    SpeechStarted,
    /// The person stopped speaking.
    SpeechStopped,
    /// Audio to be played, at [`super::RATE_OUT`].
    Audio {
        utterance: Utterance,
        pcm: Vec<u8>,
    },
    /// The transcript of one side's speech.
    Transcript {
        by: Speaker,
        text: String,
        stage: TranscriptStage,
    },
    /// The calls of one message of the model, each reported once.
    ToolCalls(Vec<ToolCall>),
    /// The provider cancels these calls, which were reported before. A result that was already sent
    /// may have crossed this event.
    CallsCancelled(Vec<CallId>),
    /// The model was interrupted; the end of its transcript was reported before.
    /// [`ProviderEvent::TurnComplete`] still follows.
    Interrupted,
    /// The provider has delivered all of a reply; it may still be playing.
    GenerationComplete,
    /// The model has finished its turn and waits for the person.
    TurnComplete(TurnEnd),
    /// The connection is going to be closed.
    GoingAway {
        time_left: Option<Duration>,
    },
    /// The new handle for resuming, or none. An older handle must not be used any more.
    Resumption {
        handle: Option<String>,
    },
    Usage(Usage),
    RateLimits(Vec<RateLimit>),
    /// A fault that left the connection open.
    Fault(ProviderFault),
    /// The connection is closed. Nothing follows.
    Closed(ProviderFault),
    /// A message that this version does not know, by its name, for the log.
    Unknown {
        name: String,
    },
}

/// A piece of speech, numbered from 0 on each connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Utterance(pub u32);

/// The speaker of an utterance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    Person,
    Model,
}

/// How final a transcript is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TranscriptStage {
    /// A guess at everything said so far; the next one replaces it.
    Interim,
    /// More text, to be appended.
    Delta,
    /// Everything that was said, in place of all deltas.
    Final,
}

/// How the model's turn ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnEnd {
    Finished,
    Interrupted,
    /// The provider stopped it; the provider's reason.
    Stopped(String),
}

/// The part of a session that a usage report covers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum UsageScope {
    /// One reply.
    #[default]
    Reply,
    /// The transcription of the person's speech.
    Transcription,
}

/// Tokens of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TokenCount {
    pub total: u64,
    pub text: u64,
    pub audio: u64,
}

/// The tokens that were used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Usage {
    pub scope: UsageScope,
    pub input: TokenCount,
    pub output: TokenCount,
    /// The part of the input that was cached by the provider.
    pub cached: u64,
    pub thoughts: u64,
    pub total: u64,
}

/// How much of a quota is left.
#[derive(Debug, Clone, PartialEq)]
pub struct RateLimit {
    pub name: String,
    pub limit: u64,
    pub remaining: u64,
    pub reset: Duration,
}
