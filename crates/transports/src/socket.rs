//! A WebSocket to a provider, plain or over TLS.

use std::future::poll_fn;
use std::io;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use aileron_contract::transport::CloseCode;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use crate::outbox::{Outbox, QueuedMessage};
use crate::target::Target;
use crate::websocket::{self, Error, Outgoing, WebSocket};

/// Maximum size of a message.
const MAX_MESSAGE: usize = 16 << 20;

/// How long a socket that we leave has to close in order.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// How a socket ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SocketEnd {
    pub(crate) code: CloseCode,
    pub(crate) reason: String,
}

impl SocketEnd {
    pub(crate) fn dropped(reason: impl ToString) -> Self {
        Self { code: CloseCode::Missing, reason: reason.to_string() }
    }
}

/// An input from the socket.
pub(crate) enum SocketReceived<'a> {
    Frame(&'a [u8]),
    /// A ping or pong.
    Pulse,
    Ended(SocketEnd),
}

pub(crate) struct Socket(WebSocket<Box<dyn Stream>>);

/// TLS with the certificates that this machine trusts.
pub fn trusted_tls() -> io::Result<Arc<ClientConfig>> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    let (taken, _) = roots.add_parsable_certificates(found.certs);
    if taken == 0 {
        let why =
            "expected certificates that this machine trusts, found none; install ca-certificates";
        return Err(io::Error::new(io::ErrorKind::NotFound, why));
    }
    tls(roots)
}

/// TLS that trusts these certificates.
pub fn tls(roots: RootCertStore) -> io::Result<Arc<ClientConfig>> {
    let ring = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(ring).with_safe_default_protocol_versions();
    let config = config.map_err(io::Error::other)?;
    Ok(Arc::new(config.with_root_certificates(roots).with_no_client_auth()))
}

/// Connects.
pub(crate) async fn dial(target: Target, tls: Arc<ClientConfig>) -> Result<Socket, SocketEnd> {
    let stream = connect(&target, tls).await.map_err(|error| connect_failed(&error))?;
    let request = target.request().map_err(SocketEnd::dropped)?;
    let made = websocket::connect(stream, request, MAX_MESSAGE).await;
    Ok(Socket(made?))
}

async fn connect(target: &Target, tls: Arc<ClientConfig>) -> io::Result<Box<dyn Stream>> {
    let host = target.url().host_str().unwrap_or_default();
    let port = target.url().port_or_known_default().unwrap_or_default();
    let tcp = TcpStream::connect((host.trim_matches(['[', ']']), port)).await?;
    // Frames are small and are sent without delay.
    tcp.set_nodelay(true)?;
    if !target.is_tls() {
        return Ok(Box::new(tcp));
    }
    let name = ServerName::try_from(host.trim_matches(['[', ']']).to_owned());
    let name = name.map_err(io::Error::other)?;
    Ok(Box::new(TlsConnector::from(tls).connect(name, tcp).await?))
}

/// Distinguishes an untrusted certificate from a network failure.
fn connect_failed(error: &io::Error) -> SocketEnd {
    let cause = error.get_ref().and_then(|cause| cause.downcast_ref::<rustls::Error>());
    let code = match cause {
        Some(rustls::Error::InvalidCertificate(_)) => CloseCode::Code(1015),
        _ => CloseCode::Missing,
    };
    SocketEnd { code, reason: error.to_string() }
}

impl From<Error> for SocketEnd {
    fn from(error: Error) -> Self {
        match &error {
            Error::Refused { status, body } => {
                let reason = String::from_utf8_lossy(body).into_owned();
                Self { code: CloseCode::Http(*status), reason }
            }
            Error::TooBig { .. } => Self { code: CloseCode::Code(1009), reason: error.to_string() },
            Error::Io(_) | Error::Ended | Error::Broken(_) | Error::NotUtf8 => Self::dropped(error),
        }
    }
}

impl Socket {
    /// The next input.
    pub(crate) fn poll_receive(&mut self, cx: &mut Context<'_>) -> Poll<SocketReceived<'_>> {
        let next = ready!(self.0.poll_next(cx));
        Poll::Ready(match next {
            Some(Ok(websocket::WebSocketReceived::Text | websocket::WebSocketReceived::Binary)) => {
                SocketReceived::Frame(self.0.payload())
            }
            Some(Ok(websocket::WebSocketReceived::Pulse)) => SocketReceived::Pulse,
            Some(Ok(websocket::WebSocketReceived::Close(farewell))) => {
                SocketReceived::Ended(match farewell {
                    Some(farewell) => {
                        SocketEnd { code: CloseCode::Code(farewell.code), reason: farewell.reason }
                    }
                    None => SocketEnd { code: CloseCode::Code(1005), reason: String::new() },
                })
            }
            Some(Err(error)) => SocketReceived::Ended(error.into()),
            None => SocketReceived::Ended(SocketEnd::dropped("the stream ended")),
        })
    }

    /// Sends queued messages. Ready when all are sent.
    pub(crate) fn poll_send(
        &mut self,
        outbox: &mut Outbox,
        cx: &mut Context<'_>,
    ) -> Poll<Result<(), Error>> {
        loop {
            while !self.0.is_full()
                && let Some(message) = outbox.next()
            {
                self.0.send(match &message {
                    QueuedMessage::Audio(text) | QueuedMessage::Control(text) => {
                        Outgoing::Text(text)
                    }
                    QueuedMessage::Ping => Outgoing::Ping,
                });
            }
            ready!(self.0.poll_flush(cx))?;
            if outbox.is_empty() {
                return Poll::Ready(Ok(()));
            }
        }
    }

    /// Sends queued messages and closes in order, within bounds, in a separate task. Closing a connection with
    /// unread data makes the system reset it, and the last messages would be lost, so the rest is read.
    pub(crate) fn leave(mut self, mut outbox: Outbox) {
        let goodbye = async move {
            let sent = poll_fn(|cx| self.poll_send(&mut outbox, cx)).await;
            if sent.is_ok() {
                self.0.send(Outgoing::Close(None));
                let _ = poll_fn(|cx| self.0.poll_flush(cx)).await;
                while let Some(Ok(_)) = poll_fn(|cx| self.0.poll_next(cx)).await {}
            }
        };
        tokio::spawn(tokio::time::timeout(CLOSE_TIMEOUT, goodbye));
    }
}
