//! A provider for tests: an HTTP server that answers each request as the test says and records the
//! requests.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::Value;

/// One request, as it came over the wire.
#[derive(Debug, Clone)]
pub(super) struct ReceivedRequest {
    pub(super) line: String,
    /// Names in lower case.
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Value,
}

impl ReceivedRequest {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }
}

#[derive(Debug, Clone)]
pub(super) enum CannedReply {
    /// Status, further header lines, body.
    Full(u16, &'static str, String),
    /// Announces more than it sends.
    Torn,
    /// Closes the connection without a word.
    Hangup,
    /// Sends nothing until the client disconnects.
    Silence,
}

impl CannedReply {
    pub(super) fn json(body: &Value) -> Self {
        Self::Full(200, "content-type: application/json\r\n", body.to_string())
    }

    pub(super) fn status(status: u16, body: &str) -> Self {
        Self::Full(status, "", body.to_owned())
    }
}

pub(super) struct Server {
    pub(super) base: String,
    asked: Arc<Mutex<Vec<ReceivedRequest>>>,
}

impl Server {
    /// `answer` receives the request and the number of requests before it.
    pub(super) fn start(
        answer: impl Fn(&ReceivedRequest, usize) -> CannedReply + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (answer, seen) = (Arc::new(answer), asked.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (answer, seen) = (answer.clone(), seen.clone());
                std::thread::spawn(move || serve(stream.unwrap(), &*answer, &seen));
            }
        });
        Self { base, asked }
    }

    pub(super) fn asked(&self) -> Vec<ReceivedRequest> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(
    mut stream: TcpStream,
    answer: &dyn Fn(&ReceivedRequest, usize) -> CannedReply,
    seen: &Mutex<Vec<ReceivedRequest>>,
) {
    let asked = read(&stream);
    let before = {
        let mut seen = seen.lock().unwrap();
        seen.push(asked.clone());
        seen.len() - 1
    };
    match answer(&asked, before) {
        CannedReply::Full(status, headers, body) => {
            let length = body.len();
            write!(stream, "HTTP/1.1 {status} x\r\n{headers}connection: close\r\ncontent-length: {length}\r\n\r\n{body}")
                .unwrap();
        }
        CannedReply::Torn => {
            write!(stream, "HTTP/1.1 200 x\r\ncontent-length: 999\r\n\r\n{{\"da").unwrap();
        }
        CannedReply::Hangup => {}
        CannedReply::Silence => drop(stream.read(&mut [0])),
    }
}

fn read(stream: &TcpStream) -> ReceivedRequest {
    let mut reader = BufReader::new(stream);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let headers: Vec<(String, String)> = lines[1..]
        .iter()
        .map(|line| line.split_once(": ").unwrap())
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    let length =
        headers.iter().find(|(name, _)| name == "content-length").unwrap().1.parse().unwrap();
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    ReceivedRequest {
        line: lines[0].clone(),
        headers,
        body: serde_json::from_slice(&body).unwrap(),
    }
}
