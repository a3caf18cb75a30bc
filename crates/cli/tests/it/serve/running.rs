//! A server that runs, what it says, and requests by hand.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::workspace::Workspace;

const PATIENCE: Duration = Duration::from_secs(120);

/// The last line of the screen.
const END_OF_SCREEN: &str = "/openapi.json describes the API";

pub(crate) struct Running {
    child: Mutex<Child>,
    lines: Mutex<Receiver<String>>,
    screen: String,
    address: String,
}

/// Requests with a header more: who they are from, or which page.
pub(crate) struct From<'a> {
    server: &'a Running,
    header: String,
}

impl Running {
    /// Starts a server on a free port, unless an address is among the arguments, and waits for its screen.
    pub(crate) fn start(workspace: &Workspace, args: &[&str], variables: &[(&str, &str)]) -> Self {
        Self::start_as(workspace.command(), args, variables)
    }

    /// The same, by this command.
    pub(crate) fn start_as(
        mut command: Command,
        args: &[&str],
        variables: &[(&str, &str)],
    ) -> Self {
        command.arg("serve").args(args).envs(variables.iter().copied()).stderr(Stdio::piped());
        // Keys that this machine may have are none of a test's.
        for key in ["GEMINI_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"] {
            command.env_remove(key);
        }
        if !args.contains(&"--address") {
            command.args(["--address", "127.0.0.1:0"]);
        }
        let mut child = command.spawn().unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            stderr.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let (child, lines) = (Mutex::new(child), Mutex::new(lines));
        let mut server = Self { child, lines, screen: String::new(), address: String::new() };
        server.screen = server.until(END_OF_SCREEN);
        let (_, rest) = server.screen.split_once("at http://").unwrap();
        server.address = rest.lines().next().unwrap().replace("0.0.0.0", "127.0.0.1");
        server
    }

    pub(crate) fn screen(&self) -> String {
        self.screen.clone()
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Everything up to the next line with these words.
    pub(crate) fn until(&self, words: &str) -> String {
        let end = Instant::now() + PATIENCE;
        let (lines, mut seen) = (self.lines.lock().unwrap(), String::new());
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(line) = lines.recv_timeout(left) else {
                panic!("no line with {words:?} after {seen}")
            };
            seen.push_str(&line);
            seen.push('\n');
            if line.contains(words) {
                return seen;
            }
        }
    }

    /// Ends the server, and everything it has said since the last look.
    pub(crate) fn rest(&self) -> String {
        self.kill("-TERM");
        self.child.lock().unwrap().wait().unwrap();
        self.rest_of_lines()
    }

    /// Everything that a server which has ended has said since the last look.
    pub(crate) fn rest_of_lines(&self) -> String {
        self.lines.lock().unwrap().iter().collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.lock().unwrap().id()
    }

    pub(crate) fn kill(&self, signal: &str) {
        let id = self.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    }

    /// Sends a signal and waits for the end.
    pub(crate) fn signal(&self, signal: &str) -> Option<i32> {
        self.kill(signal);
        self.child.lock().unwrap().wait().unwrap().code()
    }

    pub(crate) fn signed_in(&self, token: &str) -> From<'_> {
        From { server: self, header: format!("authorization: Bearer {token}\r\n") }
    }

    pub(crate) fn on_page(&self, origin: &str) -> From<'_> {
        From { server: self, header: format!("origin: {origin}\r\n") }
    }

    pub(crate) fn accepting(&self, types: &str) -> From<'_> {
        From { server: self, header: format!("accept: {types}\r\n") }
    }

    pub(crate) fn get(&self, path: &str) -> (u16, String) {
        self.ask("GET", path, "", "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let (status, text) = self.ask("POST", path, "", &body.to_string());
        (status, serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}")))
    }

    pub(crate) fn put(&self, path: &str, body: &Value) -> u16 {
        self.ask("PUT", path, "", &body.to_string()).0
    }

    pub(crate) fn delete(&self, path: &str) -> (u16, String) {
        self.ask("DELETE", path, "", "")
    }

    /// A request of which only the beginning is sent.
    pub(crate) fn half_a_request(&self) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head =
            "POST /v1/conversations HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99\r\n\r\n{";
        stream.write_all(head.as_bytes()).unwrap();
        // Another one that is answered shows that the first has arrived.
        assert_eq!(self.get("/health").0, 200);
        stream
    }

    fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{headers}\
             content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }
}

impl From<'_> {
    pub(crate) fn get(&self, path: &str) -> (u16, String) {
        self.server.ask("GET", path, &self.header, "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let (status, text) = self.server.ask("POST", path, &self.header, &body.to_string());
        (status, serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}")))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut child = self.child.lock().unwrap();
        let _ = child.kill();
        let _ = child.wait();
    }
}
