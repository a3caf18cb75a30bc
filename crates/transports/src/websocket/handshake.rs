//! The client side of the handshake.

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tungstenite::handshake::client::{Request, Response, generate_request};
use tungstenite::handshake::derive_accept_key;
use tungstenite::handshake::machine::TryParse;
use tungstenite::http::{HeaderMap, StatusCode, header};

use super::{Error, PeerRole, WebSocket};

/// Maximum size of a response head.
const MAX_HEAD: usize = 16 << 10;

const NOT_HTTP: Error = Error::Broken("an answer that is not one of HTTP");

/// Requests a WebSocket with a maximum message size.
pub async fn connect<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: S,
    request: Request,
    most: usize,
) -> Result<WebSocket<S>, Error> {
    let (asked, key) = generate_request(request).map_err(unsendable)?;
    stream.write_all(&asked).await?;
    stream.flush().await?;
    let mut read = Vec::new();
    let (head, answer) = loop {
        if let Some(parsed) = Response::try_parse(&read).map_err(|_| NOT_HTTP)? {
            break parsed;
        }
        if read.len() > MAX_HEAD || stream.read_buf(&mut read).await? == 0 {
            return Err(NOT_HTTP);
        }
    };
    let rest = read.split_off(head);
    if answer.status() != StatusCode::SWITCHING_PROTOCOLS {
        return Err(Error::Refused { status: answer.status().as_u16(), body: rest });
    }
    if !agrees(answer.headers(), &derive_accept_key(key.as_bytes())) {
        return Err(Error::Broken("an answer that agrees to no WebSocket, or to another one"));
    }
    Ok(WebSocket::new(stream, PeerRole::Client, rest, most))
}

fn unsendable(error: tungstenite::Error) -> Error {
    Error::Io(std::io::Error::other(error))
}

fn agrees(headers: &HeaderMap, accept: &str) -> bool {
    let is = |name, wanted: &str| {
        let lines = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
        let mut listed = lines.flat_map(|line| line.split(','));
        listed.any(|value| value.trim().eq_ignore_ascii_case(wanted))
    };
    // The server must not select an extension or protocol that was not offered.
    let unasked = [header::SEC_WEBSOCKET_EXTENSIONS, header::SEC_WEBSOCKET_PROTOCOL];
    let accepts = headers.get(header::SEC_WEBSOCKET_ACCEPT);
    is(header::UPGRADE, "websocket")
        && is(header::CONNECTION, "upgrade")
        && !unasked.iter().any(|name| headers.contains_key(name))
        && accepts.is_some_and(|value| value.as_bytes() == accept.as_bytes())
}
