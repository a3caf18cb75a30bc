//! Reads one reply: requests it, retries where that may help, and limits time and size.

use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use aileron_contract::Jitter;
use aileron_contract::text::{ReplyEvent, ReplyFault};
use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use reqwest::Response;
use reqwest::header::HeaderMap;
use tokio::time::{Instant, timeout, timeout_at};

use super::call_ids::CallIds;
use super::decode::ReplyDecoder;
use super::fault::LocalFault;
use super::model::Core;
use super::protocol::DecodeStatus;
use super::{answering, connection, retry};

/// Limits on reading the rest of a response after the reply, in time and bytes.
const REST_TIMEOUT: Duration = Duration::from_secs(2);
const MAX_REST_BYTES: usize = 64 << 10;

/// A reply that is being read. It ends with [`ReplyEvent::Done`] or with a fault.
pub struct HttpReplyStream(Pin<Box<dyn Stream<Item = Result<ReplyEvent, ReplyFault>> + Send>>);

impl fmt::Debug for HttpReplyStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reading").finish_non_exhaustive()
    }
}

impl HttpReplyStream {
    pub(super) fn new(
        core: Arc<Core>,
        body: String,
        names: CallIds,
        binding: Option<String>,
    ) -> Self {
        let work = Work {
            core,
            body: body.into(),
            names,
            binding,
            begun: None,
            attempts: 0,
            told: false,
            ready: VecDeque::new(),
            phase: AttemptPhase::Asking,
        };
        let next = |mut work: Work| async move { work.next().await.map(|event| (event, work)) };
        Self(Box::pin(stream::unfold(work, next)))
    }

    /// The next event, or `None` after the last. Cancel-safe.
    pub async fn next(&mut self) -> Option<Result<ReplyEvent, ReplyFault>> {
        self.0.next().await
    }
}

impl Stream for HttpReplyStream {
    type Item = Result<ReplyEvent, ReplyFault>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(cx)
    }
}

struct Work {
    core: Arc<Core>,
    body: Bytes,
    names: CallIds,
    /// See [`super::protocol::ProviderProtocol::binding`].
    binding: Option<String>,
    /// When the first attempt was begun.
    begun: Option<Instant>,
    attempts: u32,
    /// Whether a part of the reply was passed on, so that it cannot be requested again.
    told: bool,
    ready: VecDeque<ReplyEvent>,
    phase: AttemptPhase,
}

enum AttemptPhase {
    Asking,
    Reading(Box<ReplyBody>),
    /// Events that were read before the fault are passed on before it.
    Failed(ReplyFault),
    Over,
}

/// The body of a response that is partially read.
struct ReplyBody {
    response: Response,
    intake: ReplyDecoder,
    /// Whether an event of the reply was read.
    begun: bool,
    /// The deadline of this attempt.
    deadline: Instant,
}

impl Work {
    async fn next(&mut self) -> Option<Result<ReplyEvent, ReplyFault>> {
        loop {
            if let Some(mut event) = self.ready.pop_front() {
                self.told = true;
                if let ReplyEvent::Done(reply) = &mut event
                    && let Some(original) = &mut reply.original
                {
                    original.bound_to = self.binding.take();
                }
                // There will be no further attempt, so the request is not needed any more.
                self.body = Bytes::new();
                return Some(Ok(event));
            }
            let step = match &mut self.phase {
                AttemptPhase::Over => return None,
                AttemptPhase::Failed(fault) => {
                    let mut fault = fault.clone();
                    if let Some(key) = &self.core.options.key {
                        fault.message = key.hidden_in(&fault.message);
                    }
                    self.phase = AttemptPhase::Over;
                    return Some(Err(fault));
                }
                AttemptPhase::Asking => self.ask().await,
                AttemptPhase::Reading(body) => body.more(&self.core, &mut self.ready).await,
            };
            match step {
                Ok(Some(phase)) => {
                    if let AttemptPhase::Reading(body) = std::mem::replace(&mut self.phase, phase) {
                        body.release();
                    }
                }
                Ok(None) => {}
                Err(fault) => self.phase = self.failed(fault).await,
            }
        }
    }

