//! The standard output and standard error of a worker, as log.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use aileron_capability::secrets::Masks;
use tokio::io::{AsyncRead, AsyncReadExt};

/// Bytes of output that are logged in each period; the rest is dropped and counted.
const LOGGED: usize = 64 << 10;
const PERIOD: Duration = Duration::from_secs(1);
const LONGEST_LINE: usize = 4096;
const REMEMBERED: usize = 5;

/// The last lines of output, for the reason of an unexpected end.
#[derive(Debug, Clone, Default)]
pub(crate) struct LastLines(Arc<Mutex<VecDeque<String>>>);

impl LastLines {
    fn add(&self, line: &str) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == REMEMBERED {
            lines.pop_front();
        }
        lines.push_back(line.to_owned());
    }

    pub(crate) fn text(&self) -> String {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().map(String::as_str).collect::<Vec<_>>().join("\n")
    }
}

/// Logs a stream to its end. A process that writes without end costs no memory.
pub(crate) async fn log(
    mut stream: impl AsyncRead + Unpin,
    runtime: &'static str,
    masks: Arc<Masks>,
    last: LastLines,
) {
    let (line, began) = (Vec::new(), Instant::now());
    let mut log = OutputLog { runtime, masks, last, line, began, logged: 0, dropped: 0 };
    let mut buffer = vec![0; 16 << 10];
    while let Ok(read) = stream.read(&mut buffer).await
        && read > 0
    {
        log.add(&buffer[..read]);
    }
    log.end_line();
    log.report_dropped();
}

struct OutputLog {
    runtime: &'static str,
    masks: Arc<Masks>,
    last: LastLines,
    line: Vec<u8>,
    began: Instant,
    logged: usize,
    dropped: usize,
}

impl OutputLog {
    fn add(&mut self, bytes: &[u8]) {
        if self.began.elapsed() >= PERIOD {
            self.report_dropped();
            (self.began, self.logged) = (Instant::now(), 0);
        }
        let room = LOGGED.saturating_sub(self.logged);
        let (kept, dropped) = bytes.split_at(room.min(bytes.len()));
        self.logged += kept.len();
        self.dropped += dropped.len();
        for byte in kept {
            if *byte == b'\n' || self.line.len() >= LONGEST_LINE {
                self.end_line();
            }
            if *byte != b'\n' {
                self.line.push(*byte);
            }
        }
    }

    fn end_line(&mut self) {
        let line = String::from_utf8_lossy(&self.line);
        let line = self.masks.text(line.trim_end()).into_owned();
        self.line.clear();
        if !line.is_empty() {
            tracing::info!(runtime = self.runtime, line, "Handler output.");
            self.last.add(&line);
        }
    }

    fn report_dropped(&mut self) {
        let dropped = std::mem::take(&mut self.dropped);
        if dropped > 0 {
            tracing::warn!(runtime = self.runtime, dropped, "Handler output was dropped.");
        }
    }
}
