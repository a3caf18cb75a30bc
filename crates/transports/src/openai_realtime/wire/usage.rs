//! Token usage, as the server counts it.

use aileron_contract::transport::{TokenCount, Usage, UsageScope};
use serde::Deserialize;

use crate::lenient;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ResponseUsage {
    #[serde(deserialize_with = "lenient::count")]
    total_tokens: u64,
    #[serde(deserialize_with = "lenient::count")]
    input_tokens: u64,
    #[serde(deserialize_with = "lenient::count")]
    output_tokens: u64,
    #[serde(deserialize_with = "lenient::nullable")]
    input_token_details: Details,
    #[serde(deserialize_with = "lenient::nullable")]
    output_token_details: Details,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Details {
    #[serde(deserialize_with = "lenient::count")]
    text_tokens: u64,
    #[serde(deserialize_with = "lenient::count")]
    audio_tokens: u64,
    #[serde(deserialize_with = "lenient::count")]
    cached_tokens: u64,
    #[serde(deserialize_with = "lenient::count")]
    reasoning_tokens: u64,
}

impl ResponseUsage {
    pub(crate) fn usage(&self, scope: UsageScope) -> Usage {
        let tokens = |total, details: &Details| TokenCount {
            total,
            text: details.text_tokens,
            audio: details.audio_tokens,
        };
        Usage {
            scope,
            input: tokens(self.input_tokens, &self.input_token_details),
            output: tokens(self.output_tokens, &self.output_token_details),
            cached: self.input_token_details.cached_tokens,
            thoughts: self.output_token_details.reasoning_tokens,
            total: self.total_tokens,
        }
    }

    /// Transcription may be counted in seconds instead, which gives no tokens.
    pub(crate) fn counts_tokens(&self) -> bool {
        self.total_tokens > 0
    }
}
