//! Answers in progress: written once, streamed to every reader from the beginning.
//!
//! The buffer of an answer is bounded, and a reader holds only a position in it. An answer without a reader
//! continues for a while, so that an interrupted stream can be resumed, and is then stopped. The buffer is in
//! this process only: a stream is resumed where it was started.

mod read;
mod readers;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use aileron_agent::{TurnError, TurnEvent, TurnFailure, TurnFailureCode, TurnStream};
use aileron_contract::ConversationId;
use aileron_orchestrator::Person;
use axum::body::Bytes;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout_at};
use tokio_util::sync::CancellationToken;

use self::readers::{Readers, StreamReader};
use super::chunk::{Chunk, DONE};
use super::encode::Encoder;
use super::meter::Meter;
use super::options::ChatOptions;
use super::request::Delivery;
use super::tracer::TurnTracer;
use crate::conversations::Lease;

/// Maximum number of bytes of an answer. A longer one is aborted.
const MAX_BYTES: usize = 16 << 20;

/// Interval between two checks for readers.
const READER_CHECK_INTERVAL: Duration = Duration::from_millis(500);

/// How long a message waits for the previous answer to end.
const MAX_WAIT: Duration = Duration::from_secs(5);

const STOPPED: &str = "stopped";
const ENDING: &str = "the server stops";
const NOT_READ: &str = "nobody read the answer any more";
const TOO_LONG: &str = "the answer grew too long";

/// The answers in progress, one for each conversation.
#[derive(Debug, Default)]
pub(super) struct ActiveStreams(Mutex<BTreeMap<ConversationId, Arc<ResumableStream>>>);

/// One answer in progress.
#[derive(Debug)]
pub(super) struct ResumableStream {
    conversation: ConversationId,
    person: Person,
    delivery: Delivery,
    options: ChatOptions,
    record: Mutex<StreamBuffer>,
    /// The progress of the buffer; readers wait for it to change.
    progress: watch::Sender<StreamProgress>,
    readers: Readers,
    stop: CancellationToken,
}

/// A reader of an answer. Without one, the answer is stopped after a while, or by the next message.
#[derive(Debug)]
pub(super) struct AnswerReader {
    pub(super) stream: Arc<ResumableStream>,
    place: StreamReader,
}

/// The bytes that were written, in pieces.
#[derive(Debug, Default)]
struct StreamBuffer {
    pieces: Vec<Bytes>,
    bytes: usize,
    /// The chunks, if the client wants the answer as one document.
    chunks: Vec<Chunk>,
    failed: Option<TurnFailure>,
}

/// The progress of a buffer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct StreamProgress {
    pieces: usize,
    done: bool,
}

impl ActiveStreams {
    pub(super) fn find(&self, id: &ConversationId) -> Option<Arc<ResumableStream>> {
        self.lock().get(id).cloned()
    }

    /// Starts the buffer of an answer, with the reader that requested it: from the moment it is listed, a
    /// concurrent request can see that it is read.
    pub(super) fn begin(
        &self,
        id: &ConversationId,
        (person, delivery): (Person, Delivery),
        options: ChatOptions,
    ) -> AnswerReader {
        let stream = Arc::new(ResumableStream {
            conversation: id.clone(),
            person,
            delivery,
            options,
            record: Mutex::default(),
            progress: watch::Sender::default(),
            readers: Readers::default(),
            stop: CancellationToken::new(),
        });
        let reader = stream.reader();
        self.lock().insert(id.clone(), stream);
        reader
    }

    /// Waits until the conversation's answer has ended. An answer without a reader is stopped, because a person
    /// who sends another message has left it.
    pub(super) async fn wait_until_ended(&self, id: &ConversationId) -> Result<(), TurnError> {
        let Some(live) = self.find(id) else { return Ok(()) };
        let until = Instant::now() + MAX_WAIT;
        let mut progress = live.progress.subscribe();
        loop {
            if progress.borrow_and_update().done {
                return Ok(());
            }
            if !live.readers.any(live.options.stalled_after) {
                live.stop();
            }
            let look = (Instant::now() + Duration::from_millis(50)).min(until);
            let _ = timeout_at(look, progress.changed()).await;
            if Instant::now() >= until {
                return Err(TurnError::Busy);
            }
        }
    }

