//! `aileron chat`: the agent in a terminal, with all policies.

mod editor;
mod json;
mod lines;
mod screen;
mod session;

use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use aileron_agent::{ConfirmationAnswer, EventStream, TurnEvent, TurnStream};
use aileron_contract::envelope::ConfirmationRequest;
use futures_util::{FutureExt, StreamExt};
use tokio::time::timeout;

use self::lines::{InputLine, Lines, Prompt};
use self::screen::Screen;
use self::session::ChatSession;
use crate::args::ChatArgs;
use crate::installation;
use crate::output::{self, ExitOutcome, Failure, tame};
use crate::settings::Settings;
use crate::toolset::{Purpose, ToolsetSource};
use crate::writer;

const NOBODY: &str = "no person at the terminal can approve it; give each message and each answer as a line of stdin";
const STOPPED: &str = "stopped";
const WAITING: &str = "what cannot stop half way is waited for (Ctrl-C again leaves it)";
const LEFT: &str = "stopped while calls were running; their outcomes are unknown";

/// Delay before the message that calls are still running; most end immediately.
const SOON: Duration = Duration::from_millis(200);

/// The name of the history file of a terminal.
const HISTORY: &str = "chat_history";

/// The most bytes of one message on stdin.
const MOST_BYTES: u64 = 1 << 20;

pub(crate) fn run(args: &ChatArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    let settings = Settings::load(config)?;
    let (provider, model) = (args.provider.as_deref(), args.model.as_deref());
    let writer = settings.text.text_model(provider, model, writer::variable)?;
    let (text, source) = ToolsetSource::of(&args.source, &settings).text(Purpose::Run)?;
    let registry =
        installation::registry(&text, &source, &settings.handlers, &settings.server.tools)?;
    let message = args.message.as_deref().map(message).transpose()?;
    let history = history(args, &settings);
    let runtime = installation::runtime()?;
    let outcome = runtime.block_on(async {
        let session = ChatSession::open(args, &settings, (registry, &text), writer).await?;
        let mut chat = Chat {
            screen: Screen::new(args.json),
            lines: Lines::open(message.is_some(), history.as_deref())?,
            session: &session,
        };
        let outcome = chat.hold(message).await;
        session.flush().await?;
        outcome
    });
    // A call that exceeded its deadline is not awaited.
    runtime.shutdown_background();
    outcome
}

/// The history file beside the store; none for a store in memory.
fn history(args: &ChatArgs, settings: &Settings) -> Option<PathBuf> {
    let store = args.store.as_ref().unwrap_or(&settings.store.path);
    (!args.memory).then(|| store.with_file_name(HISTORY))
}

/// The message of the command line, or all of stdin.
fn message(given: &str) -> Result<String, Failure> {
    if given != "-" {
        return Ok(given.to_owned());
    }
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(MOST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::Usage(format!("stdin cannot be read: {error}")))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Failure::Usage(format!(
            "expected at most {MOST_BYTES} bytes on stdin, found more"
        )));
    }
    String::from_utf8(bytes)
        .map_err(|_| Failure::Usage("expected UTF-8 on stdin, found other bytes".to_owned()))
}

/// A conversation at a terminal or in a pipe.
struct Chat<'a> {
    session: &'a ChatSession,
    screen: Screen,
    lines: Lines,
}

/// How an answer ended.
#[derive(Debug, Default)]
struct AnswerEnd {
    failed: bool,
    stopped: bool,
    questions: Vec<ConfirmationRequest>,
}

impl Chat<'_> {
    async fn hold(&mut self, message: Option<String>) -> Result<ExitOutcome, Failure> {
        if let Some(message) = message {
            return self.turn(message).await;
        }
        let mut outcome = ExitOutcome::Fine;
        loop {
            match self.lines.ask(Prompt::Message).await {
                InputLine::Said(line) if line.trim().is_empty() => {}
                InputLine::Said(line) => outcome = self.turn(line).await?,
                InputLine::End | InputLine::Interrupted => return Ok(outcome),
            }
        }
    }

    /// One message, its answer, and its confirmations. No call is left running at its end.
    async fn turn(&mut self, message: String) -> Result<ExitOutcome, Failure> {
        let outcome = self.exchange(message).await;
        self.settle().await?;
        outcome
    }

    async fn exchange(&mut self, message: String) -> Result<ExitOutcome, Failure> {
        if message.trim().is_empty() {
            return Err(Failure::Usage("expected words in the message, found none".to_owned()));
        }
        let behind = self.session.watch();
        let answering = self.session.say(message).await?;
        let mut answered = self.read(answering, behind).await?;
        while !answered.questions.is_empty() {
            let Some(decisions) = self.decide(std::mem::take(&mut answered.questions)).await else {
                break;
            };
            let behind = self.session.watch();
            let answering = self.session.confirm(decisions).await?;
            answered = self.read(answering, behind).await?;
        }
        Ok(if answered.failed || answered.stopped {
            ExitOutcome::Findings
        } else {
            ExitOutcome::Fine
        })
    }

    /// Prints an answer as it arrives, and messages for the maintainers of tools. Ctrl-C stops it.
    async fn read(
        &mut self,
        mut answering: TurnStream,
        mut behind: EventStream,
    ) -> Result<AnswerEnd, Failure> {
        let mut answered = AnswerEnd::default();
        loop {
            let event = tokio::select! {
                biased;
                () = self.lines.interrupted() => {
                    self.screen.end_line()?;
                    output::talk(STOPPED);
                    return Ok(AnswerEnd { stopped: true, ..AnswerEnd::default() });
                }
                event = answering.next() => event,
                Some(happened) = behind.next() => {
                    self.screen.show_behind(&happened)?;
                    continue;
                }
            };
            let Some(event) = event else {
                while let Some(Some(happened)) = behind.next().now_or_never() {
                    self.screen.show_behind(&happened)?;
                }
                return Ok(answered);
            };
            answered.failed |= matches!(event, TurnEvent::Failed(_));
            if let TurnEvent::Asked { request, .. } = &event {
                answered.questions.push((**request).clone());
            }
            self.screen.show(event)?;
        }
    }

    /// Waits for calls that continue after an answer was stopped. Ctrl-C quits.
    async fn settle(&mut self) -> Result<(), Failure> {
        let session = self.session;
        let settled = session.settled();
        tokio::pin!(settled);
        if timeout(SOON, &mut settled).await.is_ok() {
            return Ok(());
        }
        output::talk(WAITING);
        tokio::select! {
            () = &mut settled => Ok(()),
            () = self.lines.interrupted() => Err(Failure::Failed(LEFT.to_owned())),
        }
    }

    /// Asks the person about each confirmation; none if stdin has no person.
    async fn decide(
        &mut self,
        questions: Vec<ConfirmationRequest>,
    ) -> Option<Vec<ConfirmationAnswer>> {
        let mut decisions = Vec::new();
        for request in questions {
            if !self.lines.has_person() {
                output::talk(NOBODY);
                return None;
            }
            let preview = format!("{} asks: {}", request.tool, tame(&request.preview));
            output::talk(&preview);
            let approve = match self.lines.ask(Prompt::Approval).await {
                InputLine::Said(line) => is_yes(&line),
                InputLine::End | InputLine::Interrupted => false,
            };
            decisions.push(ConfirmationAnswer { token: request.token, approve });
        }
        Some(decisions)
    }
}

fn is_yes(line: &str) -> bool {
    matches!(line.trim().to_lowercase().as_str(), "y" | "yes")
}

/// Whether stdin is a terminal.
fn at_terminal() -> bool {
    io::stdin().is_terminal()
}
