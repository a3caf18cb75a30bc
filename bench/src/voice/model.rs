//! A provider that is busy: it speaks, calls tools that read, write and have to be confirmed, is cut
//! short, and leaves or drops its connection every ten seconds.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

/// Frames of a person after which a connection is left.
const LASTS: u64 = 500;

const SPEECH: &str = r#"{"serverContent":{"modelTurn":{"role":"model","parts":[{"inlineData":{"mimeType":"audio/pcm;rate=24000","data":""#;

/// A number that many tasks count up.
#[derive(Debug, Default)]
pub(super) struct Count(AtomicU64);

impl Count {
    pub(super) fn add(&self) {
        self.more(1);
    }

    /// Adds this many; says how many there were.
    fn more(&self, many: u64) -> u64 {
        self.0.fetch_add(many, Ordering::Relaxed)
    }
}

/// What happened so far.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) frames: Count,
    calls: Count,
    answers: Count,
    in_words: Count,
    pub(super) confirmed: Count,
    pub(super) cut_short: Count,
    pub(super) reconnects: Count,
    connections: Count,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            &self.frames,
            &self.calls,
            &self.answers,
            &self.in_words,
            &self.confirmed,
            &self.cut_short,
            &self.reconnects,
        ];
        let numbers = counts.map(|count| count.0.load(Ordering::Relaxed).to_string());
        f.write_str(&numbers.join(" | "))
    }
}

pub(super) struct Model {
    port: u16,
}

impl Model {
    /// Answers as long as the runtime runs.
    pub(super) fn begin(tally: Arc<Tally>) -> Result<Self, String> {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").map_err(words)?;
        listener.set_nonblocking(true).map_err(words)?;
        let port = listener.local_addr().map_err(words)?.port();
        tokio::spawn(accept(TcpListener::from_std(listener).map_err(words)?, tally));
        Ok(Self { port })
    }

    pub(super) fn base(&self) -> String {
        format!("ws://127.0.0.1:{}", self.port)
    }
}

fn words(error: std::io::Error) -> String {
    error.to_string()
}

async fn accept(listener: TcpListener, tally: Arc<Tally>) {
    while let Ok((stream, _)) = listener.accept().await {
        let tally = tally.clone();
        tokio::spawn(async move {
            let _ = stream.set_nodelay(true);
            if let Ok(socket) = tokio_tungstenite::accept_async(stream).await {
                let number = tally.connections.more(1);
                let _ = Talk { socket, tally, heard: 0 }.run(number).await;
            }
        });
    }
}

/// One connection.
struct Talk {
    socket: WebSocketStream<TcpStream>,
    tally: Arc<Tally>,
    heard: u64,
}

impl Talk {
    async fn run(mut self, number: u64) -> Option<()> {
        self.socket.next().await?.ok()?;
        self.send(r#"{"setupComplete":{}}"#).await?;
        self.send(r#"{"sessionResumptionUpdate":{"newHandle":"again","resumable":true}}"#).await?;
        while self.heard < LASTS {
            let Message::Text(text) = self.socket.next().await?.ok()? else { continue };
            match text.split('"').nth(1)? {
                "realtimeInput" => self.hear().await?,
                "toolResponse" => self.answered(&text),
                "clientContent" => self.tally.in_words.add(),
                _ => {}
            }
        }
        // Every other connection is announced to end, the rest break.
        if number.is_multiple_of(2) {
            self.send(r#"{"goAway":{"timeLeft":"1s"}}"#).await?;
            self.send(r#"{"serverContent":{"turnComplete":true}}"#).await?;
            while let Some(Ok(_)) = self.socket.next().await {}
        }
        Some(())
    }

    fn answered(&self, text: &str) {
        let message: Value = serde_json::from_str(text).unwrap_or_default();
        let responses = message["toolResponse"]["functionResponses"].as_array();
        self.tally.answers.more(responses.map_or(0, Vec::len) as u64);
    }

    /// A frame of the person: the model speaks, and every half second it does something.
    async fn hear(&mut self) -> Option<()> {
        self.heard += 1;
        let speech = format!(r#"{SPEECH}{}"}}}}]}}}}}}"#, "AAAA".repeat(320));
        self.send(&speech).await?;
        match self.heard % 100 {
            20 => self.call("search_none").await,
            45 => self.call("write_none").await,
            70 => self.call("send_none").await,
            95 => self.send(r#"{"serverContent":{"interrupted":true}}"#).await,
            _ => Some(()),
        }
    }

    /// A call in a turn of the person's own.
    async fn call(&mut self, tool: &str) -> Option<()> {
        let n = self.tally.calls.more(1);
        self.send(r#"{"serverContent":{"turnComplete":true}}"#).await?;
        self.send(r#"{"serverContent":{"inputTranscription":{"text":"go on","finished":true}}}"#)
            .await?;
        let call = format!(
            r#"{{"toolCall":{{"functionCalls":[{{"id":"call-{n}","name":"{tool}","args":{{"query":"ada {n}"}}}}]}}}}"#
        );
        self.send(&call).await
    }

    async fn send(&mut self, text: &str) -> Option<()> {
        self.socket.send(Message::text(text)).await.ok()
    }
}
