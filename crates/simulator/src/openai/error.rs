//! OpenAI's error body, and the checks of both protocols.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::http::{IncomingRequest, RequestRefusal};

pub(crate) const NO_KEY: &str =
    "The request has no API key: send it in the Authorization header, after the word Bearer";

/// The body of an error.
pub(super) fn body(refusal: &RequestRefusal) -> Value {
    let (kind, code) = match refusal.status.as_u16() {
        401 => ("invalid_request_error", Some("invalid_api_key")),
        403 => ("invalid_request_error", Some("unsupported_country_region_territory")),
        429 => ("requests", Some("rate_limit_exceeded")),
        500.. => ("server_error", None),
        _ => ("invalid_request_error", None),
    };
    let code = refusal.code.or(code);
    json!({
        "error": { "message": refusal.message, "type": kind, "param": refusal.param, "code": code }
    })
}

/// Reads a body.
pub(crate) fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, RequestRefusal> {
    let value: Value = serde_json::from_slice(body).map_err(|error| {
        RequestRefusal::invalid(format!(
            "We could not parse the JSON body of your request: {error}"
        ))
    })?;
    serde_json::from_value(value)
        .map_err(|error| RequestRefusal::invalid(format!("Invalid body: {error}")))
}

pub(super) fn check_key(incoming: &IncomingRequest) -> Result<(), RequestRefusal> {
    if incoming.has_bearer() { Ok(()) } else { Err(RequestRefusal::unauthenticated(NO_KEY)) }
}

/// Checks `temperature`.
pub(super) fn check_temperature(temperature: Option<f64>) -> Result<(), RequestRefusal> {
    match temperature {
        Some(value) if !(0.0..=2.0).contains(&value) => {
            let message = format!("Invalid 'temperature': expected 0 to 2, found {value}");
            Err(RequestRefusal::invalid(message).at("temperature").code("decimal_out_of_range"))
        }
        Some(_) | None => Ok(()),
    }
}

pub(super) fn check_model(model: &str) -> Result<(), RequestRefusal> {
    if model.is_empty() {
        return Err(RequestRefusal::invalid("you must provide a model parameter").at("model"));
    }
    Ok(())
}
