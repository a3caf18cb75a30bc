//! Those who read an answer: where each is, and whether they still take what they are given.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use futures_util::{Stream, stream};
use tokio::time::{Instant, timeout};

use super::{ResumableStream, StreamProgress};

/// How long a stream may be silent; then it says that it is still there.
const SILENCE: Duration = Duration::from_secs(15);

const KEEP_ALIVE: &[u8] = b": keep-alive\n\n";

/// The readers of one answer, each with the moment since which it has not asked for more.
#[derive(Debug, Default, Clone)]
pub(super) struct Readers(Arc<Mutex<ReaderPlaces>>);

#[derive(Debug, Default)]
struct ReaderPlaces {
    next: u64,
    given: BTreeMap<u64, Option<Instant>>,
}

/// A reader's place; it is given up when this is dropped.
#[derive(Debug)]
pub(super) struct StreamReader {
    readers: Readers,
    number: u64,
}

impl Readers {
    pub(super) fn enter(&self) -> StreamReader {
        let mut places = self.lock();
        let number = places.next;
        places.next += 1;
        places.given.insert(number, None);
        StreamReader { readers: self.clone(), number }
    }

    /// Whether anyone reads: who has left what they were given for so long does not.
    pub(super) fn any(&self, stalled_after: Duration) -> bool {
        let reads = |given: &Option<Instant>| given.is_none_or(|at| at.elapsed() < stalled_after);
        self.lock().given.values().any(reads)
    }

    fn lock(&self) -> MutexGuard<'_, ReaderPlaces> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StreamReader {
    fn set(&self, given: Option<Instant>) {
        self.readers.lock().given.insert(self.number, given);
    }
}

impl Drop for StreamReader {
    fn drop(&mut self) {
        self.readers.lock().given.remove(&self.number);
    }
}

impl ResumableStream {
    /// The whole stream from its beginning, for one more reader.
    pub(in crate::chat) fn read(
        self: &Arc<Self>,
    ) -> impl Stream<Item = Result<Bytes, std::convert::Infallible>> + Send + use<> {
        let reader = self.readers.enter();
        let progress = self.progress.subscribe();
        stream::unfold(
            (self.clone(), progress, reader, 0),
            |(live, mut progress, reader, at)| async move {
                reader.set(None);
                let seen = wait(&mut progress, at).await;
                let (bytes, to) = live.pieces(at, seen);
                let bytes = bytes?;
                reader.set(Some(Instant::now()));
                Some((Ok(bytes), (live, progress, reader, to)))
            },
        )
    }

    /// What was written since a place; a sign of life if nothing was, and nothing after the end.
    fn pieces(&self, from: usize, seen: StreamProgress) -> (Option<Bytes>, usize) {
        let record = self.lock();
        match record.pieces.get(from..) {
            Some([]) | None if seen.done => (None, from),
            Some([]) | None => (Some(Bytes::from_static(KEEP_ALIVE)), from),
            Some([one]) => (Some(one.clone()), from + 1),
            Some(more) => (Some(more.concat().into()), from + more.len()),
        }
    }
}

/// Waits for more than a reader has, or for the end.
async fn wait(
    progress: &mut tokio::sync::watch::Receiver<StreamProgress>,
    at: usize,
) -> StreamProgress {
    let more = progress.wait_for(|progress| progress.pieces > at || progress.done);
    let waited = timeout(SILENCE, more).await;
    match waited {
        Ok(Ok(progress)) => *progress,
        Ok(Err(_)) | Err(_) => StreamProgress { pieces: at, done: false },
    }
}
