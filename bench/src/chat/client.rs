//! The client: sends one message and reads the answer.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The address of the requests, and their form.
#[derive(Debug, Clone)]
pub(super) struct Target {
    port: u16,
    path: &'static str,
    is_chat: bool,
}

impl Target {
    pub(super) fn provider(port: u16) -> Self {
        let path = "/v1beta/models/gemini-3-flash:streamGenerateContent?alt=sse";
        Self { port, path, is_chat: false }
    }

    pub(super) fn chat(port: u16) -> Self {
        Self { port, path: "/api/chat", is_chat: true }
    }

    fn body(&self, number: usize) -> String {
        let text = format!("When is the review? {number}");
        match self.is_chat {
            true => json!({ "id": format!("c-{}-{number}", std::process::id()), "messages": [
                { "id": "m", "role": "user", "parts": [{ "type": "text", "text": text }] },
            ]}),
            false => json!({ "contents": [{ "role": "user", "parts": [{ "text": text }] }] }),
        }
        .to_string()
    }

    async fn send(&self, number: usize) -> Result<TcpStream, String> {
        let fault = |error: std::io::Error| error.to_string();
        let mut socket = TcpStream::connect(("127.0.0.1", self.port)).await.map_err(fault)?;
        let body = self.body(number);
        let request = format!(
            "POST {} HTTP/1.1\r\nhost: localhost\r\nx-goog-api-key: k\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.path,
            body.len()
        );
        socket.write_all(request.as_bytes()).await.map_err(fault)?;
        Ok(socket)
    }
}

/// The time until the first text is seen. The rest is read too, so that no stream is left open.
pub(super) async fn first(
    target: &Target,
    number: usize,
    wanted: &str,
) -> Result<Duration, String> {
    let began = Instant::now();
    let mut socket = target.send(number).await?;
    let (mut seen, mut took) = (Vec::new(), None);
    while !is_over(&seen) && read(&mut socket, &mut seen).await? > 0 {
        let found = seen.windows(wanted.len()).any(|window| window == wanted.as_bytes());
        if took.is_none() && found {
            took = Some(began.elapsed());
        }
    }
    took.ok_or_else(|| format!("{wanted} never came: {}", String::from_utf8_lossy(&seen)))
}

/// Whether the last chunk has arrived. Node keeps the connection open for seconds after it,
/// although asked to close it.
fn is_over(seen: &[u8]) -> bool {
    seen.ends_with(b"\r\n0\r\n\r\n")
}

/// Reads a stream to its end, which must exist.
pub(super) async fn whole(target: &Target, number: usize) -> Result<(), String> {
    let mut socket = target.send(number).await?;
    let mut seen = Vec::new();
    while !is_over(&seen) && read(&mut socket, &mut seen).await? > 0 {}
    let text = String::from_utf8_lossy(&seen);
    let is_whole = text.contains("\"type\":\"finish\"") && text.contains("[DONE]");
    if is_whole { Ok(()) } else { Err(text.into_owned()) }
}

async fn read(socket: &mut TcpStream, seen: &mut Vec<u8>) -> Result<usize, String> {
    socket.read_buf(seen).await.map_err(|error| error.to_string())
}
