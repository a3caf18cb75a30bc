//! What every provider has to know of its own protocol: where it is reached,
//! how a request is written, how a reply is read, what its errors mean.

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
    /// The name its messages are kept under.
    fn name(&self) -> &'static str;

    /// Which of the registry's declarations it takes.
    fn declarations(&self) -> Provider;

    fn endpoint(&self, place: &ModelAddress<'_>) -> Result<Endpoint, TextError>;

    /// The body of a request. Every history gives one that the provider accepts.
    fn body(&self, ask: &RequestOptions<'_>, request: &ModelRequest<'_>) -> Value;

    /// Reads one reply. Its calls get their ids from `names`.
    fn decoder(&self, names: CallIds) -> Box<dyn Decoder>;

    fn faults(&self) -> &'static Table;
}

/// Where a model is, as far as the options say.
#[derive(Debug, Clone, Copy)]
pub(super) struct ModelAddress<'a> {
    pub(super) base: Option<&'a Url>,
    pub(super) model: &'a str,
    pub(super) key: Option<&'a ApiKey>,
}

/// What is the same in every request to a model.
#[derive(Debug, Clone, Copy)]
pub(super) struct RequestOptions<'a> {
    pub(super) model: &'a str,
    pub(super) max_output_tokens: Option<u32>,
    pub(super) reasoning: Reasoning,
}

/// Reads the events of one reply.
pub(super) trait Decoder: fmt::Debug + Send {
    /// Takes one event of the stream.
    fn read(
        &mut self,
        frame: &SseEvent,
        out: &mut Vec<ReplyEvent>,
    ) -> Result<DecodeStatus, ReplyFault>;

    /// The stream has ended. It is a fault if the reply has not.
    fn end(&mut self, out: &mut Vec<ReplyEvent>) -> Result<(), ReplyFault>;
}

/// Whether a reply goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DecodeStatus {
    More,
    /// The last event was [`ReplyEvent::Done`].
    Over,
}
