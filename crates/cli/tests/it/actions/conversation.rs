//! A conversation over `/api/chat`, as a page with `useChat` holds it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use crate::serve::running::Running;

const PATIENCE: Duration = Duration::from_secs(120);

/// Somebody at a page.
pub(super) struct Page<'a> {
    pub(super) server: &'a Running,
    pub(super) token: Option<&'a str>,
    pub(super) conversation: &'a str,
}

/// An answer, chunk by chunk.
#[derive(Debug)]
pub(super) struct Chunks(pub(super) Vec<Value>);

/// An answer that is being read.
pub(super) struct Stream(BufReader<TcpStream>);

impl Page<'_> {
    pub(super) fn say(&self, words: &str) -> Chunks {
        self.begin(words).rest()
    }

    /// Says something, and reads the answer later.
    pub(super) fn begin(&self, words: &str) -> Stream {
        let message = json!({
            "id": "m", "role": "user", "parts": [{ "type": "text", "text": words }],
        });
        self.chat(&json!({
            "id": self.conversation, "trigger": "submit-message", "messages": [message],
        }))
    }

    /// Answers the question of an earlier answer, as the page of the AI SDK does.
    pub(super) fn decide(&self, asked: &Chunks, approved: bool) -> Chunks {
        let request = asked.one("tool-approval-request");
        let message = json!({ "id": "m", "role": "assistant", "parts": [{
            "type": "tool-call", "toolCallId": request["toolCallId"], "state": "approval-responded",
            "input": {}, "approval": { "id": request["approvalId"], "approved": approved },
        }] });
        let body = json!({
            "id": self.conversation, "trigger": "submit-message", "messageId": "m",
            "messages": [message],
        });
        self.chat(&body).rest()
    }

    fn chat(&self, body: &Value) -> Stream {
        let mut stream = self.send("POST", "/api/chat", &body.to_string());
        let head = stream.head();
        assert!(head.contains(" 200 "), "{head}");
        stream
    }

    /// Stops the answer.
    pub(super) fn stop(&self) -> String {
        let path = format!("/api/chat/{}/stream", self.conversation);
        self.send("DELETE", &path, "").head()
    }

    /// The head and the bytes at a URL.
    pub(super) fn fetch(&self, path: &str) -> (String, Vec<u8>) {
        let mut stream = self.send("GET", path, "");
        let (head, mut bytes) = (stream.head(), Vec::new());
        stream.0.read_to_end(&mut bytes).unwrap();
        (head.to_lowercase(), bytes)
    }

    /// In HTTP/1.0, so that the body extends to the end of the connection.
    fn send(&self, method: &str, path: &str, body: &str) -> Stream {
        let mut stream = TcpStream::connect(self.server.address()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let token = self.token.map(|token| format!("authorization: Bearer {token}\r\n"));
        let request = format!(
            "{method} {path} HTTP/1.0\r\nhost: localhost\r\n{}content-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            token.unwrap_or_default(),
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        Stream(BufReader::new(stream))
    }
}

impl Stream {
    fn head(&mut self) -> String {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(self.0.read_line(&mut head).unwrap(), 0, "no answer after {head:?}");
        }
        head
    }

    /// The chunks up to the first that is wanted.
    pub(super) fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Chunks {
        let mut chunks = Chunks(Vec::new());
        while !chunks.0.last().is_some_and(&wanted) {
            let chunk = self.next().unwrap_or_else(|| panic!("it ended after {chunks:#?}"));
            chunks.0.push(chunk);
        }
        chunks
    }

    pub(super) fn rest(mut self) -> Chunks {
        let mut chunks = Chunks(Vec::new());
        while let Some(chunk) = self.next() {
            chunks.0.push(chunk);
        }
        chunks
    }

    fn next(&mut self) -> Option<Value> {
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            match line.trim_end().strip_prefix("data: ") {
                Some("[DONE]") | None => {}
                Some(chunk) => return Some(serde_json::from_str(chunk).unwrap()),
            }
        }
    }
}

impl Chunks {
    /// The one chunk of this type.
    pub(super) fn one(&self, kind: &str) -> &Value {
        let mut found = self.0.iter().filter(|chunk| chunk["type"] == kind);
        let one = found.next().unwrap_or_else(|| panic!("no {kind} in {:#?}", self.0));
        assert!(found.next().is_none(), "more than one {kind} in {:#?}", self.0);
        one
    }

    /// The result of this tool's call.
    pub(super) fn output(&self, tool: &str) -> &Value {
        let mut named = self.0.iter().filter(|chunk| chunk["toolName"] == tool);
        let call = &named.next().unwrap_or_else(|| panic!("no {tool} in {self:#?}"))["toolCallId"];
        let mut outputs = self.0.iter().filter(|chunk| chunk["type"] == "tool-output-available");
        let output = outputs.find(|chunk| &chunk["toolCallId"] == call);
        &output.unwrap_or_else(|| panic!("{tool} failed in {self:#?}"))["output"]
    }

    pub(super) fn text(&self) -> String {
        self.0.iter().filter_map(|chunk| chunk["delta"].as_str()).collect()
    }
}
