//! Why a WebSocket failed.

use std::{fmt, io};

#[derive(Debug)]
pub enum Error {
    Io(io::Error),
    /// The stream ended within a message.
    Ended,
    /// The peer violated the protocol.
    Broken(&'static str),
    /// A text message that is not UTF-8.
    NotUtf8,
    /// A message that exceeds the maximum size.
    TooBig {
        most: usize,
    },
    /// The handshake was answered, but not with a WebSocket.
    Refused {
        status: u16,
        body: Vec<u8>,
    },
}

impl Error {
    /// Whether the peer has reset the connection. Data that it sent before can still be read.
    pub fn is_cut(&self) -> bool {
        use io::ErrorKind::{BrokenPipe, ConnectionReset};
        matches!(self, Self::Io(error) if matches!(error.kind(), BrokenPipe | ConnectionReset))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Ended => f.write_str("the stream ended in the middle of a message"),
            Self::Broken(why) => write!(f, "the other end broke the protocol: {why}"),
            Self::NotUtf8 => f.write_str("expected a text in UTF-8, found other bytes"),
            Self::TooBig { most } => write!(f, "expected a message of at most {most} bytes"),
            Self::Refused { status, .. } => {
                write!(f, "expected a WebSocket, found an answer with status {status}")
            }
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
