//! Scripted answers in place of a network. Requests are checked like any others.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use futures_util::future::BoxFuture;
use futures_util::{FutureExt, StreamExt, stream};
use http::{Method, StatusCode};
use serde::Deserialize;
use serde_json::Value;
use url::Url;

use super::connection::{Connection, StreamingResponse};
use super::fault::HttpFault;
use super::hop::CheckedRequest;
use crate::CapabilityFault;

/// An expected request, and its answer or fault.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "ScriptedFile")]
pub struct Exchange {
    request: RequestPattern,
    url: Url,
    end: ScriptedEnd,
}

/// The form in a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptedFile {
    request: RequestPattern,
    response: Option<Answer>,
    error: Option<CapabilityFault>,
}

/// The pattern that a request must match.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct RequestPattern {
    #[serde(default)]
    method: Option<String>,
    url: String,
    /// These must be sent with these values; others are allowed.
    #[serde(default)]
    headers: BTreeMap<String, String>,
    /// A text, or JSON that the body must equal.
    #[serde(default)]
    body: Option<Value>,
}

#[derive(Debug, Clone)]
enum ScriptedEnd {
    Response(Answer),
    Error(CapabilityFault),
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    #[serde(default = "ok")]
    status: u16,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    /// A text, or another value, which is written as JSON.
    #[serde(default)]
    body: Value,
}

impl TryFrom<ScriptedFile> for Exchange {
    type Error = String;

    fn try_from(ScriptedFile { request, response, error }: ScriptedFile) -> Result<Self, String> {
        let url = Url::parse(&request.url)
            .map_err(|why| format!("expected a URL, found {:?}: {why}", request.url))?;
        let end = match (response, error) {
            (Some(answer), None) => ScriptedEnd::Response(answer),
            (None, Some(fault)) => ScriptedEnd::Error(fault),
            _ => return Err("expected either `response` or `error` beside `request`".to_owned()),
        };
        Ok(Self { request, url, end })
    }
}

fn ok() -> u16 {
    StatusCode::OK.as_u16()
}

/// The expected requests, in order. If several match a request, each answers once and the last one
/// from then on.
#[derive(Debug)]
pub(super) struct Script(Mutex<Vec<Exchange>>);

impl Script {
    pub(super) fn new(exchanges: Vec<Exchange>) -> Self {
        Self(Mutex::new(exchanges))
    }

    fn answer(&self, hop: &CheckedRequest) -> Result<StreamingResponse, HttpFault> {
        match self.next(hop) {
            Some(ScriptedEnd::Response(answer)) => answer.response(),
            Some(ScriptedEnd::Error(CapabilityFault { code, message, .. })) => {
                Err(HttpFault { code, message })
            }
            None => Err(HttpFault::refused(format!(
                "no entry of `given.http` fits {} {}",
                hop.method, hop.url
            ))),
        }
    }

    fn next(&self, hop: &CheckedRequest) -> Option<ScriptedEnd> {
        let mut exchanges = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut fitting = (0..exchanges.len()).filter(|at| exchanges[*at].fits(hop));
        let (first, is_last) = (fitting.next()?, fitting.next().is_none());
        match is_last {
            true => Some(exchanges[first].end.clone()),
            false => Some(exchanges.remove(first).end),
        }
    }
}

impl Connection for Script {
    fn send<'a>(
        &'a self,
        hop: &'a CheckedRequest,
    ) -> BoxFuture<'a, Result<StreamingResponse, HttpFault>> {
        std::future::ready(self.answer(hop)).boxed()
    }
}

impl Exchange {
    fn fits(&self, hop: &CheckedRequest) -> bool {
        let RequestPattern { method, headers, body, .. } = &self.request;
        let method = method.as_deref().unwrap_or(Method::GET.as_str());
        let sent = |name: &String| hop.headers.get(name).and_then(|value| value.to_str().ok());
        method.eq_ignore_ascii_case(hop.method.as_str())
            && self.url == hop.url
            && headers.iter().all(|(name, value)| sent(name) == Some(value))
            && body.as_ref().is_none_or(|body| is_body(body, hop.body.as_deref()))
    }
}

fn is_body(expected: &Value, sent: Option<&str>) -> bool {
    let sent = sent.unwrap_or_default();
    expected.as_str() == Some(sent)
        || serde_json::from_str::<Value>(sent).is_ok_and(|sent| sent == *expected)
}

impl Answer {
    fn response(self) -> Result<StreamingResponse, HttpFault> {
        let (body, kind) = match self.body {
            Value::Null => (String::new(), None),
            Value::String(text) => (text, None),
            other => (other.to_string(), Some("application/json")),
        };
        let mut response = http::Response::builder().status(self.status);
        if let Some(kind) = kind.filter(|_| !self.headers.contains_key("content-type")) {
            response = response.header("content-type", kind);
        }
        for (name, value) in &self.headers {
            response = response.header(name, value);
        }
        let response = response.body(body).map_err(|error| {
            HttpFault::refused(format!("an answer of `given.http` is none: {error}"))
        })?;
        let (head, body) = response.into_parts();
        let body = stream::iter([Ok(body.into_bytes())]).boxed();
        Ok(StreamingResponse { status: head.status, headers: head.headers, body })
    }
}

#[cfg(test)]
#[path = "script_tests.rs"]
mod tests;
