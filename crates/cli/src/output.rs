//! Where things are printed, and how a command ends.

use std::fmt;
use std::io::{ErrorKind, Write};

/// How a command that did its work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Fine,
    Findings,
}

/// Why a command could not do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What was asked for cannot be: exit 2.
    Usage(String),
    /// It was asked for rightly and did not work: exit 1.
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

/// Prints data. A reader that left early is no error; a full disk is.
pub(crate) fn data(text: &str) -> Result<(), Failure> {
    match writeln!(anstream::stdout().lock(), "{text}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Failed(format!("stdout cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints talk.
pub(crate) fn talk(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// `1 tool`, `2 tools`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
