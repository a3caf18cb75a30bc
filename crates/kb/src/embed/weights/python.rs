//! The Python of this machine, which brings the client of the package registry and reads
//! the archives it gets.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::process::{Command, Output, Stdio};

/// How Python is started.
#[derive(Debug, Clone)]
pub(super) struct Python {
    pub(super) program: String,
    pub(super) options: Vec<&'static str>,
    pub(super) environment: Vec<(&'static str, String)>,
}

/// Why a Python program failed.
#[derive(Debug)]
pub(super) enum PythonFault {
    /// It could not be started.
    Start(io::Error),
    /// It ended with a failure; this is the end of its output.
    Said(String),
}

/// Characters of a program's output that an error repeats.
const SAID: usize = 600;

impl Python {
    /// Under the names that it has on one system or another.
    pub(super) fn candidates() -> Vec<Self> {
        let named = |program: &str| Self {
            program: program.to_owned(),
            options: Vec::new(),
            environment: Vec::new(),
        };
        vec![named("python3"), named("python")]
    }

    /// Runs a module with these arguments until it ends.
    pub(super) fn run<A: AsRef<OsStr>>(
        &self,
        module: &str,
        args: impl IntoIterator<Item = A>,
    ) -> Result<(), PythonFault> {
        let output = Command::new(&self.program)
            .args(&self.options)
            .args(["-m", module])
            .args(args)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .output();
        match output {
            Ok(output) if output.status.success() => Ok(()),
            Ok(output) => Err(PythonFault::Said(said(&output))),
            Err(error) => Err(PythonFault::Start(error)),
        }
    }
}

/// The last lines of the error stream on one line; without any, how the program ended.
fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    if text.is_empty() {
        return output.status.to_string();
    }
    let start = text.len().saturating_sub(SAID);
    let start = (start..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text[start..].to_owned()
}

impl fmt::Display for PythonFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(error) => error.fmt(f),
            Self::Said(said) => f.write_str(said),
        }
    }
}
