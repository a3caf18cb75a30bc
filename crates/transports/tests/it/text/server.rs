//! A local server that answers requests with scripted bytes, valid or not; and a model that sends
//! requests to it.

use aileron_contract::text::{ChatMessage, ModelRequest, ReplyEvent, ReplyFault, Tools};
use aileron_transports::text::{HttpReplyStream, Retries};
use aileron_transports::{TextModel, TextOptions, TextProvider};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The head of an answer that streams.
pub(crate) const STREAM: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

/// A chunk of Chat Completions with a word in it.
pub(crate) const HELLO: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"Hello\"}}]}\n\n";
pub(crate) const DONE: &str = "data: [DONE]\n\n";

pub(crate) struct Server {
    listener: TcpListener,
}

impl Server {
    pub(crate) async fn new() -> Self {
        Self { listener: TcpListener::bind("127.0.0.1:0").await.unwrap() }
    }

    pub(crate) fn options(&self, name: &str) -> TextOptions {
        let mut options = TextOptions::new(TextProvider::named(name).unwrap(), "m");
        let port = self.listener.local_addr().unwrap().port();
        options.base_url = Some(format!("http://127.0.0.1:{port}/v1").parse().unwrap());
        options
    }

    /// A model of Chat Completions on this server.
    pub(crate) fn model(&self) -> TextModel {
        TextModel::new(self.options("openai_chat")).unwrap()
    }

    /// The same, which never tries again.
    pub(crate) fn once(&self) -> TextOptions {
        let retries = Retries { most: 0, ..Retries::default() };
        TextOptions { retries, ..self.options("openai_chat") }
    }

    pub(crate) async fn tcp(&self) -> TcpStream {
        self.listener.accept().await.unwrap().0
    }

    /// The next request.
    pub(crate) async fn visit(&self) -> Visit<TcpStream> {
        Visit::read(self.tcp().await).await
    }

    /// Answers the next request and closes the connection.
    pub(crate) async fn answer(&self, bytes: impl AsRef<[u8]>) {
        self.visit().await.finish(bytes).await;
    }
}

/// A request, and the connection that waits for its answer.
pub(crate) struct Visit<S> {
    stream: S,
    pub(crate) head: String,
    pub(crate) body: Value,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Visit<S> {
    pub(crate) async fn read(mut stream: S) -> Self {
        let mut bytes = Vec::new();
        loop {
            let at = bytes.windows(4).position(|window| window == b"\r\n\r\n");
            if let Some(at) = at {
                let head = String::from_utf8(bytes[..at].to_vec()).unwrap().to_lowercase();
                let length = head.split("content-length: ").nth(1).unwrap().lines().next().unwrap();
                let mut body = bytes.split_off(at + 4);
                let (length, had) = (length.parse().unwrap(), body.len());
                body.resize(length, 0);
                stream.read_exact(&mut body[had..]).await.unwrap();
                return Self { stream, head, body: serde_json::from_slice(&body).unwrap() };
            }
            assert_ne!(stream.read_buf(&mut bytes).await.unwrap(), 0, "the client has left");
        }
    }

    pub(crate) async fn say(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).await.unwrap();
        self.stream.flush().await.unwrap();
    }

    pub(crate) async fn finish(mut self, bytes: impl AsRef<[u8]>) {
        self.say(bytes).await;
        self.stream.shutdown().await.unwrap();
    }

    /// Repeats the bytes until the client disconnects; returns how many bytes were sent.
    pub(crate) async fn say_for_ever(mut self, bytes: &[u8]) -> usize {
        let mut written = 0;
        while self.stream.write_all(bytes).await.is_ok() {
            written += bytes.len();
        }
        written
    }

    /// The next request over the same connection.
    pub(crate) async fn again(self) -> Self {
        Self::read(self.stream).await
    }

    /// Waits until the client has closed the connection.
    pub(crate) async fn left(mut self) {
        let mut rest = Vec::new();
        // A reset is a way to leave, too.
        let _ = self.stream.read_to_end(&mut rest).await;
        assert_eq!(rest, b"");
    }
}

pub(crate) fn status(line: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {line}\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n{body}"
    )
}

pub(crate) fn begin(model: &TextModel) -> HttpReplyStream {
    let messages = [ChatMessage::Person { text: "hi".into() }];
    let tools = Tools::Offered;
    model.begin(&ModelRequest { instructions: "i", declarations: &[], messages: &messages, tools })
}

/// Everything of a reply, and the fault that ended it.
pub(crate) async fn all(mut reading: HttpReplyStream) -> (Vec<ReplyEvent>, Option<ReplyFault>) {
    let mut events = Vec::new();
    while let Some(next) = reading.next().await {
        match next {
            Ok(event) => events.push(event),
            Err(fault) => {
                assert_eq!(reading.next().await, None, "nothing follows a fault");
                return (events, Some(fault));
            }
        }
    }
    (events, None)
}

pub(crate) async fn fault(model: &TextModel) -> ReplyFault {
    let (events, fault) = all(begin(model)).await;
    assert_eq!(events, []);
    fault.unwrap()
}

/// The words of a reply that came to its end.
pub(crate) async fn words(reading: HttpReplyStream) -> String {
    let (events, fault) = all(reading).await;
    assert_eq!(fault, None);
    assert!(matches!(events.last(), Some(ReplyEvent::Done(_))), "{events:?}");
    let text = events.into_iter().filter_map(|event| match event {
        ReplyEvent::Text(text) => Some(text),
        _ => None,
    });
    text.collect()
}

pub(crate) async fn failed(model: TextModel) -> ReplyFault {
    fault(&model).await
}