    /// Removes an answer, unless another one has replaced it.
    fn end(&self, live: &Arc<ResumableStream>) {
        let mut active_streams = self.lock();
        if active_streams.get(&live.conversation).is_some_and(|listed| Arc::ptr_eq(listed, live)) {
            active_streams.remove(&live.conversation);
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<ConversationId, Arc<ResumableStream>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ResumableStream {
    pub(super) fn is_of(&self, person: &Person) -> bool {
        self.person.id == person.id
    }

    /// Another reader, from the beginning.
    pub(super) fn reader(self: &Arc<Self>) -> AnswerReader {
        AnswerReader { place: self.readers.enter(), stream: self.clone() }
    }

    /// Stops the answer.
    pub(super) fn stop(&self) {
        self.stop.cancel();
    }

    fn push(&self, chunks: Vec<Chunk>) -> usize {
        let mut piece = Vec::with_capacity(256);
        chunks.iter().for_each(|chunk| chunk.write(&mut piece));
        let mut record = self.lock();
        if self.delivery == Delivery::Whole {
            record.chunks.extend(chunks);
        }
        record.add(piece.into())
    }

    fn finish(&self) {
        self.lock().add(Bytes::from_static(DONE));
        self.tell(true);
    }

    fn tell(&self, done: bool) {
        let pieces = self.lock().pieces.len();
        self.progress.send_replace(StreamProgress { pieces, done });
    }

    fn lock(&self) -> MutexGuard<'_, StreamBuffer> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StreamBuffer {
    fn add(&mut self, piece: Bytes) -> usize {
        self.bytes += piece.len();
        self.pieces.push(piece);
        self.bytes
    }
}

/// Logs the details of a failure for the operator; the person sees a sentence without them.
fn log(conversation: &ConversationId, failed: &TurnFailure) {
    let (conversation, code, detail) =
        (conversation.as_str(), failed.code.as_str(), &failed.detail);
    match failed.code {
        // The client answered a confirmation that is not open, which is no defect of the server.
        TurnFailureCode::NotConfirmed => {
            tracing::debug!(conversation, code, detail, "An answer to a confirmation was refused.");
        }
        TurnFailureCode::ModelUnavailable
        | TurnFailureCode::ModelBusy
        | TurnFailureCode::ModelRefused
        | TurnFailureCode::HistoryConflict
        | TurnFailureCode::HistoryUnwritable => {
            tracing::warn!(conversation, code, detail, "An answer failed.");
        }
    }
}

/// Writes an answer to its buffer until it ends, is stopped, or has no reader.
pub(super) async fn pump(
    active_streams: Arc<ActiveStreams>,
    live: Arc<ResumableStream>,
    mut answering: TurnStream,
    (mut encoder, mut meter, tracer): (Encoder, Meter, TurnTracer),
    lease: Lease,
    time_is_up: CancellationToken,
) {
    let mut look = interval(READER_CHECK_INTERVAL);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut unread_since = None;
    let aborted = loop {
        tokio::select! {
            biased;
            () = live.stop.cancelled() => break Some(STOPPED),
            () = time_is_up.cancelled() => break Some(ENDING),
            event = answering.next() => {
                let Some(event) = event else { break None };
                if let TurnEvent::Failed(failed) = &event {
                    log(&live.conversation, failed);
                    live.lock().failed = Some(failed.clone());
                }
                meter.on_event(&event);
                tracer.on_event(&event);
                let mut chunks = Vec::new();
                encoder.encode(event, &mut chunks);
                if live.push(chunks) > MAX_BYTES {
                    break Some(TOO_LONG);
                }
                live.tell(false);
            }
            now = look.tick() => {
                let read = live.readers.any(live.options.stalled_after);
                let since = *unread_since.get_or_insert(now);
                match read {
                    true => unread_since = None,
                    false if now.duration_since(since) >= live.options.resume_within => break Some(NOT_READ),
                    false => {}
                }
            }
        }
    };
    if let Some(reason) = aborted {
        let mut chunks = Vec::new();
        encoder.abort(reason, &mut chunks);
        live.push(chunks);
    }
    // Running calls are interrupted before readers see the end.
    drop(answering);
    drop(meter);
    active_streams.end(&live);
    live.finish();
    // The lease keeps the conversation loaded until here.
    drop(lease);
}
