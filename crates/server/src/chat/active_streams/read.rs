//! Streams an answer to a reader.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use futures_util::{Stream, stream};
use tokio::time::{Instant, timeout};

use super::{ResumableStream, StreamProgress};

/// How long a stream may carry no data before a keep-alive comment is sent.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(15);

const KEEP_ALIVE: &[u8] = b": keep-alive\n\n";

impl ResumableStream {
    /// The whole stream from its beginning, for another reader.
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
