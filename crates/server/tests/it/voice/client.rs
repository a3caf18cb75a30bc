//! A client of `/v1/voice`.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Client(pub(crate) WebSocketStream<TcpStream>);

/// The messages to a client.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Sent {
    Message(Value),
    Audio(usize),
    Ping,
    Closed(u16),
    /// The connection ended without a word.
    Gone,
}

impl Client {
    pub(crate) async fn connect(address: &str, token: Option<&str>) -> Result<Self, Error> {
        let mut request = format!("ws://{address}/v1/voice").into_client_request().unwrap();
        if let Some(token) = token {
            let value = format!("Bearer {token}").parse().unwrap();
            request.headers_mut().insert("authorization", value);
        }
        let stream = TcpStream::connect(address).await.unwrap();
        client_async(request, stream).await.map(|(socket, _)| Self(socket))
    }

    pub(crate) async fn say(&mut self, message: Value) {
        self.0.send(Message::text(message.to_string())).await.unwrap();
    }

    pub(crate) async fn raw(&mut self, text: &str) {
        self.0.send(Message::text(text)).await.unwrap();
    }

    pub(crate) async fn audio(&mut self, bytes: usize) {
        self.0.send(Message::binary(vec![0; bytes])).await.unwrap();
    }

    pub(crate) async fn next(&mut self) -> Sent {
        let next = tokio::time::timeout(PATIENCE, self.0.next());
        match next.await.expect("something within 20 seconds") {
            Some(Ok(Message::Text(text))) => Sent::Message(serde_json::from_str(&text).unwrap()),
            Some(Ok(Message::Binary(pcm))) => Sent::Audio(pcm.len()),
            Some(Ok(Message::Ping(_))) => Sent::Ping,
            Some(Ok(Message::Close(frame))) => {
                Sent::Closed(frame.map_or(1005, |frame| frame.code.into()))
            }
            Some(Ok(other)) => panic!("unexpected {other:?}"),
            Some(Err(_)) | None => Sent::Gone,
        }
    }

    /// The next message.
    pub(crate) async fn message(&mut self) -> Value {
        loop {
            match self.next().await {
                Sent::Message(message) => return message,
                Sent::Audio(_) | Sent::Ping => {}
                other => panic!("expected a message, found {other:?}"),
            }
        }
    }

    /// The next message of this type; others are passed over.
    pub(crate) async fn expect(&mut self, wanted: &str) -> Value {
        let mut passed = Vec::new();
        loop {
            match self.next().await {
                Sent::Message(message) if message["type"] == wanted => return message,
                Sent::Message(message) => passed.push(message),
                Sent::Audio(_) | Sent::Ping => {}
                other => panic!("expected {wanted}, found {other:?} after {passed:?}"),
            }
        }
    }

    /// Waits until the server asks whether anybody is there.
    pub(crate) async fn ping(&mut self) {
        while self.next().await != Sent::Ping {}
    }

    /// Says goodbye as a browser does that leaves a page.
    pub(crate) async fn hang_up(&mut self) {
        let (code, reason) = (CloseCode::Normal, "".into());
        self.0.send(Message::Close(Some(CloseFrame { code, reason }))).await.unwrap();
    }

    /// The messages up to the end, and the code it ended with.
    pub(crate) async fn rest(&mut self) -> (Vec<Value>, u16) {
        let mut messages = Vec::new();
        loop {
            match self.next().await {
                Sent::Message(message) => messages.push(message),
                Sent::Audio(_) | Sent::Ping => {}
                Sent::Closed(code) => return (messages, code),
                Sent::Gone => return (messages, 0),
            }
        }
    }

    pub(crate) async fn start(&mut self) {
        self.say(json!({ "type": "start" })).await;
    }
}
