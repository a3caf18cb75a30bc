//! Connections over TLS. Handshakes run concurrently, so that a slow client does not delay others.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::serve::Listener;
use rustls::ServerConfig;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// How long a handshake may take.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

type Shaken = Option<(TlsStream<TcpStream>, SocketAddr)>;

pub(super) struct TlsListener {
    listener: TcpListener,
    acceptor: TlsAcceptor,
    handshakes: JoinSet<Shaken>,
}

impl TlsListener {
    pub(super) fn new(listener: TcpListener, config: Arc<ServerConfig>) -> Self {
        Self { listener, acceptor: TlsAcceptor::from(config), handshakes: JoinSet::new() }
    }

    fn shake(&mut self, stream: TcpStream, address: SocketAddr) {
        let handshake = timeout(HANDSHAKE_TIMEOUT, self.acceptor.accept(stream));
        self.handshakes.spawn(async move {
            let stream = handshake.await.ok()?.ok()?;
            Some((stream, address))
        });
    }
}

impl Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            tokio::select! {
                (mut stream, address) = Listener::accept(&mut self.listener) => {
                    super::send_at_once(&mut stream);
                    self.shake(stream, address);
                }
                Some(shaken) = self.handshakes.join_next() => {
                    if let Ok(Some(connection)) = shaken {
                        return connection;
                    }
                }
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}
