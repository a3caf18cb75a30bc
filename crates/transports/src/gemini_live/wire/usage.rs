//! Token usage, as the server counts it.

use aileron_contract::transport::{TokenCount, Usage, UsageScope};
use serde::Deserialize;

use crate::lenient::{self, Text};

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct UsageMetadata<'a> {
    #[serde(alias = "prompt_token_count", deserialize_with = "lenient::count")]
    prompt_token_count: u64,
    #[serde(alias = "response_token_count", deserialize_with = "lenient::count")]
    response_token_count: u64,
    #[serde(alias = "cached_content_token_count", deserialize_with = "lenient::count")]
    cached_content_token_count: u64,
    #[serde(alias = "tool_use_prompt_token_count", deserialize_with = "lenient::count")]
    tool_use_prompt_token_count: u64,
    #[serde(alias = "thoughts_token_count", deserialize_with = "lenient::count")]
    thoughts_token_count: u64,
    #[serde(alias = "total_token_count", deserialize_with = "lenient::count")]
    total_token_count: u64,
    #[serde(borrow, alias = "prompt_tokens_details", deserialize_with = "lenient::nullable")]
    prompt_tokens_details: Vec<ModalityCount<'a>>,
    #[serde(borrow, alias = "response_tokens_details", deserialize_with = "lenient::nullable")]
    response_tokens_details: Vec<ModalityCount<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ModalityCount<'a> {
    #[serde(borrow, deserialize_with = "lenient::nullable")]
    modality: Text<'a>,
    #[serde(alias = "token_count", deserialize_with = "lenient::count")]
    token_count: u64,
}

impl UsageMetadata<'_> {
    pub(crate) fn usage(&self) -> Usage {
        let input = self.prompt_token_count.saturating_add(self.tool_use_prompt_token_count);
        Usage {
            scope: UsageScope::Reply,
            input: tokens(input, &self.prompt_tokens_details),
            output: tokens(self.response_token_count, &self.response_tokens_details),
            cached: self.cached_content_token_count,
            thoughts: self.thoughts_token_count,
            total: self.total_token_count,
        }
    }
}

fn tokens(total: u64, details: &[ModalityCount<'_>]) -> TokenCount {
    let of = |modality| {
        let counts = details.iter().filter(|count| count.modality.as_str() == modality);
        counts.fold(0u64, |sum, count| sum.saturating_add(count.token_count))
    };
    TokenCount { total, text: of("TEXT"), audio: of("AUDIO") }
}
