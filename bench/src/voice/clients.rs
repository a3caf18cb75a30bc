//! Clients of the voice server, and the outcome of a round of them.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};

use super::crowd::{Crowd, EVERY, Side};
use super::echo::Echo;
use super::subject::Subject;
use crate::samples::Samples;

pub(super) type Socket = WebSocketStream<TcpStream>;

/// A number of conversations and a duration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Round {
    pub(super) conversations: usize,
    pub(super) measured: Duration,
}

impl Round {
    /// Through a server to the provider.
    pub(super) async fn through(&self, subject: &Subject, echo: &Echo) -> Result<Outcome, String> {
        let sockets = idle(subject.address(), self.conversations).await?;
        Crowd::new(sockets, Side::Server, echo)?.talk(self, || subject.cpu())
    }

    /// Directly to the provider.
    pub(super) async fn direct(&self, echo: &Echo) -> Result<Outcome, String> {
        let base = echo.base();
        let address = base.trim_start_matches("ws://");
        let mut sockets = Vec::with_capacity(self.conversations);
        for _ in 0..self.conversations {
            let mut socket = connect(address, "/").await?;
            say(&mut socket, r#"{"setup":{}}"#).await?;
            socket.next().await.ok_or("expected a setup that was taken")?.map_err(words)?;
            sockets.push(socket);
        }
        Crowd::new(sockets, Side::Provider, echo)?.talk(self, || Ok(Duration::ZERO))
    }
}

/// The outcome of a round.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) samples: Samples,
    /// Processor time of the measured server.
    pub(super) cpu: Duration,
    pub(super) round: Round,
}

impl Outcome {
    /// The share of a core that was taken.
    pub(super) fn cores(&self) -> f64 {
        self.cpu.as_secs_f64() / self.round.measured.as_secs_f64()
    }

    /// The share of the due frames that came back in time.
    pub(super) fn delivered(&self) -> f64 {
        let due = self.round.measured.as_secs_f64() / EVERY.as_secs_f64();
        self.samples.len() as f64 / (due * self.round.conversations as f64)
    }

    pub(super) fn is_quicker_than(&self, other: &Self) -> bool {
        self.samples.p99_us() < other.samples.p99_us()
    }

    /// Processor time for a frame and its reply, in microseconds.
    pub(super) fn us_a_frame(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e6 / self.samples.len().max(1) as f64
    }
}

/// Silent conversations that have begun.
pub(super) async fn idle(address: &str, count: usize) -> Result<Vec<Socket>, String> {
    let mut sockets = Vec::with_capacity(count);
    for _ in 0..count {
        let mut socket = connect(address, "/v1/voice").await?;
        say(&mut socket, r#"{"type":"start"}"#).await?;
        socket.next().await.ok_or("expected `ready`, found the end")?.map_err(words)?;
        sockets.push(socket);
    }
    Ok(sockets)
}

async fn connect(address: &str, path: &str) -> Result<Socket, String> {
    let stream = TcpStream::connect(address).await.map_err(|error| error.to_string())?;
    stream.set_nodelay(true).map_err(|error| error.to_string())?;
    let request = format!("ws://{address}{path}");
    let (socket, _) = client_async(request, stream).await.map_err(words)?;
    Ok(socket)
}

async fn say(socket: &mut Socket, text: &str) -> Result<(), String> {
    socket.send(Message::text(text)).await.map_err(words)
}

fn words(error: tokio_tungstenite::tungstenite::Error) -> String {
    error.to_string()
}
