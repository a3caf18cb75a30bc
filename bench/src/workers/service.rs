//! The alternative: a micro-service that asks its host for the capability over HTTP, and its client.
//! Both sides keep their connections.

use std::net::Ipv4Addr;
use std::time::Instant;

use axum::Router;
use axum::routing::post;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::{PAUSE, SPAN, WARM_UP};
use crate::process::Child;
use crate::samples::Samples;

/// Starts the host of the capability; its port.
pub(super) async fn host() -> Result<u16, String> {
    let search = post(|body: axum::body::Bytes| async move {
        // The request is read, as the knowledge base does.
        match serde_json::from_slice::<Value>(&body) {
            Ok(_) => axum::Json(json!([])),
            Err(error) => axum::Json(json!(error.to_string())),
        }
    });
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(words)?;
    let port = listener.local_addr().map_err(words)?.port();
    let app = Router::new().route("/kb/search", search);
    let listener = axum::serve::ListenerExt::tap_io(listener, |stream: &mut TcpStream| {
        let _ = stream.set_nodelay(true);
    });
    tokio::spawn(async move { axum::serve(listener, app).await });
    Ok(port)
}

/// The calls of a service over one connection.
pub(super) async fn measured(service: &Child) -> Result<Samples, String> {
    let mut client = Client::connect(service.port).await?;
    for number in 0..WARM_UP {
        client.call(number).await?;
    }
    let mut samples = Samples::default();
    let until = Instant::now() + SPAN;
    let mut number = WARM_UP;
    while Instant::now() < until {
        number += 1;
        let began = Instant::now();
        client.call(number).await?;
        samples.push(began.elapsed());
        tokio::time::sleep(PAUSE).await;
    }
    Ok(samples)
}

struct Client {
    stream: TcpStream,
    received: Vec<u8>,
}

impl Client {
    async fn connect(port: u16) -> Result<Self, String> {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.map_err(words)?;
        stream.set_nodelay(true).map_err(words)?;
        Ok(Self { stream, received: Vec::new() })
    }

    /// One request, and its answer.
    async fn call(&mut self, number: usize) -> Result<(), String> {
        let args = json!({ "query": format!("lighting lead {number}"), "namespace": "studio", "top_k": 3 });
        let body = json!({ "args": args }).to_string();
        let length = body.len();
        let request = format!(
            "POST /call HTTP/1.1\r\nhost: service\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        self.stream.write_all(request.as_bytes()).await.map_err(words)?;
        let answer = self.answer().await?;
        match answer["data"]["total"] == 3 {
            true => Ok(()),
            false => Err(format!("expected an answer, found {answer}")),
        }
    }

    async fn answer(&mut self) -> Result<Value, String> {
        self.received.clear();
        loop {
            if let Some(body) = whole(&self.received) {
                return serde_json::from_slice(body).map_err(|error| error.to_string());
            }
            if self.stream.read_buf(&mut self.received).await.map_err(words)? == 0 {
                return Err("the service closed its connection".to_owned());
            }
        }
    }
}

/// The body of an answer, once it is complete.
fn whole(received: &[u8]) -> Option<&[u8]> {
    let end = memchr::memmem::find(received, b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(&received[..end]).ok()?.to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:"))?;
    received.get(end..end + length.trim().parse::<usize>().ok()?)
}

fn words(error: std::io::Error) -> String {
    error.to_string()
}
