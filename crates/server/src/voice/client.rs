//! The client's end of a connection. One poll sends queued messages and reads incoming ones, so that one task
//! does both without a queue between them.

use std::future::poll_fn;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use aileron_transports::websocket::{self, Error, Outgoing, WebSocket};
use tokio::net::TcpStream;

use super::outbox::{Outbox, OutboxRoom, QueuedMessage};
use super::poll_on_wake::WakeReason;
use super::protocol::VoiceServerMessage;
use crate::listen::StallStream;

/// How long a client has to receive the last messages.
pub(crate) const GOODBYE: Duration = Duration::from_secs(5);

const PROTOCOL_ERROR: u16 = 1002;
const NOT_UTF8: u16 = 1007;

/// An input from a client. The content of a message is [`Client::payload`] until the next poll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClientReceived {
    Text,
    Audio,
    /// A ping or pong.
    Pulse,
    /// All queued messages were sent; reported on request.
    Sent,
    /// A message that exceeds the maximum size.
    TooBig,
    /// A violation of the WebSocket protocol, with the close code.
    Broken(u16),
    Gone,
}

/// A WebSocket without the HTTP layer.
pub(crate) type Socket = WebSocket<StallStream<TcpStream>>;

#[derive(Debug)]
pub(crate) struct Client {
    socket: Socket,
    outbox: Outbox,
    is_flushed: bool,
    says_when_sent: bool,
    /// Whether a frame could not be read; no later frame is read then.
    is_unreadable: bool,
    /// Whether the client sent a close frame, after which it accepts only the reply to that.
    has_sent_close: bool,
}

impl Client {
    pub(crate) fn new(socket: Socket, most_audio: usize) -> Self {
        Self {
            socket,
            outbox: Outbox::new(most_audio),
            is_flushed: true,
            says_when_sent: false,
            is_unreadable: false,
            has_sent_close: false,
        }
    }

    pub(crate) fn send_message(&mut self, message: &VoiceServerMessage) -> OutboxRoom {
        self.is_flushed = false;
        self.outbox.push_message(message)
    }

    pub(crate) fn play(&mut self, pcm: Vec<u8>) {
        self.is_flushed = false;
        self.outbox.play(pcm);
    }

    pub(crate) fn ping(&mut self) {
        self.is_flushed = false;
        self.outbox.ping();
    }

    /// The content of the last message.
    pub(crate) fn payload(&self) -> &[u8] {
        self.socket.payload()
    }

    /// Drops audio that is queued.
    pub(crate) fn clear_playback(&mut self) {
        self.outbox.clear_audio();
    }

    pub(crate) fn dropped_audio(&self) -> u64 {
        self.outbox.dropped()
    }

    /// Whether everything was handed to the network.
    pub(crate) fn is_flushed(&self) -> bool {
        self.is_flushed
    }

    /// Whether the connection is open.
    pub(crate) fn is_open(&self) -> bool {
        !self.has_sent_close && !self.is_unreadable
    }

    /// Requests [`ClientReceived::Sent`] for when all queued messages are sent.
    pub(crate) fn notify_when_sent(&mut self) {
        self.says_when_sent = true;
    }

    /// The next input. Also sends queued messages, so it has to be polled. Cancel-safe.
    pub(crate) async fn next(&mut self) -> ClientReceived {
        poll_fn(|cx| self.poll(WakeReason::Woken, cx)).await
    }

    /// Sends the queued messages and a close frame, within bounds.
    pub(crate) async fn close(mut self, code: u16, reason: &'static str) {
        if self.has_sent_close {
            return self.answer_close().await;
        }
        self.outbox.close(code, reason);
        self.is_flushed = false;
        let goodbye = poll_fn(|cx| self.poll_send(cx));
        if let Ok(Ok(())) = tokio::time::timeout(GOODBYE, goodbye).await {
            let _ = tokio::time::timeout(GOODBYE, self.read_to_the_end()).await;
        }
    }

    /// Replies to a client's close frame, within bounds.
    pub(crate) async fn answer_close(&mut self) {
        if self.has_sent_close {
            // The socket has the reply ready.
            let sent = poll_fn(|cx| self.socket.poll_flush(cx));
            let _ = tokio::time::timeout(GOODBYE, sent).await;
        }
    }

    /// Reads until the end: closing a connection with unread data makes the system reset it, and the last
    /// messages would be lost.
    async fn read_to_the_end(mut self) {
        while let Some(Ok(_)) = poll_fn(|cx| self.socket.poll_next(cx)).await {}
        if self.is_unreadable {
            let _ = tokio::io::copy(self.socket.get_mut(), &mut tokio::io::sink()).await;
        }
    }

    /// Sends queued messages; reads, unless it is polled only because something was queued. A reset connection
    /// is reported by reading, after all data that was received before.
    pub(crate) fn poll(
        &mut self,
        reason: WakeReason,
        cx: &mut Context<'_>,
    ) -> Poll<ClientReceived> {
        match self.poll_send(cx) {
            Poll::Ready(Err(error)) if !error.is_cut() => return Poll::Ready(ClientReceived::Gone),
            Poll::Ready(Ok(())) if std::mem::take(&mut self.says_when_sent) => {
                return Poll::Ready(ClientReceived::Sent);
            }
            Poll::Ready(_) | Poll::Pending => {}
        }
        match reason {
            WakeReason::Written => Poll::Pending,
            WakeReason::Woken => self.poll_receive(cx),
        }
    }

    fn poll_receive(&mut self, cx: &mut Context<'_>) -> Poll<ClientReceived> {
        let received = ready!(self.socket.poll_next(cx));
        self.is_unreadable = matches!(received, Some(Err(_)));
        Poll::Ready(match received {
            Some(Ok(websocket::WebSocketReceived::Text)) => ClientReceived::Text,
            Some(Ok(websocket::WebSocketReceived::Binary)) => ClientReceived::Audio,
            Some(Ok(websocket::WebSocketReceived::Pulse)) => ClientReceived::Pulse,
            Some(Ok(websocket::WebSocketReceived::Close(_))) => {
                self.has_sent_close = true;
                ClientReceived::Gone
            }
            Some(Err(Error::TooBig { .. })) => ClientReceived::TooBig,
            Some(Err(Error::Broken(_))) => ClientReceived::Broken(PROTOCOL_ERROR),
            Some(Err(Error::NotUtf8)) => ClientReceived::Broken(NOT_UTF8),
            Some(Err(Error::Io(_) | Error::Ended | Error::Refused { .. })) | None => {
                ClientReceived::Gone
            }
        })
    }

    /// Ready when everything is sent.
    fn poll_send(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        while !self.is_flushed {
            while !self.socket.is_full()
                && let Some(message) = self.outbox.next()
            {
                self.socket.send(match &message {
                    QueuedMessage::Words(text) => Outgoing::Text(text),
                    QueuedMessage::Audio(pcm) => Outgoing::Binary(pcm),
                    QueuedMessage::Ping => Outgoing::Ping,
                    QueuedMessage::Close(code, reason) => Outgoing::Close(Some((*code, reason))),
                });
            }
            ready!(self.socket.poll_flush(cx))?;
            self.is_flushed = self.outbox.is_empty();
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
#[path = "client_tests.rs"]
mod tests;
