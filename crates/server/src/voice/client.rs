//! The client's end of a connection: sends what waits and reads what comes, in one poll, so that one
//! task has both without a queue between them.

use std::future::poll_fn;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use aileron_transports::websocket::{self, Error, Outgoing, WebSocket};
use tokio::net::TcpStream;

use super::outbox::{Outbox, OutboxRoom, QueuedMessage};
use super::poll_on_wake::WakeReason;
use super::protocol::VoiceServerMessage;
use crate::listen::StallStream;

/// How long a client has to take the last words.
pub(crate) const GOODBYE: Duration = Duration::from_secs(5);

const PROTOCOL_ERROR: u16 = 1002;
const NOT_UTF8: u16 = 1007;

/// What came of a client. What a message says is [`Client::payload`] until the next poll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClientReceived {
    Text,
    Audio,
    /// A sign of life without content.
    Pulse,
    /// All that waited was sent, and somebody wanted to know.
    Sent,
    /// A message that is larger than any may be.
    TooBig,
    /// What is no WebSocket's, with the code to close with.
    Broken(u16),
    Gone,
}

/// A WebSocket without anything of HTTP around it.
pub(crate) type Socket = WebSocket<StallStream<TcpStream>>;

#[derive(Debug)]
pub(crate) struct Client {
    socket: Socket,
    outbox: Outbox,
    is_flushed: bool,
    says_when_sent: bool,
    /// Whether something could not be read, so that nothing after it can be.
    is_unreadable: bool,
    /// Whether it sent a close frame, after which it takes nothing but the answer to that.
    has_hung_up: bool,
}

impl Client {
    pub(crate) fn new(socket: Socket, most_audio: usize) -> Self {
        Self {
            socket,
            outbox: Outbox::new(most_audio),
            is_flushed: true,
            says_when_sent: false,
            is_unreadable: false,
            has_hung_up: false,
        }
    }

    pub(crate) fn tell(&mut self, message: &VoiceServerMessage) -> OutboxRoom {
        self.is_flushed = false;
        self.outbox.tell(message)
    }

    pub(crate) fn play(&mut self, pcm: Vec<u8>) {
        self.is_flushed = false;
        self.outbox.play(pcm);
    }

    pub(crate) fn ping(&mut self) {
        self.is_flushed = false;
        self.outbox.ping();
    }

    /// What the last message said.
    pub(crate) fn payload(&self) -> &[u8] {
        self.socket.payload()
    }

    /// Forgets audio that was not sent.
    pub(crate) fn hush(&mut self) {
        self.outbox.hush();
    }

    pub(crate) fn dropped_audio(&self) -> u64 {
        self.outbox.dropped()
    }

    /// Whether everything was handed to the network.
    pub(crate) fn is_flushed(&self) -> bool {
        self.is_flushed
    }

    /// Whether anything may still come of it.
    pub(crate) fn is_there(&self) -> bool {
        !self.has_hung_up && !self.is_unreadable
    }

    /// Asks for [`ClientReceived::Sent`] when all that waits is sent.
    pub(crate) fn say_when_sent(&mut self) {
        self.says_when_sent = true;
    }

    /// What comes next. It also sends what waits, so it has to be polled. Dropping it loses nothing.
    pub(crate) async fn next(&mut self) -> ClientReceived {
        poll_fn(|cx| self.poll(WakeReason::Woken, cx)).await
    }

    /// Sends what waits and says goodbye, within bounds.
    pub(crate) async fn close(mut self, code: u16, reason: &'static str) {
        if self.has_hung_up {
            return self.answer_close().await;
        }
        self.outbox.close(code, reason);
        self.is_flushed = false;
        let goodbye = poll_fn(|cx| self.poll_send(cx));
        if let Ok(Ok(())) = tokio::time::timeout(GOODBYE, goodbye).await {
            let _ = tokio::time::timeout(GOODBYE, self.read_to_the_end()).await;
        }
    }

    /// Answers a client that hung up, within bounds: until then it cannot tell whether it was heard.
    pub(crate) async fn answer_close(&mut self) {
        if self.has_hung_up {
            // The socket has the answer ready.
            let sent = poll_fn(|cx| self.socket.poll_flush(cx));
            let _ = tokio::time::timeout(GOODBYE, sent).await;
        }
    }

    /// What is left unread when a connection is closed makes the system cut it, and the last words
    /// with it.
    async fn read_to_the_end(mut self) {
        while let Some(Ok(_)) = poll_fn(|cx| self.socket.poll_next(cx)).await {}
        if self.is_unreadable {
            let _ = tokio::io::copy(self.socket.get_mut(), &mut tokio::io::sink()).await;
        }
    }

    /// Sends what waits; reads, unless it was only given something to send. Of a connection that the
    /// client has cut, reading tells, after all that came before.
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
                self.has_hung_up = true;
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

    /// Ready when all is out.
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
