//! The network: one thread with an asynchronous client, for callers that block. It can be
//! used from any thread, also from one that runs asynchronous tasks.

use aileron_contract::{Backoff, Jitter};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use jiff::Timestamp;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response, Url, redirect, retry};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{sleep, timeout_at};

use super::fault::{self, EmbedFault};
use super::key::ApiKey;
use super::wait;
use crate::embed::EmbedError;

/// The most bytes of a response: several times those of the largest batch.
const MOST_BYTES: usize = 64 << 20;

/// Dropping it ends the thread and every request that runs on it.
#[derive(Debug)]
pub(super) struct HttpThread {
    jobs: UnboundedSender<Job>,
}

#[derive(Debug)]
pub(super) struct Post {
    pub(super) url: Url,
    pub(super) body: Vec<u8>,
    pub(super) deadline: Instant,
    pub(super) attempts: u32,
    pub(super) backoff: Backoff,
}

#[derive(Debug)]
struct Job {
    post: Post,
    answer: Sender<Result<Vec<u8>, EmbedFault>>,
}

/// A request in flight.
#[derive(Debug)]
pub(super) struct PendingRequest(Receiver<Result<Vec<u8>, EmbedFault>>);

impl PendingRequest {
    pub(super) fn wait(self) -> Result<Vec<u8>, EmbedFault> {
        self.0.recv().unwrap_or_else(|_| Err(EmbedFault::transient("the network thread has ended")))
    }
}

impl HttpThread {
    pub(super) fn open(
        key: Option<&ApiKey>,
        header: (&'static str, &str),
    ) -> Result<Self, EmbedError> {
        let client = client(headers(key, header)?)?;
        let (jobs, queue) = unbounded_channel();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime =
            runtime.map_err(|error| fault::setup(format!("no network thread: {error}")))?;
        std::thread::Builder::new()
            .name("embed".into())
            .spawn(move || runtime.block_on(serve(client, queue)))
            .map_err(|error| fault::setup(format!("no network thread: {error}")))?;
        Ok(Self { jobs })
    }

    pub(super) fn post(&self, post: Post) -> PendingRequest {
        let (answer, pending) = channel();
        // Without a thread the job is dropped, and waiting for its answer fails.
        let _ = self.jobs.send(Job { post, answer });
        PendingRequest(pending)
    }
}

fn headers(
    key: Option<&ApiKey>,
    (name, prefix): (&'static str, &str),
) -> Result<HeaderMap, EmbedError> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(key) = key {
        let wrong = || {
            fault::setup("expected a key of visible ASCII characters, found others in it".into())
        };
        headers.insert(HeaderName::from_static(name), key.header(prefix).ok_or_else(wrong)?);
    }
    Ok(headers)
}

/// No redirects, which would send the key elsewhere; retries are counted here.
fn client(headers: HeaderMap) -> Result<Client, EmbedError> {
    // An error means that the process has chosen a provider already, which will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .user_agent(concat!("aileron/", env!("CARGO_PKG_VERSION")))
        .default_headers(headers)
        .redirect(redirect::Policy::none())
        .retry(retry::never())
        .no_proxy()
        .build()
        .map_err(|error| {
            fault::setup(format!("no HTTP client: {}", EmbedFault::of_network(error).message))
        })
}

async fn serve(client: Client, mut queue: UnboundedReceiver<Job>) {
    while let Some(Job { post, answer }) = queue.recv().await {
        let client = client.clone();
        tokio::spawn(async move {
            // This fails if the caller no longer waits.
            let _ = answer.send(attempts(&client, &post).await);
        });
    }
}

async fn attempts(client: &Client, post: &Post) -> Result<Vec<u8>, EmbedFault> {
    let mut failed = 0;
    loop {
        let attempt = timeout_at(post.deadline.into(), once(client, post)).await;
        let fault = match attempt.unwrap_or_else(|_| Err(EmbedFault::late())) {
            Ok(body) => return Ok(body),
            Err(fault) => fault,
        };
        failed += 1;
        let pause =
            fault.retry_after.unwrap_or_else(|| post.backoff.jittered(failed, Jitter::random()));
        let late = Instant::now().checked_add(pause).is_none_or(|then| then >= post.deadline);
        if !fault.transient || failed >= post.attempts || late {
            return Err(after(fault, failed));
        }
        sleep(pause).await;
    }
}

fn after(fault: EmbedFault, attempts: u32) -> EmbedFault {
    match attempts {
        1 => fault,
        _ => EmbedFault {
            message: format!("{} (after {attempts} attempts)", fault.message),
            ..fault
        },
    }
}

async fn once(client: &Client, post: &Post) -> Result<Vec<u8>, EmbedFault> {
    let request = client.post(post.url.clone()).body(post.body.clone());
    let response = request.send().await.map_err(EmbedFault::of_network)?;
    let status = response.status();
    let retry_after = wait::retry_after(response.headers(), Timestamp::now());
    let body = read(response).await;
    if status.is_success() {
        body
    } else {
        Err(EmbedFault::of_status(status, &body.unwrap_or_default(), retry_after))
    }
}

async fn read(mut response: Response) -> Result<Vec<u8>, EmbedFault> {
    let mut body = Vec::new();
    while let Some(part) = response.chunk().await.map_err(EmbedFault::of_network)? {
        if body.len() + part.len() > MOST_BYTES {
            return Err(EmbedFault::lasting(format!(
                "expected an answer of at most {MOST_BYTES} bytes, found more"
            )));
        }
        body.extend_from_slice(&part);
    }
    Ok(body)
}
