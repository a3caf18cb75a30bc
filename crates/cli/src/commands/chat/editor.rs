//! Reads lines from a terminal, with editing and history.

use std::fs;
use std::path::{Path, PathBuf};

use rustyline::Editor;
use rustyline::config::{Behavior, Config};
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;

use super::lines::{InputLine, Prompt};
use crate::output::{self, Failure};

/// The most messages that are kept.
const MOST: usize = 1000;

/// A line that consists of one of these words ends the conversation.
const ENDS: [&str; 4] = ["exit", "quit", "/exit", "/quit"];

/// Reads lines from the terminal, also if stdout is redirected.
pub(super) struct LineEditor {
    editor: Editor<(), FileHistory>,
    /// The history file, if there is one.
    history: Option<PathBuf>,
}

impl LineEditor {
    /// Reads the lines typed in earlier conversations. A history file that cannot be read is ignored.
    pub(super) fn open(history: Option<&Path>) -> Result<Self, Failure> {
        let config = Config::builder().behavior(Behavior::PreferTerm).auto_add_history(false);
        let config = config.max_history_size(MOST).and_then(|it| it.history_ignore_dups(true));
        let config = config.map_err(unusable)?.build();
        let mut editor: Editor<(), FileHistory> = Editor::with_config(config).map_err(unusable)?;
        if let Some(file) = history.filter(|file| file.exists())
            && let Err(error) = editor.load_history(file)
        {
            output::talk(&format!("the history in `{}` cannot be read: {error}", file.display()));
        }
        Ok(Self { editor, history: history.map(Path::to_owned) })
    }

    pub(super) fn ask(&mut self, prompt: Prompt) -> InputLine {
        match self.editor.readline(prompt.text()) {
            Ok(line) if prompt == Prompt::Message && ends(&line) => InputLine::End,
            Ok(line) => {
                self.keep(prompt, &line);
                InputLine::Said(line)
            }
            Err(ReadlineError::Interrupted) => InputLine::Interrupted,
            Err(ReadlineError::Eof) => InputLine::End,
            Err(error) => {
                output::talk(&format!("the terminal cannot be read: {error}"));
                InputLine::End
            }
        }
    }

    /// Adds a message to the history file immediately, so that none is lost. Answers to
    /// confirmations are not added.
    fn keep(&mut self, prompt: Prompt, line: &str) {
        if prompt == Prompt::Approval || line.trim().is_empty() {
            return;
        }
        let is_fresh = self.editor.add_history_entry(line).unwrap_or(false);
        let Some(file) = self.history.as_ref().filter(|_| is_fresh) else { return };
        let _ = file.parent().map(fs::create_dir_all);
        if let Err(error) = self.editor.append_history(file) {
            output::talk(&format!("the history is not kept in `{}`: {error}", file.display()));
            self.history = None;
        }
    }
}

fn ends(line: &str) -> bool {
    ENDS.iter().any(|word| line.trim().eq_ignore_ascii_case(word))
}

fn unusable(error: ReadlineError) -> Failure {
    Failure::Failed(format!("the terminal cannot be used: {error}"))
}
