//! Maps between Anthropic and the text contract.

mod receive;
mod send;

use aileron_contract::Provider;
use aileron_contract::text::ModelRequest;
use serde_json::Value;

use super::endpoint::endpoint;
use super::fault::FAULTS;
use super::settings::AnthropicOptions;
use crate::text::call_ids::CallIds;
use crate::text::endpoint::{Endpoint, TextError};
use crate::text::fault::Table;
use crate::text::protocol::{Decoder, ModelAddress, ProviderProtocol, RequestOptions};

/// The protocol of Anthropic.
#[derive(Debug, Clone)]
pub(in crate::text) struct Anthropic(pub(in crate::text) AnthropicOptions);

impl ProviderProtocol for Anthropic {
    fn name(&self) -> &'static str {
        super::NAME
    }

    fn declarations(&self) -> Provider {
        Provider::Anthropic
    }

    fn endpoint(&self, place: &ModelAddress<'_>) -> Result<Endpoint, TextError> {
        endpoint(&self.0, place)
    }

    fn body(&self, ask: &RequestOptions<'_>, request: &ModelRequest<'_>) -> Value {
        send::body(ask, request)
    }

    fn binding(&self, ask: &RequestOptions<'_>, request: &ModelRequest<'_>) -> Option<String> {
        send::binding(ask, request)
    }

    fn decoder(&self, names: CallIds) -> Box<dyn Decoder> {
        Box::new(receive::Receiver::new(names))
    }

    fn faults(&self) -> &'static Table {
        &FAULTS
    }
}

#[cfg(test)]
#[path = "map_tests.rs"]
mod tests;
