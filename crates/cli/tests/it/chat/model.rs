//! A server of Chat Completions by hand: it answers as a test says, and tells what it was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(60);

/// The reaction of the model to a request.
#[derive(Clone)]
pub(crate) enum Reply {
    Says(&'static str),
    Calls(&'static str, Value),
    Refuses(u16, Value),
}

/// A model that runs until the test ends.
pub(crate) struct Model {
    address: SocketAddr,
    asked: Receiver<Asked>,
}

/// A request as it came: its head in lower case, and its body.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) head: String,
    pub(crate) body: Value,
}

impl Model {
    /// Each request is answered with the next reply; the last one stays.
    pub(crate) fn start(replies: impl IntoIterator<Item = Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, asked) = channel();
        let mut replies: Vec<Reply> = replies.into_iter().collect();
        replies.reverse();
        std::thread::spawn(move || {
            for mut stream in listener.incoming().map_while(Result::ok) {
                let Some(asked) = read(&stream) else { continue };
                let last = replies.last().cloned().unwrap();
                let reply = if replies.len() > 1 { replies.pop().unwrap() } else { last };
                // A client that stopped the answer reads no more of it.
                let _ = stream.write_all(reply.text().as_bytes());
                if sender.send(asked).is_err() {
                    return;
                }
            }
        });
        Self { address, asked }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Settings with which it answers.
    pub(crate) fn settings(&self) -> String {
        format!("[text]\nprovider = 'openai_chat'\nmodel = 'm'\nbase_url = '{}'\n", self.url())
    }

    /// The next request.
    pub(crate) fn asked(&self) -> Asked {
        self.asked.recv_timeout(PATIENCE).expect("the model is asked")
    }
}

fn read(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let head = head.to_lowercase();
    let (_, length) = head.split_once("content-length: ")?;
    let mut body = vec![0; length.split("\r\n").next()?.parse().ok()?];
    reader.read_exact(&mut body).ok()?;
    Some(Asked { head, body: serde_json::from_slice(&body).ok()? })
}

impl Reply {
    fn text(&self) -> String {
        let (delta, reason) = match self {
            Self::Says(words) => (json!({ "content": words }), "stop"),
            Self::Calls(name, args) => {
                let function = json!({ "name": name, "arguments": args.to_string() });
                let call = json!({ "index": 0, "id": "call_0000001", "type": "function", "function": function });
                (json!({ "tool_calls": [call] }), "tool_calls")
            }
            Self::Refuses(status, body) => {
                return format!(
                    "HTTP/1.1 {status} No\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{body}"
                );
            }
        };
        let said = json!({ "choices": [{ "index": 0, "delta": delta }] });
        let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] });
        format!(
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n\
             data: {said}\n\ndata: {end}\n\ndata: [DONE]\n\n"
        )
    }
}
