//! A client that sends exactly what a test says.

use std::net::SocketAddr;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The response.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Response {
    /// The chunks of a stream that was read to its end.
    pub(crate) fn chunks(&self) -> Vec<Value> {
        let events: Vec<_> = self.body.split("\n\n").filter(|event| !event.is_empty()).collect();
        assert_eq!(events.last(), Some(&"data: [DONE]"), "{}", self.body);
        let chunks = events.iter().filter_map(|event| event.strip_prefix("data: {"));
        chunks.map(|rest| serde_json::from_str(&format!("{{{rest}")).unwrap()).collect()
    }

    /// The types of the chunks, those of texts and progress aside.
    pub(crate) fn types(&self) -> Vec<String> {
        let types =
            self.chunks().into_iter().map(|chunk| chunk["type"].as_str().unwrap().to_owned());
        let quiet = ["text-start", "text-delta", "text-end", "data-progress"];
        types.filter(|kind| !quiet.contains(&kind.as_str())).collect()
    }

    pub(crate) fn text(&self) -> String {
        let chunks = self.chunks();
        let deltas = chunks.iter().filter(|chunk| chunk["type"] == "text-delta");
        deltas.map(|chunk| chunk["delta"].as_str().unwrap()).collect()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{self:?}"))
    }

    pub(crate) fn find(&self, kind: &str) -> Value {
        let chunks = self.chunks();
        chunks.into_iter().find(|chunk| chunk["type"] == kind).unwrap_or_else(|| panic!("{self:?}"))
    }
}

/// Opens a request; a line with a version may be followed by headers. Version 1.0 of HTTP has no chunks to take apart and ends with the connection.
pub(crate) async fn send(address: SocketAddr, line: &str, token: &str, body: &[u8]) -> TcpStream {
    let mut socket = TcpStream::connect(address).await.unwrap();
    let line = if line.contains(" HTTP/") { line.to_owned() } else { format!("{line} HTTP/1.0") };
    let head = format!(
        "{line}\r\nhost: localhost\r\nauthorization: Bearer {token}-0123456789abcdef\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    socket.write_all(head.as_bytes()).await.unwrap();
    // A server that refuses a long body may close before it was sent.
    let _ = socket.write_all(body).await;
    socket
}

/// Reads a response to its end.
pub(crate) async fn finish(mut socket: TcpStream) -> Response {
    let mut bytes = Vec::new();
    let _ = socket.read_to_end(&mut bytes).await;
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no head: {text}"));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Response { status, head: head.to_lowercase(), body: body.to_owned() }
}

/// Reads until something was seen.
pub(crate) async fn read_until(socket: &mut TcpStream, wanted: &str) -> String {
    let mut seen = String::new();
    while !seen.contains(wanted) {
        let mut buffer = [0; 4096];
        let read = socket.read(&mut buffer).await.unwrap();
        assert!(read > 0, "ended before {wanted}: {seen}");
        seen.push_str(&String::from_utf8_lossy(&buffer[..read]));
    }
    seen
}
