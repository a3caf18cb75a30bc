//! The handshake of a WebSocket, down to the bare socket: no HTTP layer stays between the session and the
//! network, and the socket can move to another thread.

use std::io;
use std::net;
use std::time::Duration;

use aileron_transports::websocket::{PeerRole, WebSocket};
use axum::body::{Body, Bytes};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, header};
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tungstenite::handshake::derive_accept_key;

use crate::error::{ApiError, ApiErrorCode};
use crate::listen::{LingerStream, StallStream};
use crate::voice::client::Socket;

/// The only version of the protocol.
const VERSION: &str = "13";

/// The subprotocol that a browser names besides the one with its token, because the server must select one.
const PROTOCOL: &str = "aileron";

const WEBSOCKET: &str = "websocket";

const NO_WEBSOCKET: &str =
    "expected the request for a WebSocket of version 13, found another; connect with a WebSocket";

/// A request for a WebSocket.
#[derive(Debug)]
pub(in crate::voice) struct Handshake {
    accept: String,
    protocol: Option<&'static str>,
    upgrade: OnUpgrade,
}

impl<S: Sync> FromRequestParts<S> for Handshake {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        read(parts).ok_or_else(|| {
            ApiError::new(ApiErrorCode::WebsocketExpected, NO_WEBSOCKET)
                .header(header::UPGRADE, HeaderValue::from_static(WEBSOCKET))
                .header(header::SEC_WEBSOCKET_VERSION, HeaderValue::from_static(VERSION))
        })
    }
}

fn read(parts: &mut Parts) -> Option<Handshake> {
    let headers = &parts.headers;
    let wanted = parts.method == Method::GET
        && names(headers, header::CONNECTION).any(|name| is(name, "upgrade"))
        && names(headers, header::UPGRADE).any(|name| is(name, WEBSOCKET))
        && names(headers, header::SEC_WEBSOCKET_VERSION).eq([VERSION]);
    let key = headers.get(header::SEC_WEBSOCKET_KEY).filter(|_| wanted)?;
    let accept = derive_accept_key(key.as_bytes());
    let named = names(headers, header::SEC_WEBSOCKET_PROTOCOL).any(|name| name == PROTOCOL);
    let protocol = named.then_some(PROTOCOL);
    Some(Handshake { accept, protocol, upgrade: parts.extensions.remove()? })
}

/// The values of a header's list.
fn names(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}

fn is(name: &str, wanted: &str) -> bool {
    name.eq_ignore_ascii_case(wanted)
}

impl Handshake {
    /// The response that switches the connection to WebSocket.
    pub(super) fn answer(&self) -> Response<Body> {
        let mut answer = Response::new(Body::empty());
        *answer.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
        let headers = answer.headers_mut();
        headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
        headers.insert(header::UPGRADE, HeaderValue::from_static(WEBSOCKET));
        if let Ok(accept) = HeaderValue::from_str(&self.accept) {
            headers.insert(header::SEC_WEBSOCKET_ACCEPT, accept);
        }
        if let Some(protocol) = self.protocol {
            headers.insert(header::SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(protocol));
        }
        answer
    }

    /// The socket, once the response is sent.
    pub(super) async fn socket(self) -> io::Result<BareSocket> {
        let upgraded = self.upgrade.await.map_err(io::Error::other)?;
        let parts = upgraded.downcast::<TokioIo<LingerStream<StallStream<TcpStream>>>>();
        let parts = parts.map_err(|_| io::Error::other("expected a connection of this server"))?;
        let (stream, patience) = parts.io.into_inner().into_inner().into_parts();
        Ok(BareSocket { stream: stream.into_std()?, patience, read: parts.read_buf })
    }
}

/// A socket that is not registered with a runtime.
#[derive(Debug)]
pub(super) struct BareSocket {
    stream: net::TcpStream,
    patience: Duration,
    /// Bytes that were read before the upgrade.
    read: Bytes,
}

impl BareSocket {
    /// A WebSocket on the current runtime, with a maximum message size in bytes.
    pub(super) fn settle(self, most: usize) -> io::Result<Socket> {
        let stream = StallStream::new(TcpStream::from_std(self.stream)?, self.patience);
        Ok(WebSocket::new(stream, PeerRole::Server, self.read.to_vec(), most))
    }
}
