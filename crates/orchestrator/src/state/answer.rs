//! The results of the state controller: an effect for the transport, or an error.

use std::fmt;

use aileron_contract::intent::EndAfter;

/// The action that the transport has to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateEffect {
    Nothing,
    StartVoice,
    /// End the session then; `Immediate` means close it now.
    EndVoice {
        after: EndAfter,
    },
    SuppressAudio {
        value: bool,
    },
    SuppressTranscript {
        value: bool,
    },
    /// Block the person until this time, in milliseconds since the Unix epoch.
    BlockUser {
        until: u64,
    },
}

/// Why an intent or an event does not fit the state. The state is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateError {
    ConversationEnded,
    WrongMode,
    VoiceAlreadyRequested,
    VoiceAlreadyActive,
    VoiceNotRequested,
    NotEnding,
    NoFarewellAwaited,
    BlockInThePast,
    EmptyMessage,
    MessageTooLong,
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ConversationEnded => "the conversation has ended",
            Self::WrongMode => "the conversation is held in the other mode",
            Self::VoiceAlreadyRequested => "a voice session was already asked for",
            Self::VoiceAlreadyActive => "a voice session is already open",
            Self::VoiceNotRequested => "no voice session was asked for",
            Self::NotEnding => "the voice session is not about to end",
            Self::NoFarewellAwaited => "the voice session waits for no farewell",
            Self::BlockInThePast => "the block would be over before it begins",
            Self::EmptyMessage => "expected a message, found an empty one",
            Self::MessageTooLong => "expected a message of at most 4000 characters, found more",
        })
    }
}

impl std::error::Error for StateError {}
