//! One connection: HTTP/1.1, and its upgrade to WebSocket.

use std::net::SocketAddr;
use std::pin::pin;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tower_service::Service;

use super::linger::{LingerStream, UnreadRequest};
use super::routes::router;
use super::stall::StallStream;
use crate::app::App;
use crate::request_checks::Peer;

/// Maximum size of a request head, in bytes.
const HEAD_BYTES: usize = 64 << 10;

/// Serves connections.
#[derive(Debug, Clone)]
pub(super) struct Connection {
    app: App,
    router: Router,
}

impl Connection {
    pub(super) fn new(app: &App) -> Self {
        Self { app: app.clone(), router: router(app.clone()) }
    }

    /// Answers the requests of a connection until it is closed. When the server stops, the current request
    /// is the last.
    pub(super) async fn answer(self, stream: TcpStream, peer: SocketAddr) {
        let limits = self.app.limits();
        // Small answers are sent without delay.
        let _ = stream.set_nodelay(true);
        let router = self.router;
        let unread = UnreadRequest::default();
        let io = LingerStream::new(StallStream::new(stream, limits.stall_time), unread.clone());
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer.ip()));
            router.clone().call(request.map(|body| Body::new(unread.watch(body))))
        });
        let connection = Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head_time)
            .max_buf_size(HEAD_BYTES)
            // The buffer may read more than its size at once.
            .max_header_size(HEAD_BYTES)
            .serve_connection(TokioIo::new(io), service)
            .with_upgrades();
        let mut connection = pin!(connection);
        // An error on a connection closes it and is not reported.
        tokio::select! {
            _ = &mut connection => return,
            () = self.app.stopping().cancelled() => connection.as_mut().graceful_shutdown(),
        }
        let _ = connection.await;
    }
}
