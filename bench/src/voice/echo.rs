//! A provider that speaks Gemini Live: accepts connections, makes calls, and echoes every audio
//! frame with its timestamp, so that the sender can compute the round trip.

use std::io;
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use super::wire::{Kind, Wire};
use crate::samples::Samples;

/// The JSON before the audio of a frame.
const DATA: &[u8] = b"\"data\":\"";

/// The base64 of nine bytes, of which eight are the timestamp.
const STAMP: usize = 12;

const HEAD: &[u8] = br#"{"serverContent":{"modelTurn":{"role":"model","parts":[{"inlineData":{"mimeType":"audio/pcm;rate=24000","data":""#;
const SILENCE: [u8; 960 / 3 * 4 - STAMP] = [b'A'; _];
const TAIL: &[u8] = br#""}}]}}}"#;

pub(super) struct Echo {
    port: u16,
    arrived: Receiver<std::net::TcpStream>,
    timed: UnboundedReceiver<Samples>,
}

impl Echo {
    /// Starts a provider on a separate thread, whose first connection makes this many calls, one
    /// after another.
    pub(super) fn begin(calls: usize) -> Result<Self, String> {
        let listener = TcpListener::bind("127.0.0.1:0").map_err(words)?;
        let port = listener.local_addr().map_err(words)?.port();
        listener.set_nonblocking(true).map_err(words)?;
        let (done, timed) = unbounded_channel();
        let (arrive, arrived) = channel();
        let runtime = Builder::new_current_thread().enable_all().build().map_err(words)?;
        std::thread::spawn(move || runtime.block_on(accept(listener, calls, arrive, done)));
        Ok(Self { port, arrived, timed })
    }

    pub(super) fn base(&self) -> String {
        format!("ws://127.0.0.1:{}", self.port)
    }

    /// Connections that were accepted since the last call of this function.
    pub(super) fn arrived(&self) -> impl Iterator<Item = std::net::TcpStream> {
        self.arrived.try_iter()
    }

    /// The times of all calls.
    pub(super) async fn calls(mut self) -> Result<Samples, String> {
        self.timed.recv().await.ok_or_else(|| "the calls were not answered".to_owned())
    }
}

fn words(error: io::Error) -> String {
    error.to_string()
}

async fn accept(
    listener: TcpListener,
    calls: usize,
    arrive: Sender<std::net::TcpStream>,
    done: UnboundedSender<Samples>,
) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    while let Ok((stream, _)) = listener.accept().await {
        let _ = stream.set_nodelay(true);
        let (arrive, done) = (arrive.clone(), done.clone());
        tokio::spawn(async move {
            let socket = tokio_tungstenite::accept_async(stream).await.ok()?;
            arrive.send(meet(socket, calls, done).await?).ok()
        });
    }
}

/// Reads the setup, makes the calls, and hands the connection over to the echo.
async fn meet(
    mut socket: WebSocketStream<TcpStream>,
    calls: usize,
    done: UnboundedSender<Samples>,
) -> Option<std::net::TcpStream> {
    socket.next().await?.ok()?;
    socket.send(Message::text(r#"{"setupComplete":{}}"#)).await.ok()?;
    if calls > 0 {
        let _ = done.send(time_calls(&mut socket, calls).await?);
    }
    socket.into_inner().into_std().ok()
}

/// The timestamp in a frame.
pub(super) fn stamp(frame: &[u8]) -> Option<[u8; STAMP]> {
    let at = frame.windows(DATA.len()).position(|window| window == DATA)? + DATA.len();
    frame.get(at..at + STAMP)?.try_into().ok()
}

/// A frame of 20 ms at 24 kHz with this timestamp.
pub(super) fn give_back(wire: &mut Wire, stamp: [u8; STAMP]) -> io::Result<()> {
    wire.send(Kind::Text, &[HEAD, &stamp, &SILENCE, TAIL])
}

/// From the frame with the call to the frame with its answer. Every call has a separate turn.
async fn time_calls(socket: &mut WebSocketStream<TcpStream>, calls: usize) -> Option<Samples> {
    let mut samples = Samples::default();
    for n in 0..calls {
        let turn = r#"{"serverContent":{"turnComplete":true}}"#;
        socket.send(Message::text(turn)).await.ok()?;
        let heard = r#"{"serverContent":{"inputTranscription":{"text":"look","finished":true}}}"#;
        socket.send(Message::text(heard)).await.ok()?;
        let call = format!(
            r#"{{"toolCall":{{"functionCalls":[{{"id":"call-number-{n}","name":"search_none","args":{{"query":"ada {n}"}}}}]}}}}"#
        );
        let began = Instant::now();
        socket.send(Message::text(call)).await.ok()?;
        loop {
            let frame = socket.next().await?.ok()?.into_data();
            if frame.starts_with(br#"{"toolResponse""#) {
                break;
            }
        }
        samples.push(began.elapsed());
    }
    Some(samples)
}
