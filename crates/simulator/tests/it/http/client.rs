//! A port with a simulated provider behind it, and a client that reads bytes as they come.

use std::sync::Arc;
use std::time::Duration;

use aileron_simulator::http::{HttpFaults, HttpWorld, router};
use aileron_simulator::simulated_model::{
    HistoryItem, ModelAction, ModelInput, PlannedCall, SimulatedModel,
};
use futures_util::future::{BoxFuture, ready};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A model whose actions depend on one word.
#[derive(Debug)]
struct Told;

impl SimulatedModel for Told {
    fn reply(&self, scene: ModelInput) -> BoxFuture<'_, Vec<ModelAction>> {
        let returned =
            scene.items.iter().filter(|item| matches!(item, HistoryItem::Returned(_))).count();
        let steps = match scene.items.last() {
            Some(HistoryItem::Heard { text, .. }) if text == "tool" => vec![calls(&["Cluj"])],
            Some(HistoryItem::Heard { text, .. }) if text == "parallel" => {
                vec![calls(&["Cluj", "Oslo"])]
            }
            Some(HistoryItem::Heard { text, .. }) if text == "think" => {
                vec![ModelAction::Think("Let me see.".to_owned()), said()]
            }
            Some(HistoryItem::Returned(last)) => {
                let seen = last.result.to_string().contains("21");
                vec![ModelAction::Say(format!("{returned} of {returned} say 21: {seen}."))]
            }
            _ => vec![said()],
        };
        Box::pin(ready(steps))
    }
}

fn said() -> ModelAction {
    ModelAction::Say("Hello there, friend.".to_owned())
}

fn calls(cities: &[&str]) -> ModelAction {
    let asked = cities.iter().map(|city| {
        let args = json!({ "city": city }).as_object().cloned().unwrap();
        PlannedCall { id: None, name: "get_weather".to_owned(), args }
    });
    ModelAction::Call(asked.collect())
}

/// A provider on a separate port.
pub(super) async fn provider(faults: &[&str]) -> String {
    provider_of(Arc::new(Told), faults).await
}

/// The same with another model.
pub(super) async fn provider_of(model: Arc<dyn SimulatedModel>, faults: &[&str]) -> String {
    let faults = HttpFaults::parse(faults.iter().copied()).unwrap();
    let shared = Arc::new(HttpWorld::with(model, faults, Duration::ZERO));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router(shared)).await });
    address.to_string()
}

/// The response.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: Vec<u8>,
    /// Whether the body came to its proper end.
    pub(super) complete: bool,
}

impl Answer {
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.text()))
    }
}

/// The headers with which each protocol is asked.
pub(super) const OPENAI: &str = "authorization: Bearer sk-test\r\n";
pub(super) const GEMINI: &str = "x-goog-api-key: test-key\r\n";
pub(super) const ANTHROPIC: &str = "x-api-key: k\r\nanthropic-version: 2023-06-01\r\n";

pub(super) async fn post(address: &str, path: &str, headers: &str, body: &Value) -> Answer {
    raw(address, "POST", path, headers, body.to_string().as_bytes()).await
}

pub(super) async fn raw(
    address: &str,
    method: &str,
    path: &str,
    headers: &str,
    body: &[u8],
) -> Answer {
    let mut socket = open(address, method, path, headers, body).await;
    let mut bytes = Vec::new();
    // A reset tells the same as an end without the last chunk.
    let _ = socket.read_to_end(&mut bytes).await;
    split(&bytes)
}

/// Sends a request and leaves the reading to the caller.
pub(super) async fn open(
    address: &str,
    method: &str,
    path: &str,
    headers: &str,
    body: &[u8],
) -> TcpStream {
    let mut socket = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{headers}content-length: {}\r\n\r\n",
        body.len()
    );
    socket.write_all(head.as_bytes()).await.unwrap();
    socket.write_all(body).await.unwrap();
    socket
}

fn split(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(bytes.len());
    let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
    let body = bytes.get(end + 4..).unwrap_or_default();
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    if head.contains("transfer-encoding: chunked") {
        let (body, complete) = chunks(body);
        return Answer { status, head, body, complete };
    }
    Answer { status, head, body: body.to_vec(), complete: true }
}

/// The bytes in the chunks, and whether the last chunk was there.
fn chunks(mut bytes: &[u8]) -> (Vec<u8>, bool) {
    let mut body = Vec::new();
    while let Some(end) = bytes.windows(2).position(|two| two == b"\r\n") {
        let size = std::str::from_utf8(&bytes[..end]).unwrap();
        let size = usize::from_str_radix(size, 16).unwrap();
        if size == 0 {
            return (body, true);
        }
        let from = end + 2;
        let to = (from + size).min(bytes.len());
        body.extend_from_slice(&bytes[from..to]);
        bytes = bytes.get(to + 2..).unwrap_or_default();
    }
    (body, false)
}
