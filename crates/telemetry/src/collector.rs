//! The HTTP client of the exporters. They run on threads of the SDK; requests run on the server's runtime. A
//! collector that cannot be reached is logged once, and once more when it answers again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use reqwest::{Client, redirect};
use tokio::runtime::Handle;

/// A connection to a collector, for one signal.
#[derive(Debug)]
pub(crate) struct Collector {
    signal: &'static str,
    client: Client,
    runtime: Handle,
    is_failing: AtomicBool,
}

impl Collector {
    pub(crate) fn new(signal: &'static str, client: Client, runtime: Handle) -> Self {
        Self { signal, client, runtime, is_failing: AtomicBool::new(false) }
    }

    fn failed(&self, error: &str) {
        if !self.is_failing.swap(true, Ordering::Relaxed) {
            let signal = self.signal;
            tracing::warn!(
                signal,
                error,
                "Telemetry cannot be sent to the collector, and is dropped."
            );
        }
    }

    fn succeeded(&self) {
        if self.is_failing.swap(false, Ordering::Relaxed) {
            let signal = self.signal;
            tracing::info!(signal, "Telemetry is sent to the collector again.");
        }
    }
}

#[async_trait]
impl HttpClient for Collector {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let sent = self.runtime.spawn(send(self.client.clone(), request)).await;
        let answer = sent.map_err(Into::into).and_then(|sent| sent);
        match &answer {
            Ok(response) if response.status().is_success() => self.succeeded(),
            Ok(response) => self.failed(response.status().as_str()),
            Err(error) => self.failed(&root_cause(&**error)),
        }
        answer
    }
}

/// A client without redirects, which would forward the headers.
pub(crate) fn client(timeout: Duration) -> Result<Client, reqwest::Error> {
    // An installed provider serves as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder().timeout(timeout).redirect(redirect::Policy::none()).build()
}

async fn send(client: Client, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
    let response = client.execute(request.try_into()?).await?;
    let (status, headers) = (response.status(), response.headers().clone());
    let mut answer = Response::builder().status(status).body(response.bytes().await?)?;
    *answer.headers_mut() = headers;
    Ok(answer)
}

/// The innermost error, which names the fault without the address.
fn root_cause(error: &(dyn std::error::Error + 'static)) -> String {
    error.source().map_or_else(|| error.to_string(), root_cause)
}
