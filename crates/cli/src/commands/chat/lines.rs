//! Input lines and Ctrl-C.

use std::io::{self, BufRead};
use std::path::Path;
use std::thread;

use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::at_terminal;
use super::editor::LineEditor;
use crate::interrupt::{self, CtrlC};
use crate::output::{self, Failure, tame};

/// The most bytes of one line.
const MOST_BYTES: u64 = 1 << 20;

/// The purpose of the line that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prompt {
    Message,
    /// An answer to a confirmation.
    Approval,
}

impl Prompt {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Message => "> ",
            Self::Approval => "Approve? [y/N] ",
        }
    }
}

/// The result of reading a line.
#[derive(Debug)]
pub(super) enum InputLine {
    Said(String),
    End,
    Interrupted,
}

/// The source of lines.
#[derive(Debug)]
enum LineSource {
    Terminal(LineReader),
    Pipe(LineReader),
    /// The message was an argument, and stdin is no terminal.
    Nobody,
}

/// A thread that reads a line on request, because reading cannot be cancelled.
#[derive(Debug)]
struct LineReader {
    wanted: Sender<Prompt>,
    lines: Receiver<InputLine>,
    /// Whether a line was requested and has not arrived.
    is_asked: bool,
}

#[derive(Debug)]
pub(super) struct Lines {
    source: LineSource,
    ctrl_c: CtrlC,
}

impl Lines {
    /// With a message argument and without a terminal, no line is read. At a terminal, lines can be
    /// edited, and messages are stored in the history file, if there is one.
    pub(super) fn open(has_message: bool, history: Option<&Path>) -> Result<Self, Failure> {
        let source = match (at_terminal(), has_message) {
            (true, _) => {
                let mut editor = LineEditor::open(history)?;
                LineSource::Terminal(LineReader::start(move |prompt| editor.ask(prompt)))
            }
            (false, false) => LineSource::Pipe(LineReader::start(|_| read())),
            (false, true) => LineSource::Nobody,
        };
        Ok(Self { source, ctrl_c: interrupt::ctrl_c()? })
    }

    pub(super) fn has_person(&self) -> bool {
        !matches!(self.source, LineSource::Nobody)
    }

    /// Reads a line. In a pipe, the line is printed after the prompt, as on a terminal.
    pub(super) async fn ask(&mut self, prompt: Prompt) -> InputLine {
        let (asker, echoes) = match &mut self.source {
            LineSource::Terminal(asker) => (asker, false),
            LineSource::Pipe(asker) => (asker, true),
            LineSource::Nobody => return InputLine::End,
        };
        tokio::select! {
            line = asker.line(prompt) => {
                if let (true, InputLine::Said(line)) = (echoes, &line) {
                    output::talk(&format!("{}{}", prompt.text(), tame(line)));
                }
                line
            }
            _ = self.ctrl_c.recv() => {
                output::talk("");
                InputLine::Interrupted
            }
        }
    }

    /// Waits for Ctrl-C.
    pub(super) async fn interrupted(&mut self) {
        self.ctrl_c.recv().await;
    }
}

impl LineReader {
    fn start(mut read: impl FnMut(Prompt) -> InputLine + Send + 'static) -> Self {
        let (wanted, mut asked) = channel::<Prompt>(1);
        let (sender, lines) = channel(1);
        thread::spawn(move || {
            while let Some(prompt) = asked.blocking_recv() {
                if sender.blocking_send(read(prompt)).is_err() {
                    return;
                }
            }
        });
        Self { wanted, lines, is_asked: false }
    }

    async fn line(&mut self, prompt: Prompt) -> InputLine {
        if !self.is_asked && self.wanted.send(prompt).await.is_err() {
            return InputLine::End;
        }
        self.is_asked = true;
        let line = self.lines.recv().await.unwrap_or(InputLine::End);
        self.is_asked = false;
        line
    }
}

fn read() -> InputLine {
    let mut bytes = Vec::new();
    let stdin = io::stdin().lock();
    match io::Read::take(stdin, MOST_BYTES).read_until(b'\n', &mut bytes) {
        Ok(0) | Err(_) => InputLine::End,
        Ok(_) => {
            let line = String::from_utf8_lossy(&bytes);
            InputLine::Said(line.trim_end_matches(['\n', '\r']).to_owned())
        }
    }
}
