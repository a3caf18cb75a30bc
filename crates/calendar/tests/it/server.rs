//! An HTTP server for tests with configurable answers and faults. Each connection has its own
//! thread and serves one request.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// One request as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    /// Method and path.
    pub(crate) line: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    #[allow(dead_code, reason = "see Reply")]
    pub(crate) fn method(&self) -> &str {
        self.line.split(' ').next().unwrap_or_default()
    }

    pub(crate) fn path(&self) -> &str {
        self.line.split(' ').nth(1).unwrap_or_default()
    }
}

/// An answer.
#[derive(Debug, Clone)]
#[allow(dead_code, reason = "not every test binary meets every kind of server")]
pub(crate) enum Reply {
    /// Status, headers with their line ends, body.
    Full(u16, String, Vec<u8>),
    /// The connection is closed without a word.
    Hangup,
    /// Nothing, until the client leaves.
    Silence,
    /// A head that promises more than comes.
    Torn,
}

impl Reply {
    pub(crate) fn status(status: u16, body: &str) -> Self {
        Self::Full(status, String::new(), body.as_bytes().to_vec())
    }

    #[allow(dead_code, reason = "see Reply")]
    pub(crate) fn json(body: &serde_json::Value) -> Self {
        let kind = "content-type: application/json\r\n".to_owned();
        Self::Full(200, kind, body.to_string().into_bytes())
    }
}

/// A server that runs until the test ends.
pub(crate) struct Server {
    pub(crate) base: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    /// The answer may depend on how many requests came before.
    pub(crate) fn start(answer: impl Fn(&Asked, usize) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (log, answer) = (asked.clone(), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, answer) = (log.clone(), answer.clone());
                thread::spawn(move || serve(stream, &log, &*answer));
            }
        });
        Self { base, asked }
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(mut stream: TcpStream, log: &Mutex<Vec<Asked>>, answer: &dyn Fn(&Asked, usize) -> Reply) {
    let Some(asked) = read(&stream) else { return };
    let before = {
        let mut log = log.lock().unwrap();
        log.push(asked.clone());
        log.len() - 1
    };
    match answer(&asked, before) {
        Reply::Full(status, headers, body) => {
            let head = format!(
                "HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n",
                body.len()
            );
            let _ = stream.write_all(&[head.as_bytes(), &body].concat());
        }
        Reply::Hangup => {}
        Reply::Torn => {
            let _ = stream.write_all(b"HTTP/1.1 200 X\r\ncontent-length: 1000\r\n\r\nhalf");
        }
        Reply::Silence => {
            // Ends when the client closes the connection.
            let _ = stream.read(&mut [0]);
        }
    }
}

fn read(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut headers = Vec::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        match header.trim_end().split_once(':') {
            Some((name, value)) => headers.push((name.to_owned(), value.trim().to_owned())),
            None => break,
        }
    }
    let length = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let length = length.and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let line = line.trim_end().rsplit_once(' ')?.0.to_owned();
    Some(Asked { line, headers, body: String::from_utf8_lossy(&body).into_owned() })
}
