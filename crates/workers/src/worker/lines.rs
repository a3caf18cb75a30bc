//! The lines that a worker sends.

use memchr::memchr;
use tokio::io::AsyncReadExt;
use tokio::net::unix::OwnedReadHalf;

/// Why there is no further line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum LinesEnd {
    Closed,
    TooLong,
}

/// Cuts the socket's data into lines.
pub(super) struct LineReader {
    reader: OwnedReadHalf,
    pending: Vec<u8>,
    searched: usize,
    longest: usize,
}

impl LineReader {
    pub(super) fn new(reader: OwnedReadHalf, longest: usize) -> Self {
        Self { reader, pending: Vec::new(), searched: 0, longest }
    }

    /// The next line without its end. Cancel-safe.
    pub(super) async fn next(&mut self) -> Result<Vec<u8>, LinesEnd> {
        loop {
            if let Some(at) = memchr(b'\n', &self.pending[self.searched..]) {
                let rest = self.pending.split_off(self.searched + at + 1);
                let mut line = std::mem::replace(&mut self.pending, rest);
                line.pop();
                self.searched = 0;
                return Ok(line);
            }
            self.searched = self.pending.len();
            if self.searched > self.longest {
                return Err(LinesEnd::TooLong);
            }
            match self.reader.read_buf(&mut self.pending).await {
                Ok(0) | Err(_) => return Err(LinesEnd::Closed),
                Ok(_) => {}
            }
        }
    }
}
