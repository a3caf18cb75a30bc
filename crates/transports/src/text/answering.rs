//! The head of an HTTP response: an event stream follows it, or it is a fault.

use aileron_contract::text::ReplyFault;
use aileron_contract::transport::Severity;
use reqwest::Response;
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap};

use super::connection::broken;
use super::fault::{LocalFault, ProviderError, Table};
use super::retry;

/// How many bytes of an error body are read.
const MAX_ERROR_BYTES: usize = 64 << 10;

/// The response, if it is an event stream.
pub(super) async fn stream(response: Response, table: &Table) -> Result<Response, ReplyFault> {
    let coding = header(response.headers(), CONTENT_ENCODING.as_str());
    if !coding.is_empty() && coding != "identity" {
        return Err(
            LocalFault::Compressed.fault(format!("expected no compression, found {coding}"))
        );
    }
    if !response.status().is_success() {
        return Err(refusal(response, table).await);
    }
    let kind = header(response.headers(), CONTENT_TYPE.as_str());
    let kind = kind.split(';').next().unwrap_or_default().trim();
    match kind {
        "text/html" => {
            Err(LocalFault::NotAStream.fault("expected a stream of events, found an HTML page"))
        }
        "application/json" => Err(instead(response, table).await),
        _ => Ok(response),
    }
}

/// The fault of an unsuccessful status.
async fn refusal(mut response: Response, table: &Table) -> ReplyFault {
    let status = response.status().as_u16();
    let headers = std::mem::take(response.headers_mut());
    let body = body(response).await.unwrap_or_default();
    let mut fault = table.classify(Some(status), ProviderError::of_body(&body));
    fault.retry_after = retry::asked(&headers).or(fault.retry_after);
    match header(&headers, "x-should-retry").as_str() {
        "true" => fault.severity = Severity::Retry,
        "false" => fault.severity = Severity::Fatal,
        _ => {}
    }
    fault
}

/// The fault of a JSON body in place of a stream.
async fn instead(response: Response, table: &Table) -> ReplyFault {
    let body = match body(response).await {
        Ok(body) => body,
        Err(fault) => return fault,
    };
    let report = serde_json::from_str(&body).ok().as_ref().and_then(ProviderError::of);
    match report {
        Some(report) => table.classify(None, report),
        None => {
            LocalFault::NotAStream.fault("expected a stream of events, found JSON in one piece")
        }
    }
}

/// The beginning of a body. An error is reported with the bytes that came.
async fn body(mut response: Response) -> Result<String, ReplyFault> {
    let mut bytes = Vec::new();
    while bytes.len() < MAX_ERROR_BYTES {
        let Some(chunk) = response.chunk().await.map_err(|error| broken(&error))? else { break };
        bytes.extend_from_slice(&chunk);
    }
    bytes.truncate(MAX_ERROR_BYTES);
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn header(headers: &HeaderMap, name: &str) -> String {
    let value = headers.get(name).and_then(|value| value.to_str().ok());
    value.unwrap_or_default().trim().to_ascii_lowercase()
}
