//! A provider on this machine: takes connections, shows what it is sent, and says
//! what the test tells it to say.

use aileron_contract::{Backoff, Jitter};
use std::sync::Arc;
use std::time::Duration;

use aileron_contract::transport::{Protocol, ProviderEvent, Setup};
use aileron_transports::gemini_live;
use aileron_transports::session::Reconnect;
use aileron_transports::upstream::{Output, Upstream, UpstreamConfig, UpstreamTimeouts};
use aileron_transports::{GeminiLive, tls};
use futures_util::{SinkExt, StreamExt};
use rustls::{ClientConfig, RootCertStore};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::{WebSocketStream, accept_async};

pub(crate) struct Provider {
    listener: TcpListener,
}

impl Provider {
    pub(crate) async fn new() -> Self {
        Self { listener: TcpListener::bind("127.0.0.1:0").await.unwrap() }
    }

    pub(crate) fn base(&self, scheme: &str) -> String {
        format!("{scheme}://localhost:{}", self.listener.local_addr().unwrap().port())
    }

    pub(crate) async fn tcp(&self) -> TcpStream {
        self.listener.accept().await.unwrap().0
    }

    /// The next connection.
    pub(crate) async fn accept(&self) -> Peer<TcpStream> {
        Peer(accept_async(self.tcp().await).await.unwrap())
    }
}

/// The provider's end of a connection.
pub(crate) struct Peer<S>(pub(crate) WebSocketStream<S>);

impl<S: AsyncRead + AsyncWrite + Unpin> Peer<S> {
    /// The next frame of the client.
    pub(crate) async fn read(&mut self) -> Value {
        loop {
            match self.0.next().await.unwrap().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("expected a text frame, found {other:?}"),
            }
        }
    }

    /// Sends a frame as the real one does, in binary.
    pub(crate) async fn say(&mut self, frame: &str) {
        self.0.send(Message::binary(frame.as_bytes().to_vec())).await.unwrap();
    }

    /// Takes the setup.
    pub(crate) async fn set_up(&mut self) -> Value {
        let setup = self.read().await;
        self.say(r#"{"setupComplete":{}}"#).await;
        setup
    }

    pub(crate) async fn close(mut self, code: u16, reason: &str) {
        let frame = CloseFrame { code: code.into(), reason: reason.to_owned().into() };
        self.0.close(Some(frame)).await.unwrap();
        while let Some(Ok(_)) = self.0.next().await {}
    }
}

pub(crate) fn no_roots() -> Arc<ClientConfig> {
    tls(RootCertStore::empty()).unwrap()
}

/// A world without waits between attempts.
pub(crate) fn world(base: &str, tls: Arc<ClientConfig>) -> UpstreamConfig {
    let reconnect = Reconnect { backoff: Backoff::NONE, max_attempts: 3, ..Reconnect::default() };
    let target = gemini_live::target(Some(base), "k").unwrap();
    UpstreamConfig {
        target,
        tls,
        reconnect,
        limits: UpstreamTimeouts::default(),
        jitter: Box::new(|| Jitter::new(0.0)),
    }
}

pub(crate) fn begin(provider: &Provider) -> Upstream<GeminiLive> {
    let setup = Setup::new("m", "Be nice.");
    Upstream::begin(world(&provider.base("ws"), no_roots()), setup, GeminiLive::default)
}

/// The next output, without waiting for its remaining time.
pub(crate) async fn next<P: Protocol>(upstream: &mut Upstream<P>) -> Output {
    let next = tokio::time::timeout(Duration::from_secs(20), upstream.next());
    next.await.expect("something within 20 seconds").expect("a conversation that goes on")
}

/// The next output, which must be an event.
pub(crate) async fn event<P: Protocol>(upstream: &mut Upstream<P>) -> ProviderEvent {
    match next(upstream).await {
        Output::Event(event) => event,
        other => panic!("expected an event, found {other:?}"),
    }
}
