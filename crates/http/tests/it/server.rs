//! A server on loopback that sends the bytes of a test, over TCP or TLS.

use std::net::Ipv4Addr;
use std::sync::{Arc, LazyLock, Mutex};

use aileron_capability::http::HttpOptions;
use rcgen::CertifiedKey;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

static CERTIFICATE: LazyLock<CertifiedKey<rcgen::KeyPair>> = LazyLock::new(|| {
    rcgen::generate_simple_self_signed(["localhost".to_owned(), "127.0.0.1".to_owned()]).unwrap()
});

/// The bytes sent to each connection after its request was read.
#[derive(Clone)]
pub(super) enum Script {
    /// The bytes, then the end of the connection.
    Say(Vec<u8>),
    /// The first text, then the second for ever.
    Repeat(&'static str, &'static str),
    /// The text, and then silence over an open connection.
    Hang(&'static str),
}

pub(super) struct Server {
    pub(super) port: u16,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(super) async fn plain(script: impl Fn(u16, &str) -> Script + Send + 'static) -> Self {
        Self::start(script, None).await
    }

    pub(super) async fn tls(script: impl Fn(u16, &str) -> Script + Send + 'static) -> Self {
        Self::start(script, Some(acceptor())).await
    }

    /// Listens until the test's runtime ends. The script is given the port and the whole request.
    async fn start(
        script: impl Fn(u16, &str) -> Script + Send + 'static,
        tls: Option<TlsAcceptor>,
    ) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = requests.clone();
        tokio::spawn(async move {
            loop {
                let (socket, _) = listener.accept().await.unwrap();
                let Some(mut stream) = greet(socket, tls.as_ref()).await else { continue };
                let request = read_request(&mut stream).await;
                let reply = script(port, &request);
                seen.lock().unwrap().push(request);
                tokio::spawn(speak(stream, reply));
            }
        });
        Self { port, requests }
    }

    pub(super) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// `host` with this server's port.
    pub(super) fn at(&self, host: &str) -> String {
        format!("{host}:{}", self.port)
    }
}

/// Both ways of a connection, encrypted or not.
trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Stream for T {}

async fn greet(
    socket: tokio::net::TcpStream,
    tls: Option<&TlsAcceptor>,
) -> Option<Box<dyn Stream>> {
    match tls {
        None => Some(Box::new(socket)),
        Some(acceptor) => Some(Box::new(acceptor.accept(socket).await.ok()?)),
    }
}

/// Reads the head, and as much of a body as it announces.
async fn read_request(stream: &mut dyn Stream) -> String {
    let mut bytes = Vec::new();
    while !is_whole(&bytes) && stream.read_buf(&mut bytes).await.is_ok_and(|read| read > 0) {}
    String::from_utf8(bytes).unwrap()
}

fn is_whole(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let announced = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    announced.is_none_or(|length| body.len() >= length.parse().unwrap())
}

/// Sends the reply; a client that hangs up ends it.
async fn speak(mut stream: Box<dyn Stream>, script: Script) {
    match script {
        Script::Say(bytes) => {
            let _ = stream.write_all(&bytes).await;
            let _ = stream.shutdown().await;
        }
        Script::Repeat(first, then) => {
            let _ = stream.write_all(first.as_bytes()).await;
            let many = then.repeat(64);
            while stream.write_all(many.as_bytes()).await.is_ok() {}
        }
        Script::Hang(text) => {
            let _ = stream.write_all(text.as_bytes()).await;
            let _ = stream.read_to_end(&mut Vec::new()).await;
        }
    }
}

fn acceptor() -> TlsAcceptor {
    let key = PrivateKeyDer::Pkcs8(CERTIFICATE.signing_key.serialize_der().into());
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![CERTIFICATE.cert.der().clone()], key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

/// Options that trust the test's certificate and open nothing else.
pub(super) fn trusting() -> HttpOptions {
    HttpOptions { extra_roots: Some(CERTIFICATE.cert.pem()), ..HttpOptions::default() }
}

/// Options under which `127.0.0.1` may be asked, also without TLS.
pub(super) fn open() -> HttpOptions {
    let host = vec!["127.0.0.1".to_owned()];
    HttpOptions { allow_private: host.clone(), allow_plain: host, ..trusting() }
}

/// An answer given word for word.
pub(super) fn say(answer: impl Into<Vec<u8>>) -> Script {
    Script::Say(answer.into())
}

/// An ordinary answer with a body.
pub(super) fn ok(body: &str) -> Script {
    let length = body.len();
    say(format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{body}"))
}

/// An answer that leads elsewhere.
pub(super) fn redirect(status: u16, location: &str) -> Script {
    say(format!("HTTP/1.1 {status} Elsewhere\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n"))
}
