//! Closes a connection whose client is still sending.
//!
//! A socket that is closed with unread data in it resets the connection, and the client may lose an
//! answer that it has not read: a refused upload looks like a broken network. So the rest of a
//! request that was answered early is read and dropped, for a bounded time and size.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// How long the rest of a request is read.
const MAX_TIME: Duration = Duration::from_secs(5);

/// Maximum number of bytes of it that are read.
const MAX_BYTES: usize = 64 << 20;

const PIECE_BYTES: usize = 16 << 10;

/// Whether a connection has sent a request that was not read to its end.
#[derive(Debug, Clone, Default)]
pub(super) struct UnreadRequest(Arc<AtomicBool>);

impl UnreadRequest {
    fn set(&self, unread: bool) {
        self.0.store(unread, Ordering::Relaxed);
    }

    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Wraps the body of a request to record when it was read to its end.
    pub(super) fn watch(&self, body: Incoming) -> WatchedBody {
        if body.is_end_stream() {
            self.set(false);
        }
        WatchedBody { body, unread: self.clone() }
    }
}

/// A body that reports its end to its connection.
#[derive(Debug)]
pub(super) struct WatchedBody {
    body: Incoming,
    unread: UnreadRequest,
}

impl Body for WatchedBody {
    type Data = <Incoming as Body>::Data;
    type Error = <Incoming as Body>::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if frame.is_none() || self.body.is_end_stream() {
            self.unread.set(false);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A stream that reads the rest of a request before it is closed.
#[derive(Debug)]
pub(crate) struct LingerStream<S> {
    stream: S,
    unread: UnreadRequest,
    rest: Option<RestLimit>,
}

/// The bounds on reading the rest.
#[derive(Debug)]
struct RestLimit {
    bytes: usize,
    time: Pin<Box<Sleep>>,
}

impl<S> LingerStream<S> {
    pub(super) fn new(stream: S, unread: UnreadRequest) -> Self {
        Self { stream, unread, rest: None }
    }

    pub(crate) fn into_inner(self) -> S {
        self.stream
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> LingerStream<S> {
    /// Reads until the client has sent everything, a bound is reached, or an error occurs.
    fn poll_drain(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let fresh = || RestLimit { bytes: MAX_BYTES, time: Box::pin(sleep(MAX_TIME)) };
        let rest = self.rest.get_or_insert_with(fresh);
        while rest.bytes > 0 && rest.time.as_mut().poll(context).is_pending() {
            let mut piece = [0; PIECE_BYTES];
            let mut piece = ReadBuf::new(&mut piece);
            let read = ready!(Pin::new(&mut self.stream).poll_read(context, &mut piece));
            let length = piece.filled().len();
            if read.is_err() || length == 0 {
                break;
            }
            rest.bytes = rest.bytes.saturating_sub(length);
        }
        Poll::Ready(())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for LingerStream<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        let read = ready!(Pin::new(&mut this.stream).poll_read(context, buffer));
        if buffer.filled().len() > before {
            this.unread.set(true);
        }
        Poll::Ready(read)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for LingerStream<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    /// Ends the sending side, then reads the rest.
    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.rest.is_none() {
            ready!(Pin::new(&mut this.stream).poll_shutdown(context))?;
        }
        if this.unread.is_set() {
            ready!(this.poll_drain(context));
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
#[path = "linger_tests.rs"]
mod tests;
