//! What the person types, line by line, and Ctrl-C.

use std::io::{self, BufRead, Write};
use std::thread;

use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::at_terminal;
use crate::interrupt::{self, CtrlC};
use crate::output::{self, Failure, tame};

/// The most bytes of one line.
const MOST_BYTES: u64 = 1 << 20;

/// What came of asking for a line.
pub(super) enum Line {
    Said(String),
    End,
    Interrupted,
}

/// Where lines come from.
#[derive(Debug)]
enum Source {
    Terminal(Asker),
    Pipe(Asker),
    /// The message came with the command, and nobody is at stdin.
    Nobody,
}

/// A thread that reads a line whenever it is asked to: reading cannot be called off.
#[derive(Debug)]
struct Asker {
    wanted: Sender<()>,
    lines: Receiver<Option<String>>,
    /// Whether a line was asked for and has not come.
    is_asked: bool,
}

#[derive(Debug)]
pub(super) struct Lines {
    source: Source,
    ctrl_c: CtrlC,
}

impl Lines {
    /// With a message of its own, a command that has no terminal asks nobody.
    pub(super) fn open(has_message: bool) -> Result<Self, Failure> {
        let source = match (at_terminal(), has_message) {
            (true, _) => Source::Terminal(Asker::start()),
            (false, false) => Source::Pipe(Asker::start()),
            (false, true) => Source::Nobody,
        };
        Ok(Self { source, ctrl_c: interrupt::ctrl_c()? })
    }

    pub(super) fn has_person(&self) -> bool {
        !matches!(self.source, Source::Nobody)
    }

    /// Asks for a line. In a pipe, what was read is shown after the prompt, as a terminal would.
    pub(super) async fn ask(&mut self, prompt: &str) -> Line {
        let (asker, echoes) = match &mut self.source {
            Source::Terminal(asker) => (asker, false),
            Source::Pipe(asker) => (asker, true),
            Source::Nobody => return Line::End,
        };
        let _ = write!(anstream::stderr().lock(), "{}", if echoes { "" } else { prompt });
        tokio::select! {
            line = asker.line() => match line {
                Some(line) => {
                    if echoes {
                        output::talk(&format!("{prompt}{}", tame(&line)));
                    }
                    Line::Said(line)
                }
                None => Line::End,
            },
            _ = self.ctrl_c.recv() => {
                output::talk("");
                Line::Interrupted
            }
        }
    }

    /// Waits for Ctrl-C.
    pub(super) async fn interrupted(&mut self) {
        self.ctrl_c.recv().await;
    }
}

impl Asker {
    fn start() -> Self {
        let (wanted, mut asked) = channel::<()>(1);
        let (sender, lines) = channel(1);
        thread::spawn(move || {
            while asked.blocking_recv().is_some() {
                let line = read();
                let is_end = line.is_none();
                if sender.blocking_send(line).is_err() || is_end {
                    return;
                }
            }
        });
        Self { wanted, lines, is_asked: false }
    }

    async fn line(&mut self) -> Option<String> {
        if !self.is_asked {
            self.wanted.send(()).await.ok()?;
            self.is_asked = true;
        }
        let line = self.lines.recv().await.flatten();
        self.is_asked = false;
        line
    }
}

fn read() -> Option<String> {
    let mut bytes = Vec::new();
    let stdin = io::stdin().lock();
    match io::Read::take(stdin, MOST_BYTES).read_until(b'\n', &mut bytes) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned()),
    }
}
