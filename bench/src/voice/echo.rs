//! A provider that speaks Gemini Live and gives every frame of audio back with the moment it was
//! made, so that whoever made it knows how long it was under way. It makes calls, too.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Instant;

use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use super::wire::{End, Kind, Wire};
use crate::samples::Samples;

/// What stands before the audio of a frame.
pub(super) const DATA: &[u8] = b"\"data\":\"";

/// The base64 of nine bytes, of which eight are the moment.
const STAMP: usize = 12;

pub(super) struct Echo {
    port: u16,
    timed: UnboundedReceiver<Samples>,
}

impl Echo {
    /// A provider, in a thread of its own, whose first connection makes so many calls, one after
    /// another.
    pub(super) fn begin(calls: usize) -> Result<Self, String> {
        let listener = TcpListener::bind("127.0.0.1:0").map_err(words)?;
        let port = listener.local_addr().map_err(words)?.port();
        listener.set_nonblocking(true).map_err(words)?;
        let (done, timed) = unbounded_channel();
        let runtime = Builder::new_current_thread().enable_all().build().map_err(words)?;
        std::thread::spawn(move || runtime.block_on(accept(listener, calls, done)));
        Ok(Self { port, timed })
    }

    pub(super) fn base(&self) -> String {
        format!("ws://127.0.0.1:{}", self.port)
    }

    /// The times of all calls.
    pub(super) async fn calls(mut self) -> Result<Samples, String> {
        self.timed.recv().await.ok_or_else(|| "the calls were not answered".to_owned())
    }
}

fn words(error: io::Error) -> String {
    error.to_string()
}

async fn accept(listener: TcpListener, calls: usize, done: UnboundedSender<Samples>) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let reply = Arc::new(reply());
    while let Ok((stream, _)) = listener.accept().await {
        let _ = stream.set_nodelay(true);
        let (reply, done) = (reply.clone(), done.clone());
        tokio::spawn(async move {
            if let Ok(socket) = tokio_tungstenite::accept_async(stream).await {
                let _ = converse(socket, &reply, calls, done).await;
            }
        });
    }
}

/// A frame of 20 ms at 24 kHz; its stamp is written over.
fn reply() -> (String, String) {
    let data = "A".repeat(960 / 3 * 4 - STAMP);
    let head = r#"{"serverContent":{"modelTurn":{"role":"model","parts":[{"inlineData":{"mimeType":"audio/pcm;rate=24000","data":""#;
    (head.to_owned(), format!(r#"{data}"}}}}]}}}}}}"#))
}

async fn converse(
    mut socket: WebSocketStream<TcpStream>,
    (head, tail): &(String, String),
    calls: usize,
    done: UnboundedSender<Samples>,
) -> Option<()> {
    socket.next().await?.ok()?;
    socket.send(Message::text(r#"{"setupComplete":{}}"#)).await.ok()?;
    if calls > 0 {
        let _ = done.send(time_calls(&mut socket, calls).await?);
    }
    let mut wire = Wire::new(socket, End::Server);
    while let Some(payload) = wire.next().await {
        let Some(at) = payload.windows(DATA.len()).position(|window| window == DATA) else {
            continue;
        };
        let from = at + DATA.len();
        let stamp: [u8; STAMP] = payload.get(from..from + STAMP)?.try_into().ok()?;
        wire.send(Kind::Text, &[head.as_bytes(), &stamp, tail.as_bytes()]).await.ok()?;
    }
    Some(())
}

/// From the frame with the call to the frame with its answer. Every call is the person's own turn.
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
