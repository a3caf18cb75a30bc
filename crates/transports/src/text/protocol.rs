//! The protocol of a text provider: address, encoding of requests, decoding of replies, meaning of errors.

use std::fmt;

use aileron_contract::Provider;
use aileron_contract::text::{ModelRequest, ReplyEvent, ReplyFault};
use serde_json::Value;
use url::Url;

use super::call_ids::CallIds;
use super::endpoint::{Endpoint, TextError};
use super::fault::Table;
use super::options::{ApiKey, Reasoning};
use super::sse::SseEvent;

/// A provider's protocol.
pub(super) trait ProviderProtocol: fmt::Debug + Send + Sync {
    /// The name under which its messages are stored.
    fn name(&self) -> &'static str;

    /// The declarations that it accepts.
    fn declarations(&self) -> Provider;

    fn endpoint(&self, place: &ModelAddress<'_>) -> Result<Endpoint, TextError>;

    /// The body of a request. Every history gives one that the provider accepts.
    fn body(&self, ask: &RequestOptions<'_>, request: &ModelRequest<'_>) -> Value;

    /// The model, instructions and tools that signed parts of the reply are bound to, as a hash; none if they
    /// are accepted in any request.
    fn binding(&self, _ask: &RequestOptions<'_>, _request: &ModelRequest<'_>) -> Option<String> {
        None
    }

    /// Decodes one reply. Its calls get their ids from `names`.
    fn decoder(&self, names: CallIds) -> Box<dyn Decoder>;

    fn faults(&self) -> &'static Table;
}

/// The options that determine the address of a model.
#[derive(Debug, Clone, Copy)]
pub(super) struct ModelAddress<'a> {
    pub(super) base: Option<&'a Url>,
    pub(super) model: &'a str,
    pub(super) key: Option<&'a ApiKey>,
}

/// The options that are the same in every request to a model.
#[derive(Debug, Clone, Copy)]
pub(super) struct RequestOptions<'a> {
    pub(super) model: &'a str,
    pub(super) max_output_tokens: Option<u32>,
    pub(super) reasoning: Reasoning,
}

/// Decodes the events of one reply.
pub(super) trait Decoder: fmt::Debug + Send {
    /// Takes one event of the stream.
    fn read(
        &mut self,
        frame: &SseEvent,
        out: &mut Vec<ReplyEvent>,
    ) -> Result<DecodeStatus, ReplyFault>;

    /// The stream has ended. A fault if the reply has not.
    fn end(&mut self, out: &mut Vec<ReplyEvent>) -> Result<(), ReplyFault>;
}

/// Whether a reply continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DecodeStatus {
    More,
    /// The last event was [`ReplyEvent::Done`].
    Over,
}
