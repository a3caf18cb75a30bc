//! The load generator: persistent connections, each with its own conversation, on one thread. A
//! connection sends its next request as soon as the last one is answered.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream as BlockingStream;
use std::time::{Duration, Instant};

use memchr::memmem;
use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};
use serde_json::Value;

use super::exchange::{CREATE, Kind, Script, check, request, whole};
use crate::samples::Samples;

/// The maximum time of an answer before the run fails.
const PATIENCE: Duration = Duration::from_secs(10);

/// All connections.
pub(super) struct Clients {
    poll: Poll,
    all: Vec<Client>,
}

/// The calls of one run.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// How long each call took.
    pub(super) calls: Samples,
    pub(super) took: Duration,
}

struct Client {
    stream: TcpStream,
    script: Script,
    received: Vec<u8>,
    /// The request in flight, and when it was sent.
    waiting: Option<(Kind, Instant)>,
}

impl Clients {
    /// Opens the connections, each with a conversation.
    pub(super) fn connect(port: u16, count: usize) -> Result<Self, String> {
        let poll = Poll::new().map_err(words)?;
        let mut all = Vec::new();
        for at in 0..count {
            let mut client = Client::connect(port)?;
            let registry = poll.registry();
            registry.register(&mut client.stream, Token(at), Interest::READABLE).map_err(words)?;
            all.push(client);
        }
        Ok(Self { poll, all })
    }

    /// Keeps every connection busy until then. The requests in flight at the end stay in flight,
    /// and are answered in the next run.
    pub(super) fn run_until(&mut self, until: Instant) -> Result<Tally, String> {
        let mut tally = Tally::default();
        let mut events = Events::with_capacity(256);
        for client in self.all.iter_mut().filter(|client| client.waiting.is_none()) {
            client.send()?;
        }
        while Instant::now() < until {
            self.poll.poll(&mut events, Some(PATIENCE)).map_err(words)?;
            if events.is_empty() {
                return Err("no answer came for 10 s".to_owned());
            }
            for event in &events {
                self.all[event.token().0].receive(&mut tally)?;
            }
        }
        Ok(tally)
    }
}

impl Client {
    fn connect(port: u16) -> Result<Self, String> {
        let mut stream = BlockingStream::connect(("127.0.0.1", port)).map_err(words)?;
        stream.set_nodelay(true).map_err(words)?;
        let mut asked = Vec::new();
        request(&mut asked, "/v1/conversations", CREATE);
        stream.write_all(&asked).map_err(words)?;
        let script = Script::new(conversation_id(&mut stream)?);
        stream.set_nonblocking(true).map_err(words)?;
        let stream = TcpStream::from_std(stream);
        Ok(Self { stream, script, received: Vec::new(), waiting: None })
    }

    fn send(&mut self) -> Result<(), String> {
        let mut asked = Vec::with_capacity(512);
        let kind = self.script.next(&mut asked);
        self.waiting = Some((kind, Instant::now()));
        // A request is far smaller than the send buffer of a socket.
        self.stream.write_all(&asked).map_err(words)
    }

    fn receive(&mut self, tally: &mut Tally) -> Result<(), String> {
        let mut piece = [0; 4096];
        loop {
            match self.stream.read(&mut piece) {
                Ok(0) => return Err("the server closed a connection".to_owned()),
                Ok(read) => self.received.extend_from_slice(&piece[..read]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(words(error)),
            }
            let Some(length) = whole(&self.received)? else { continue };
            check(&self.received[..length])?;
            self.received.drain(..length);
            if let Some((Kind::Call, since)) = self.waiting.take() {
                tally.calls.push(since.elapsed());
            }
            self.send()?;
        }
    }
}

/// Reads the answer to the creation of a conversation.
fn conversation_id(stream: &mut BlockingStream) -> Result<String, String> {
    let (mut received, mut piece) = (Vec::new(), [0; 4096]);
    let length = loop {
        match stream.read(&mut piece).map_err(words)? {
            0 => return Err("the server closed a connection".to_owned()),
            read => received.extend_from_slice(&piece[..read]),
        }
        if let Some(length) = whole(&received)? {
            break length;
        }
    };
    let answer = &received[..length];
    check(answer)?;
    let body = memmem::find(answer, b"\r\n\r\n").map_or(0, |head| head + 4);
    let body: Value = serde_json::from_slice(&answer[body..]).map_err(|error| error.to_string())?;
    let id = body["id"].as_str().or_else(|| body["conversation"]["id"].as_str());
    id.map(str::to_owned).ok_or_else(|| format!("expected the id of a conversation, found {body}"))
}

fn words(error: std::io::Error) -> String {
    error.to_string()
}
