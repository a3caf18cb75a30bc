//! Handwritten HTTP over a socket, so that tests can also send invalid requests.

use std::net::SocketAddr;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A client of the server.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    address: SocketAddr,
    host: String,
    headers: Vec<(String, String)>,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Self {
        Self { address, host: address.to_string(), headers: Vec::new() }
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        match name {
            "host" => value.clone_into(&mut self.host),
            _ => self.headers.push((name.to_owned(), value.to_owned())),
        }
        self
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send("GET", path, None).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.send("DELETE", path, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.send("POST", path, Some(body.to_string().into_bytes())).await
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> Answer {
        self.send("PUT", path, Some(body.to_string().into_bytes())).await
    }

    /// Sends a body that may be anything, as JSON.
    pub(crate) async fn send(&self, method: &str, path: &str, body: Option<Vec<u8>>) -> Answer {
        let mut stream = self.connect().await;
        stream.write_all(self.head(method, path, body.as_deref()).as_bytes()).await.unwrap();
        // A server that has heard enough may close before all is sent.
        let _ = stream.write_all(&body.unwrap_or_default()).await;
        read(&mut stream).await
    }

    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// The head of a request.
    pub(crate) fn head(&self, method: &str, path: &str, body: Option<&[u8]>) -> String {
        let mut head =
            format!("{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n", self.host);
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if let Some(body) = body {
            let says_what = self.headers.iter().any(|(name, _)| name == "content-type");
            if !says_what {
                head.push_str("content-type: application/json\r\n");
            }
            head.push_str(&format!("content-length: {}\r\n", body.len()));
        }
        head + "\r\n"
    }

    /// Begins a conversation and gives its path.
    pub(crate) async fn begin(&self, mode: &str) -> String {
        let begun = self.post("/v1/conversations", serde_json::json!({ "mode": mode })).await;
        assert_eq!(begun.status, 201, "{begun:?}");
        format!("/v1/conversations/{}", begun.json()["id"].as_str().unwrap())
    }
}

/// Reads an answer to its end.
pub(crate) async fn read(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    // A reset after the answer takes nothing away from it.
    let _ = stream.read_to_end(&mut bytes).await;
    let at = bytes.windows(4).position(|window| window == b"\r\n\r\n");
    let at = at.unwrap_or_else(|| panic!("no answer: {:?}", String::from_utf8_lossy(&bytes)));
    let head = String::from_utf8(bytes[..at].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let body = bytes[at + 4..].to_vec();
    Answer { status, head: head.to_lowercase(), body }
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }

    /// The code of an error in the one form that errors have.
    pub(crate) fn code(&self) -> String {
        let json = self.json();
        assert!(json["error"]["message"].is_string(), "{json}");
        json["error"]["code"].as_str().unwrap().to_owned()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(found, _)| *found == name).map(|(_, value)| value)
    }
}
