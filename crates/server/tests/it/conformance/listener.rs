//! A client of `/v1/voice` that keeps all messages it receives.

use std::time::Duration;

use futures_util::stream::SplitSink;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use crate::voice::client::Client;

/// How long a message may take on a busy machine before it counts as missing.
const PATIENCE: Duration = Duration::from_secs(20);

pub(super) struct Listener {
    sink: SplitSink<WebSocketStream<TcpStream>, Message>,
    told: watch::Receiver<Vec<Value>>,
    /// How many messages were looked at.
    seen: usize,
}

impl Listener {
    /// Connects and asks for a conversation.
    pub(super) async fn start(address: &str, token: Option<&str>, start: Value) -> Self {
        let client = Client::connect(address, token).await.unwrap();
        let (mut sink, mut stream) = client.0.split();
        let (sender, told) = watch::channel(Vec::new());
        tokio::spawn(async move {
            while let Some(Ok(message)) = stream.next().await {
                let Message::Text(text) = message else { continue };
                let message: Value = serde_json::from_str(&text).unwrap();
                sender.send_modify(|told| told.push(message));
            }
        });
        sink.send(Message::text(start.to_string())).await.unwrap();
        Self { sink, told, seen: 0 }
    }

    /// Passes over what was told so far.
    pub(super) fn catch_up(&mut self) {
        self.seen = self.told.borrow().len();
    }

    pub(super) async fn say(&mut self, message: Value) {
        // A server that has ended the session does not hear it.
        let _ = self.sink.send(Message::text(message.to_string())).await;
    }

    /// The next message of one of these types; others are passed over.
    pub(super) async fn expect(&mut self, types: &[&str]) -> Result<Value, String> {
        let seen = self.seen;
        let find = |told: &Vec<Value>| {
            let is_wanted = |message: &Value| types.iter().any(|name| message["type"] == **name);
            told.iter().skip(seen).position(is_wanted).map(|at| seen + at)
        };
        let waiting = self.told.wait_for(|told| find(told).is_some());
        let found = match tokio::time::timeout(PATIENCE, waiting).await {
            Ok(Ok(told)) => find(&told).map(|at| (at, told[at].clone())),
            Ok(Err(_)) | Err(_) => None,
        };
        let (at, message) = found.ok_or_else(|| self.missing(types))?;
        self.seen = at + 1;
        Ok(message)
    }

    /// Waits for a message with this text, whether it was looked at or not.
    pub(super) async fn was_told(&mut self, text: &str) -> Result<(), String> {
        let has = |told: &Vec<Value>| told.iter().any(|message| message.to_string().contains(text));
        let waiting = self.told.wait_for(has);
        let found = matches!(tokio::time::timeout(PATIENCE, waiting).await, Ok(Ok(_)));
        if found { Ok(()) } else { Err(self.missing(&[text])) }
    }

    /// Hangs up.
    pub(super) async fn hang_up(mut self) {
        let _ = self.sink.close().await;
    }

    pub(super) async fn stop(&mut self) -> Result<(), String> {
        self.say(json!({ "type": "stop" })).await;
        self.expect(&["ended"]).await.map(drop)
    }

    fn missing(&self, what: &[&str]) -> String {
        let told = self.told.borrow();
        let told: Vec<_> = told.iter().skip(self.seen).map(Value::to_string).collect();
        format!("the client waits for {what:?}; it was told {told:#?}")
    }
}
