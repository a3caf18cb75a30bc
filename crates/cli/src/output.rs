//! Output and exit status of commands.

use std::fmt;
use std::io::{self, BufWriter, ErrorKind, Write};

use anstream::{AutoStream, ColorChoice};

/// Bytes of the output buffer.
const BUFFER: usize = 64 * 1024;

/// The outcome of a command that ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitOutcome {
    Fine,
    Findings,
    /// Built, without the tools that have errors: exit 3.
    Partial,
}

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Wrong usage or configuration: exit 2.
    Usage(String),
    /// A failure: exit 1.
    Failed(String),
}

impl Failure {
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Failed(_) => 1,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Usage(message) | Self::Failed(message)) = self;
        write!(f, "error: {message}")
    }
}

/// Whether stdout is still read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StdoutReader {
    There,
    Left,
}

/// Prints data. A reader that left early is no error; a full disk is.
pub(crate) fn data(text: &str) -> Result<(), Failure> {
    offer(text).map(drop)
}

/// Prints data; returns whether stdout is still read.
pub(crate) fn offer(text: &str) -> Result<StdoutReader, Failure> {
    reader(writeln!(anstream::stdout().lock(), "{text}"))
}

/// Prints many texts, each on separate lines, through one buffer.
pub(crate) fn data_all(texts: impl IntoIterator<Item = String>) -> Result<(), Failure> {
    let stdout = io::stdout().lock();
    let colours = AutoStream::choice(&stdout);
    reader(write_all(stdout, colours, texts)).map(drop)
}

/// Writes texts through one buffer. Colours are removed first, because the filter would write every
/// piece between them separately.
fn write_all(
    to: impl Write,
    colours: ColorChoice,
    texts: impl IntoIterator<Item = String>,
) -> io::Result<()> {
    let mut buffered = BufWriter::with_capacity(BUFFER, to);
    for text in texts {
        let mut shown = AutoStream::new(Vec::new(), colours);
        writeln!(shown, "{text}")?;
        buffered.write_all(&shown.into_inner())?;
    }
    buffered.flush()
}

/// The result of writing to stdout.
pub(crate) fn reader(written: io::Result<()>) -> Result<StdoutReader, Failure> {
    match written {
        Ok(()) => Ok(StdoutReader::There),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(StdoutReader::Left),
        Err(error) => Err(Failure::Failed(format!("stdout cannot be written: {error}"))),
    }
}

/// Untrusted text with terminal control characters escaped.
pub(crate) fn tame(text: &str) -> String {
    let steers = |c: char| {
        c.is_control()
            || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
            || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
    };
    let tamed = |c: char| if steers(c) { c.escape_unicode().collect() } else { c.to_string() };
    text.chars().map(tamed).collect()
}

/// Prints a message to stderr.
pub(crate) fn talk(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// Prints many messages to stderr, each on separate lines, through one buffer.
pub(crate) fn talk_all(texts: impl IntoIterator<Item = String>) {
    let stderr = io::stderr().lock();
    let colours = AutoStream::choice(&stderr);
    let _ = write_all(stderr, colours, texts);
}

/// `1 tool`, `2 tools`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
#[path = "output_tests.rs"]
mod tests;
