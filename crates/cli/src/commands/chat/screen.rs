//! Prints an answer: the agent's text on stdout, its actions on stderr.

use std::io::Write;

use aileron_agent::citation::CitationSource;
use aileron_agent::{TurnEvent, TurnOutcome};
use aileron_contract::ToolResponse;
use aileron_orchestrator::ConversationEvent as Happened;
use aileron_orchestrator::state::StateEffect;
use serde_json::Value;

use super::json;
use crate::output::{self, Failure, StdoutReader, count, tame};

/// Maximum characters of a call's arguments or result.
const MOST_CHARACTERS: usize = 160;

/// The screen, or the pipe.
#[derive(Debug)]
pub(super) struct Screen {
    is_json: bool,
    /// Whether the last line is unfinished.
    in_line: bool,
}

impl Screen {
    pub(super) fn new(is_json: bool) -> Self {
        Self { is_json, in_line: false }
    }

    pub(super) fn show(&mut self, event: TurnEvent) -> Result<(), Failure> {
        if self.is_json {
            return output::data(&json::line(&event).to_string());
        }
        match event {
            TurnEvent::Text(text) => self.say(&text),
            TurnEvent::StepEnded | TurnEvent::Finished(TurnOutcome::Answered) => self.end_line(),
            event => {
                let Some(line) = line(event) else { return Ok(()) };
                self.end_line()?;
                output::talk(&line);
                Ok(())
            }
        }
    }

    /// Prints the console output and the defects of a handler.
    pub(super) fn show_behind(&mut self, happened: &Happened) -> Result<(), Failure> {
        let Some(line) = json::behind(happened) else { return Ok(()) };
        if self.is_json {
            return output::data(&line.to_string());
        }
        self.end_line()?;
        happened.line().iter().for_each(|line| output::talk(&format!("  {}", tame(line))));
        Ok(())
    }

    /// Ends an unfinished line.
    pub(super) fn end_line(&mut self) -> Result<(), Failure> {
        match std::mem::take(&mut self.in_line) {
            true => output::data(""),
            false => Ok(()),
        }
    }

    fn say(&mut self, text: &str) -> Result<(), Failure> {
        let lines: Vec<_> = text.split('\n').map(tame).collect();
        let mut stdout = anstream::stdout().lock();
        let written = write!(stdout, "{}", lines.join("\n")).and_then(|()| stdout.flush());
        self.in_line = !text.ends_with('\n');
        match output::reader(written)? {
            StdoutReader::There | StdoutReader::Left => Ok(()),
        }
    }
}

/// The line for an event, if it has one.
fn line(event: TurnEvent) -> Option<String> {
    Some(match event {
        TurnEvent::Called { tool_id, args, .. } => format!("  {} {}", tame(&tool_id), short(&args)),
        TurnEvent::Progress { update, .. } => format!("  … {}", short(&update)),
        TurnEvent::Partial { data, .. } => format!("  … {}", short(&data)),
        TurnEvent::Message { message, .. } => format!("  for you: {}", shown(&message)),
        TurnEvent::Answered { tool_id, answer, .. } => {
            format!("  {}: {}", tame(&tool_id), result(&answer))
        }
        TurnEvent::NotConfirmed { why, .. } => format!("  that does not count: {why}"),
        TurnEvent::Effect(effect) => effect_line(effect)?,
        TurnEvent::Sources(sources) => sources.iter().map(source).collect::<Vec<_>>().join("\n"),
        TurnEvent::Finished(TurnOutcome::Length) => {
            "(the answer was cut off at its longest length)".to_owned()
        }
        TurnEvent::Finished(TurnOutcome::Withheld) => {
            "(the provider withheld the answer)".to_owned()
        }
        TurnEvent::Failed(failed) => format!("error: {failed} ({})", tame(&failed.detail)),
        TurnEvent::Began { .. }
        | TurnEvent::StepBegan { .. }
        | TurnEvent::Text(_)
        | TurnEvent::Reasoning(_)
        | TurnEvent::CallBegun { .. }
        | TurnEvent::Started { .. }
        | TurnEvent::Task { .. }
        | TurnEvent::Asked { .. }
        | TurnEvent::DecidedBefore { .. }
        | TurnEvent::StepEnded
        | TurnEvent::Finished(TurnOutcome::Answered | TurnOutcome::StepLimit)
        | TurnEvent::Usage(_) => return None,
    })
}

fn short(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut shown: String = text.chars().take(MOST_CHARACTERS).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    tame(&shown)
}

/// Client messages as text; the URL of an image in full, so that it can be opened.
fn shown(message: &Value) -> String {
    let text = |name: &str| message.get(name).and_then(Value::as_str);
    let told = match text("type") {
        Some("image") => text("url").zip(message.get("caption")).map(|(url, caption)| {
            let (caption, url) = (short(caption), tame(url));
            format!("{caption} {url}")
        }),
        Some("timeout") => message
            .get("farewellMessage")
            .zip(message.get("durationSeconds"))
            .map(|(farewell, seconds)| format!("{} (blocked for {seconds} s)", short(farewell))),
        _ => None,
    };
    told.unwrap_or_else(|| short(message))
}

fn result(answer: &ToolResponse) -> String {
    match answer {
        ToolResponse::Success { data, .. } => match data.get("results").and_then(Value::as_array) {
            Some(results) => count(results.len(), "result"),
            None => short(data),
        },
        ToolResponse::Failure { error, .. } => {
            format!("{}: {}", error.kind.as_str(), tame(&error.message))
        }
    }
}

fn source(source: &CitationSource) -> String {
    let url = source.url.as_deref().map(|url| format!(" {url}")).unwrap_or_default();
    tame(&format!("  [{}] {}{url}", source.id, source.title))
}

fn effect_line(effect: StateEffect) -> Option<String> {
    match effect {
        StateEffect::StartVoice => Some("  (the page would start voice here)".to_owned()),
        StateEffect::BlockUser { .. } => Some("  (you are blocked for a while)".to_owned()),
        StateEffect::EndVoice { .. } => Some("  (the voice session would end here)".to_owned()),
        StateEffect::Nothing
        | StateEffect::SuppressAudio { .. }
        | StateEffect::SuppressTranscript { .. } => None,
    }
}
