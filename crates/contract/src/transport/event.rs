//! What a transport reports.

use std::time::Duration;

use super::fault::ProviderFault;
use crate::call::ToolCall;
use crate::id::CallId;

/// Something the provider did.
#[derive(Debug, Clone, PartialEq)]
pub enum ProviderEvent {
    /// The provider has greeted; it has not taken the setup yet.
    Connected {
        session: Option<String>,
    },
    /// The setup was taken; from here on every command may be sent.
    Ready {
        session: Option<String>,
    },
    /// The person began to speak: audio that was not played yet is stale.
    SpeechStarted,
    /// The person fell silent.
    SpeechStopped,
    /// Audio to be played, at [`super::RATE_OUT`].
    Audio {
        utterance: Utterance,
        pcm: Vec<u8>,
    },
    /// What somebody said, in words.
    Transcript {
        by: Speaker,
        text: String,
        stage: TranscriptStage,
    },
    /// The calls of one message of the model, each reported once.
    ToolCalls(Vec<ToolCall>),
    /// The provider takes these calls back. They were reported; an answer to one of them was still under
    /// way if it was sent.
    CallsCancelled(Vec<CallId>),
    /// The model was cut short; the last of its words were told before. [`ProviderEvent::TurnComplete`] still
    /// follows.
    Interrupted,
    /// All of a reply has been delivered, as far as can be told; it may still be playing.
    GenerationComplete,
    /// The model has said what it wants to say and waits for the person.
    TurnComplete(TurnEnd),
    /// The connection is going to be closed.
    GoingAway {
        time_left: Option<Duration>,
    },
    /// The handle to resume by from here on, or none: an older one must not be used any more.
    Resumption {
        handle: Option<String>,
    },
    Usage(Usage),
    RateLimits(Vec<RateLimit>),
    /// Something went wrong while the connection stayed open.
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

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    Person,
    Model,
}

/// How much a transcript can be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TranscriptStage {
    /// A guess at everything said so far; the next one replaces it.
    Interim,
    /// More words, to be put after those before.
    Delta,
    /// Everything that was said, in place of all deltas.
    Final,
}

/// How the model's turn ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnEnd {
    Finished,
    Interrupted,
    /// The provider stopped it; its own word for why.
    Stopped(String),
}

/// What figures of use cover.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum UsageScope {
    /// One reply.
    #[default]
    Reply,
    /// The words made of the person's speech.
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
    /// Of the input, what the provider had kept.
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
