//! Between Anthropic and the text contract.

mod receive;
mod send;

use aileron_contract::Provider;
use aileron_contract::text::Request;
use serde_json::Value;

use super::endpoint::endpoint;
use super::fault::FAULTS;
use super::settings::Settings;
use crate::text::dialect::{Ask, Decoder, Dialect, Place};
use crate::text::endpoint::{Endpoint, TextError};
use crate::text::fault::Table;
use crate::text::names::Names;

/// The protocol of Anthropic.
#[derive(Debug, Clone)]
pub(in crate::text) struct Anthropic(pub(in crate::text) Settings);

impl Dialect for Anthropic {
    fn name(&self) -> &'static str {
        super::NAME
    }

    fn declarations(&self) -> Provider {
        Provider::Anthropic
    }

    fn endpoint(&self, place: &Place<'_>) -> Result<Endpoint, TextError> {
        endpoint(&self.0, place)
    }

    fn body(&self, ask: &Ask<'_>, request: &Request<'_>) -> Value {
        send::body(ask, request)
    }

    fn decoder(&self, names: Names) -> Box<dyn Decoder> {
        Box::new(receive::Receiver::new(names))
    }

    fn faults(&self) -> &'static Table {
        &FAULTS
    }
}

#[cfg(test)]
#[path = "map_tests.rs"]
mod tests;