    async fn ask(&mut self) -> Result<Option<AttemptPhase>, ReplyFault> {
        let now = Instant::now();
        self.begun.get_or_insert(now);
        self.attempts += 1;
        let timeouts = &self.core.options.timeouts;
        let (limit, deadline) = (timeouts.first_byte, now + timeouts.whole);
        let answer = timeout_at((now + limit).min(deadline), send(&self.core, self.body.clone()));
        let response = answer.await.unwrap_or_else(|_| Err(late("an answer", limit)))?;
        let decoder = self.core.dialect.decoder(self.names.clone());
        let intake = ReplyDecoder::new(decoder, self.core.options.limits);
        Ok(Some(AttemptPhase::Reading(Box::new(ReplyBody {
            response,
            intake,
            begun: false,
            deadline,
        }))))
    }

    /// Waits for another attempt, or reports the fault.
    async fn failed(&mut self, fault: ReplyFault) -> AttemptPhase {
        if self.told || !self.ready.is_empty() {
            return AttemptPhase::Failed(fault);
        }
        // The connection is closed before the wait, not after it.
        self.phase = AttemptPhase::Asking;
        let spent = self.begun.map(|begun| begun.elapsed()).unwrap_or_default();
        let retries = &self.core.options.retries;
        match retry::wait(retries, &fault, self.attempts, spent, Jitter::random()) {
            Some(wait) => {
                tokio::time::sleep(wait).await;
                AttemptPhase::Asking
            }
            None => AttemptPhase::Failed(fault),
        }
    }
}

/// Sends a request. Returns a response whose head was checked.
async fn send(core: &Core, body: Bytes) -> Result<Response, ReplyFault> {
    let headers: HeaderMap = core.endpoint.headers.clone();
    let request = core.client.post(core.endpoint.url.clone()).headers(headers).body(body);
    let response = request.send().await.map_err(|error| connection::broken(&error))?;
    answering::stream(response, core.dialect.faults()).await
}

impl ReplyBody {
    /// Reads the rest after the reply, so that the connection can serve the next request.
    fn release(mut self: Box<Self>) {
        let rest = async move {
            let mut left = MAX_REST_BYTES;
            while let Ok(Some(bytes)) = self.response.chunk().await
                && bytes.len() <= left
            {
                left -= bytes.len();
            }
        };
        // A connection that has not ended by then is closed.
        tokio::spawn(timeout(REST_TIMEOUT, rest));
    }

    /// Reads the next piece of the stream.
    async fn more(
        &mut self,
        core: &Core,
        ready: &mut VecDeque<ReplyEvent>,
    ) -> Result<Option<AttemptPhase>, ReplyFault> {
        let timeouts = &core.options.timeouts;
        let limit = if self.begun { timeouts.between_bytes } else { timeouts.first_byte };
        let until = (Instant::now() + limit).min(self.deadline);
        let chunk = timeout_at(until, self.response.chunk()).await;
        let chunk = match chunk {
            Ok(Ok(chunk)) => Ok(chunk),
            Ok(Err(error)) => Err(connection::broken(&error)),
            Err(_) if until == self.deadline => Err(late("the end", timeouts.whole)),
            Err(_) => Err(late("more", limit)),
        };
        let progress = match chunk {
            Ok(Some(bytes)) => self.intake.take(&bytes, ready)?,
            Ok(None) => self.intake.end(ready)?,
            // A connection that breaks after the end of the reply is no fault.
            Err(fault) => self.intake.end(ready).map_err(|_| fault)?,
        };
        self.begun |= !ready.is_empty();
        Ok((progress == DecodeStatus::Over).then_some(AttemptPhase::Over))
    }
}

fn late(what: &str, limit: Duration) -> ReplyFault {
    LocalFault::Timeout
        .fault(format!("expected {what} within {} ms, found none", limit.as_millis()))
}
