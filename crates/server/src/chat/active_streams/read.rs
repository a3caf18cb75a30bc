//! Streams an answer to a reader.

use std::time::Duration;

use aileron_agent::TurnFailure;
use axum::body::Bytes;
use futures_util::{Stream, stream};
use tokio::time::{Instant, timeout};

use super::{AnswerReader, Chunk, ResumableStream, StreamProgress};

/// How long a stream may carry no data before a keep-alive comment is sent.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(15);

const KEEP_ALIVE: &[u8] = b": keep-alive\n\n";

impl AnswerReader {
    /// The whole stream from its beginning.
    pub(in crate::chat) fn read(
        self,
    ) -> impl Stream<Item = Result<Bytes, std::convert::Infallible>> + Send {
        let progress = self.stream.progress.subscribe();
        stream::unfold((self, progress, 0), |(reader, mut progress, at)| async move {
            reader.place.set(None);
            let seen = wait(&mut progress, at).await;
            let (bytes, to) = reader.stream.pieces(at, seen);
            let bytes = bytes?;
            reader.place.set(Some(Instant::now()));
            Some((Ok(bytes), (reader, progress, to)))
        })
    }

    /// Waits for the end. Returns all chunks, or why the turn failed.
    pub(in crate::chat) async fn whole(self) -> Result<Vec<Chunk>, TurnFailure> {
        let mut progress = self.stream.progress.subscribe();
        // The sender is a field of the stream, so it exists.
        let _ = progress.wait_for(|progress| progress.done).await;
        let mut record = self.stream.lock();
        match record.failed.take() {
            Some(failed) => Err(failed),
            None => Ok(std::mem::take(&mut record.chunks)),
        }
    }
}

impl ResumableStream {
    /// The pieces from an index on; a keep-alive comment if there are none, and `None` after the end.
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

/// Waits for a piece after the first `at`, for the end, or until a keep-alive is due.
async fn wait(
    progress: &mut tokio::sync::watch::Receiver<StreamProgress>,
    at: usize,
) -> StreamProgress {
    let more = progress.wait_for(|progress| progress.pieces > at || progress.done);
    let waited = timeout(KEEP_ALIVE_INTERVAL, more).await;
    match waited {
        Ok(Ok(progress)) => *progress,
        Ok(Err(_)) | Err(_) => StreamProgress { pieces: at, done: false },
    }
}
