//! The transports that have to conform, and what each says it can do.

use std::fmt;

use aileron_contract::Mode;
use aileron_contract::transport::{Cancellation, Capabilities, Protocol};
use aileron_transports::{GeminiLive, OpenaiRealtime};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Transport {
    GeminiLive,
    OpenaiRealtime,
    Gemini,
    Openai,
    OpenaiChat,
    Anthropic,
}

impl Transport {
    pub(super) const ALL: [Self; 6] = [
        Self::GeminiLive,
        Self::OpenaiRealtime,
        Self::Gemini,
        Self::Openai,
        Self::OpenaiChat,
        Self::Anthropic,
    ];

    pub(super) fn mode(self) -> Mode {
        match self {
            Self::GeminiLive | Self::OpenaiRealtime => Mode::Voice,
            Self::Gemini | Self::Openai | Self::OpenaiChat | Self::Anthropic => Mode::Text,
        }
    }

    /// The name a server knows it by.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::GeminiLive => "gemini_live",
            Self::OpenaiRealtime => "openai_realtime",
            Self::Gemini => "gemini",
            Self::Openai => "openai",
            Self::OpenaiChat => "openai_chat",
            Self::Anthropic => "anthropic",
        }
    }

    /// The transport that the conversation is held over when it is in the other mode.
    pub(super) fn companion(self) -> Self {
        match self.mode() {
            Mode::Voice => Self::Gemini,
            Mode::Text => Self::GeminiLive,
        }
    }

    /// Its declared capabilities. `None` for text providers, which take one request at a time.
    pub(super) fn capabilities(self) -> Option<Capabilities> {
        match self {
            Self::GeminiLive => Some(GeminiLive::default().capabilities().clone()),
            Self::OpenaiRealtime => Some(OpenaiRealtime::default().capabilities().clone()),
            Self::Gemini | Self::Openai | Self::OpenaiChat | Self::Anthropic => None,
        }
    }

    /// Whether the provider may take calls back.
    pub(super) fn takes_back(self) -> bool {
        let capabilities = self.capabilities();
        capabilities.is_some_and(|can| can.cancellation == Cancellation::TakesBack)
    }
}

/// How a page in writing sends the person's answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clicking {
    /// As our own field beside the messages.
    Confirmations,
    /// As the AI SDK does: in the client's copy of the message that asked.
    Approvals,
}

impl Transport {
    /// Each form is played with every script that has a click, over two providers.
    pub(super) fn clicking(self) -> Clicking {
        match self {
            Self::Gemini | Self::OpenaiChat => Clicking::Confirmations,
            _ => Clicking::Approvals,
        }
    }
}

impl fmt::Display for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
