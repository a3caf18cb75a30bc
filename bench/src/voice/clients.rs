//! Clients that send a frame every 20 ms and note how long each takes to come back.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::samples::Samples;

/// Bytes of 20 ms at 16 kHz.
const FRAME: usize = 640;

/// How often a frame is sent.
const EVERY: Duration = Duration::from_millis(20);

/// What is not counted at the beginning.
const WARM_UP: Duration = Duration::from_secs(2);

static EPOCH: LazyLock<Instant> = LazyLock::new(Instant::now);

type Socket = WebSocketStream<TcpStream>;

/// So many conversations for so long.
#[derive(Debug, Clone, Copy)]
pub(super) struct Round {
    pub(super) conversations: usize,
    pub(super) measured: Duration,
}

impl Round {
    /// How long a round takes.
    pub(super) fn lasted(&self) -> Duration {
        WARM_UP + self.measured
    }

    /// Through a server.
    pub(super) async fn run(&self, address: &str) -> Result<Samples, String> {
        let sockets = idle(address, self.conversations).await?;
        self.measure(sockets, Side::Server).await
    }

    /// To the provider itself.
    pub(super) async fn direct(&self, base: &str) -> Result<Samples, String> {
        let address = base.trim_start_matches("ws://");
        let mut sockets = Vec::with_capacity(self.conversations);
        for _ in 0..self.conversations {
            let mut socket = connect(address, "/").await?;
            say(&mut socket, r#"{"setup":{}}"#).await?;
            socket.next().await.ok_or("expected a setup that was taken")?.map_err(words)?;
            sockets.push(socket);
        }
        self.measure(sockets, Side::Provider).await
    }

    async fn measure(&self, sockets: Vec<Socket>, side: Side) -> Result<Samples, String> {
        let count = sockets.len().max(1);
        let until = Instant::now() + self.lasted();
        let from = until - self.measured;
        let tasks: Vec<_> = sockets
            .into_iter()
            .enumerate()
            .map(|(n, socket)| {
                // Spread over the frame's time, as people are.
                let offset = EVERY.mul_f64(n as f64 / count as f64);
                tokio::spawn(converse(socket, side, offset, from, until))
            })
            .collect();
        let mut all = Samples::default();
        for task in tasks {
            all.append(task.await.map_err(|error| error.to_string())?);
        }
        Ok(all)
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
    let (mut sink, mut stream) = socket.split();
    tokio::time::sleep(offset).await;
    let mut ticks = tokio::time::interval(EVERY);
    loop {
        tokio::select! {
            _ = ticks.tick() => {
                if Instant::now() >= until {
                    return samples;
                }
                if sink.send(frame(side)).await.is_err() {
                    return samples;
                }
            }
            message = stream.next() => {
                let Some(Ok(message)) = message else { return samples };
                if let Some(took) = took(&message.into_data(), side)
                    && Instant::now() >= from
                {
                    samples.push(took);
                }
            }
        }
    }
}

/// A frame that has its moment in the first bytes.
fn frame(side: Side) -> Message {
    let now = u64::try_from(EPOCH.elapsed().as_nanos()).unwrap_or(u64::MAX);
    let mut pcm = vec![0; FRAME];
    pcm[..8].copy_from_slice(&now.to_le_bytes());
    match side {
        Side::Server => Message::binary(pcm),
        Side::Provider => {
            let data = base64_simd::STANDARD.encode_to_string(&pcm);
            Message::text(format!(
                r#"{{"realtimeInput":{{"audio":{{"mimeType":"audio/pcm;rate=16000","data":"{data}"}}}}}}"#
            ))
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
