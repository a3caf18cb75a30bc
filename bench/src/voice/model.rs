//! A busy provider: it speaks, calls tools that read, write and need a confirmation, is
//! interrupted, and ends or drops its connection every ten seconds.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use super::verdict::Verdict;

/// The number of frames of a person after which a connection ends.
const LASTS: u64 = 500;

const SPEECH: &str = r#"{"serverContent":{"modelTurn":{"role":"model","parts":[{"inlineData":{"mimeType":"audio/pcm;rate=24000","data":""#;

/// A counter that many tasks increment.
#[derive(Debug, Default)]
pub(super) struct Count(AtomicU64);

impl Count {
    pub(super) fn add(&self) {
        self.next();
    }

    /// Increments it; returns the count before.
    fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The counts so far.
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
    ledger: Mutex<Ledger>,
}

/// Which calls are answered.
#[derive(Debug, Default)]
struct Ledger {
    open: BTreeSet<String>,
    twice: Vec<String>,
}

impl Tally {
    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The verdict on the calls, and on these samples of the memory.
    pub(super) fn verdict(&self, resident: Vec<u64>) -> Verdict {
        let ledger = self.ledger();
        let calls = self.calls.get();
        let unanswered = ledger.open.iter().cloned().collect();
        Verdict { resident, calls, unanswered, twice: ledger.twice.clone() }
    }

    fn called(&self, call: &str) {
        self.ledger().open.insert(call.to_owned());
    }

    /// Notes a result in the provider's own form, which may come once.
    fn answered(&self, call: &str) {
        self.answers.add();
        let mut ledger = self.ledger();
        if !ledger.open.remove(call) {
            ledger.twice.push(call.to_owned());
        }
    }

    /// Notes a result as text: a late one, one that may have been lost, or the result of an
    /// approval.
    fn told(&self, call: &str) {
        self.in_words.add();
        self.ledger().open.remove(call);
    }
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
        let numbers = counts.map(|count| count.get().to_string());
        f.write_str(&numbers.join(" | "))
    }
}

pub(super) struct Model {
    port: u16,
}

impl Model {
    /// Answers for as long as the runtime exists.
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
                let number = tally.connections.next();
                let talk = Talk { socket, tally, heard: 0, leaves: false };
                let _ = talk.run(number).await;
            }
        });
    }
}

/// One connection.
struct Talk {
    socket: WebSocketStream<TcpStream>,
    tally: Arc<Tally>,
    heard: u64,
    /// Whether it has announced its end, and does nothing more.
    leaves: bool,
}

impl Talk {
    async fn run(mut self, number: u64) -> Option<()> {
        self.socket.next().await?.ok()?;
        self.send(r#"{"setupComplete":{}}"#).await?;
        self.send(r#"{"sessionResumptionUpdate":{"newHandle":"again","resumable":true}}"#).await?;
        while self.heard < LASTS {
            self.take().await?;
        }
        // Every other connection announces its end, the rest break.
        if number.is_multiple_of(2) {
            self.leaves = true;
            self.send(r#"{"goAway":{"timeLeft":"1s"}}"#).await?;
            self.send(r#"{"serverContent":{"turnComplete":true}}"#).await?;
            loop {
                self.take().await?;
            }
        }
        Some(())
    }

    /// Reads the next frame of our server.
    async fn take(&mut self) -> Option<()> {
        let Message::Text(text) = self.socket.next().await?.ok()? else { return Some(()) };
        match text.split('"').nth(1)? {
            "realtimeInput" if !self.leaves => self.hear().await?,
            "toolResponse" => self.answered(&text),
            "clientContent" => self.told(&text),
            _ => {}
        }
        Some(())
    }

    fn answered(&self, text: &str) {
        let message: Value = serde_json::from_str(text).unwrap_or_default();
        let responses = message["toolResponse"]["functionResponses"].as_array();
        for response in responses.into_iter().flatten() {
            self.tally.answered(response["id"].as_str().unwrap_or_default());
        }
    }

    fn told(&self, text: &str) {
        for part in text.split("Call: ").skip(1) {
            self.tally.told(part.split('.').next().unwrap_or_default());
        }
    }

    /// Handles a frame of the person: the model speaks, and acts every half second.
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

    /// Makes a call in a separate turn of the person.
    async fn call(&mut self, tool: &str) -> Option<()> {
        let n = self.tally.calls.next();
        self.tally.called(&format!("call-{n}"));
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
