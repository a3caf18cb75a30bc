//! Clients that send a frame every 20 ms and note how long each takes to come back.

use std::io;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};

use super::subject::Subject;
use super::wire::{End, Kind, Wire};
use crate::samples::Samples;

/// Bytes of 20 ms at 16 kHz.
pub(super) const FRAME: usize = 640;

/// What stands around the audio of a frame to the provider.
pub(super) const HEAD: &[u8] =
    br#"{"realtimeInput":{"audio":{"mimeType":"audio/pcm;rate=16000","data":""#;
pub(super) const TAIL: &[u8] = br#""}}}"#;

/// How often a frame is sent.
const EVERY: Duration = Duration::from_millis(20);

/// What is not counted at the beginning.
const WARM_UP: Duration = Duration::from_secs(2);

static EPOCH: LazyLock<Instant> = LazyLock::new(Instant::now);

pub(super) type Socket = WebSocketStream<TcpStream>;

/// So many conversations for so long.
#[derive(Debug, Clone, Copy)]
pub(super) struct Round {
    pub(super) conversations: usize,
    pub(super) measured: Duration,
}

impl Round {
    /// Through a server.
    pub(super) async fn through(&self, subject: &Subject) -> Result<Outcome, String> {
        let sockets = idle(subject.address(), self.conversations).await?;
        self.measure(sockets, Side::Server, || subject.cpu()).await
    }

    /// To the provider itself.
    pub(super) async fn direct(&self, base: &str) -> Result<Outcome, String> {
        let address = base.trim_start_matches("ws://");
        let mut sockets = Vec::with_capacity(self.conversations);
        for _ in 0..self.conversations {
            let mut socket = connect(address, "/").await?;
            say(&mut socket, r#"{"setup":{}}"#).await?;
            socket.next().await.ok_or("expected a setup that was taken")?.map_err(words)?;
            sockets.push(socket);
        }
        self.measure(sockets, Side::Provider, || Ok(Duration::ZERO)).await
    }

    async fn measure(
        &self,
        sockets: Vec<Socket>,
        side: Side,
        cpu: impl Fn() -> Result<Duration, String>,
    ) -> Result<Outcome, String> {
        let count = sockets.len().max(1);
        let from = Instant::now() + WARM_UP;
        let until = from + self.measured;
        let tasks: Vec<_> = sockets
            .into_iter()
            .enumerate()
            .map(|(n, socket)| {
                // Spread over the frame's time, as people are.
                let offset = EVERY.mul_f64(n as f64 / count as f64);
                tokio::spawn(converse(socket, side, offset, from, until))
            })
            .collect();
        tokio::time::sleep_until(from.into()).await;
        let before = cpu()?;
        tokio::time::sleep_until(until.into()).await;
        let cpu = cpu()?.saturating_sub(before);
        let mut samples = Samples::default();
        for task in tasks {
            samples.append(task.await.map_err(|error| error.to_string())?);
        }
        Ok(Outcome { samples, cpu, round: *self })
    }
}

/// What came of a round.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) samples: Samples,
    /// Processor time of what is measured.
    cpu: Duration,
    round: Round,
}

impl Outcome {
    /// The share of a core that was taken.
    pub(super) fn cores(&self) -> f64 {
        self.cpu.as_secs_f64() / self.round.measured.as_secs_f64()
    }

    /// The share of the frames that were due and came back in time to be counted.
    pub(super) fn delivered(&self) -> f64 {
        let due = self.round.measured.as_secs_f64() / EVERY.as_secs_f64();
        self.samples.len() as f64 / (due * self.round.conversations as f64)
    }

    /// How many conversations the work that was done would be on one core.
    pub(super) fn conversations_a_core(&self) -> f64 {
        self.delivered() * self.round.conversations as f64 / self.cores().max(0.001)
    }

    pub(super) fn is_cheaper_than(&self, other: &Self) -> bool {
        self.us_a_frame() < other.us_a_frame()
    }

    /// Processor time for a frame and its reply, in microseconds.
    pub(super) fn us_a_frame(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e6 / self.samples.len().max(1) as f64
    }
}

/// Conversations that have begun and in which nobody speaks.
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

/// Whom the clients talk to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Server,
    Provider,
}

async fn converse(
    socket: Socket,
    side: Side,
    offset: Duration,
    from: Instant,
    until: Instant,
) -> Samples {
    let mut samples = Samples::default();
    let mut wire = Wire::new(socket, End::Client);
    tokio::time::sleep(offset).await;
    let mut ticks = tokio::time::interval(EVERY);
    loop {
        tokio::select! {
            _ = ticks.tick() => {
                if Instant::now() >= until || send(&mut wire, side).await.is_err() {
                    return samples;
                }
            }
            payload = wire.next() => {
                let Some(payload) = payload else { return samples };
                if let Some(took) = took(payload, side)
                    && Instant::now() >= from
                {
                    samples.push(took);
                }
            }
        }
    }
}

/// Sends a frame that has its moment in the first bytes.
async fn send(wire: &mut Wire, side: Side) -> io::Result<()> {
    let now = u64::try_from(EPOCH.elapsed().as_nanos()).unwrap_or(u64::MAX);
    let mut pcm = [0; FRAME];
    pcm[..8].copy_from_slice(&now.to_le_bytes());
    match side {
        Side::Server => wire.send(Kind::Binary, &[&pcm]).await,
        Side::Provider => {
            let data = base64_simd::STANDARD.encode_to_string(pcm);
            wire.send(Kind::Text, &[HEAD, data.as_bytes(), TAIL]).await
        }
    }
}

fn took(bytes: &[u8], side: Side) -> Option<Duration> {
    let stamp: [u8; 8] = match side {
        Side::Server => bytes.get(..8).filter(|_| bytes.len() == 960)?.try_into().ok()?,
        Side::Provider => {
            let data = b"\"data\":\"";
            let at = bytes.windows(data.len()).position(|window| window == data)? + data.len();
            let decoded = base64_simd::STANDARD.decode_to_vec(bytes.get(at..at + 12)?).ok()?;
            decoded.get(..8)?.try_into().ok()?
        }
    };
    let sent = Duration::from_nanos(u64::from_le_bytes(stamp));
    EPOCH.elapsed().checked_sub(sent)
}
