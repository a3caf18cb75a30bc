//! Records every event, as lines that a script can name.

use std::sync::Mutex;
use std::time::Duration;

use aileron_contract::ConversationId;
use aileron_orchestrator::state::StateEffect;
use aileron_orchestrator::{ConfirmationOutcome, ConversationEvent, EventSource, Observer};
use tokio::sync::watch;

/// Time limit for an event on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(20);

/// An observer that records events.
#[derive(Debug, Default)]
pub struct RecordingObserver {
    lines: watch::Sender<Vec<String>>,
    events: Mutex<Vec<(ConversationId, ConversationEvent)>>,
}

impl Observer for RecordingObserver {
    fn on_event(&self, source: EventSource<'_>, event: ConversationEvent) {
        let line = line(&event);
        self.events.lock().unwrap().push((source.conversation.clone(), event));
        self.lines.send_modify(|lines| lines.extend(line));
    }
}

impl RecordingObserver {
    /// The first line from `after` on that contains the text, waits for it if necessary.
    pub async fn find(&self, after: usize, text: &str) -> Result<usize, Vec<String>> {
        let found = |lines: &Vec<String>| {
            let position = lines.iter().skip(after).position(|line| line.contains(text));
            position.map(|at| after + at)
        };
        let mut lines = self.lines.subscribe();
        let waiting = lines.wait_for(|lines| found(lines).is_some());
        match tokio::time::timeout(TIMEOUT, waiting).await {
            Ok(Ok(lines)) => Ok(found(&lines).unwrap_or(after)),
            _ => Err(self.lines.borrow().iter().skip(after).cloned().collect()),
        }
    }

    /// How many lines contain the text.
    pub fn count(&self, text: &str) -> usize {
        self.lines.borrow().iter().filter(|line| line.contains(text)).count()
    }

    /// All events, as lines.
    pub fn lines(&self) -> Vec<String> {
        self.lines.borrow().clone()
    }

    /// All events with their conversations.
    pub fn events(&self) -> Vec<(ConversationId, ConversationEvent)> {
        self.events.lock().unwrap().clone()
    }

    /// All events in full, to search for values that should be redacted. A defect report is for the
    /// maintainers of a tool and may quote data if the tool has no `redact`.
    pub fn full(&self, hides: impl Fn(&str) -> bool) -> String {
        let is_told = |event: &ConversationEvent| match event {
            ConversationEvent::Defect { tool, .. } => hides(tool),
            _ => true,
        };
        let events = self.events();
        let told = events.iter().filter(|(_, event)| is_told(event));
        told.map(|(_, event)| format!("{event:?}\n")).collect()
    }
}

/// An event as a line; none for a decision and for changes of the conversation, whose effects have lines.
fn line(event: &ConversationEvent) -> Option<String> {
    Some(match event {
        ConversationEvent::Began { .. }
        | ConversationEvent::ModeChanged { .. }
        | ConversationEvent::Ended { .. }
        | ConversationEvent::TurnBegan { .. }
        | ConversationEvent::Retrying { .. }
        | ConversationEvent::Decided(_) => return None,
        ConversationEvent::Started { call_id, tool } => format!("started {call_id} {tool}"),
        ConversationEvent::Progress { call_id, update } => format!("progress {call_id} {update}"),
        ConversationEvent::Partial { call_id, index, data } => {
            format!("partial {call_id} {index} {data}")
        }
        ConversationEvent::Task { call_id, status, .. } => format!("task {call_id} {status}"),
        ConversationEvent::Answered { outcome, answer } => {
            format!("answered {} {outcome}", answer.meta().call_id)
        }
        ConversationEvent::ConfirmationRequested(request) => format!("asked: {}", request.preview),
        ConversationEvent::ConfirmationRepeated { preview } => format!("asked again: {preview}"),
        ConversationEvent::ConfirmationClosed { how, .. } => format!("question {}", closed(*how)),
        ConversationEvent::Message { call_id, message } => format!("message {call_id} {message}"),
        ConversationEvent::Note { call_id, event, details } => {
            format!("note {call_id} {event} {details}")
        }
        ConversationEvent::Log { call_id, text, .. } => format!("log {call_id} {text}"),
        ConversationEvent::Effect(effect) => format!("effect {}", effect_words(*effect)),
        ConversationEvent::IntentRefused { call_id, why, .. } => {
            format!("intent refused {call_id}: {why}")
        }
        ConversationEvent::Defect { call_id, tool, what } => {
            format!("defect {call_id} {tool}: {what}")
        }
    })
}

fn closed(how: ConfirmationOutcome) -> &'static str {
    match how {
        ConfirmationOutcome::Approved => "approved",
        ConfirmationOutcome::Declined => "declined",
        ConfirmationOutcome::Expired => "expired",
        ConfirmationOutcome::Superseded => "superseded",
    }
}

fn effect_words(effect: StateEffect) -> String {
    match effect {
        StateEffect::Nothing => "nothing".to_owned(),
        StateEffect::StartVoice => "start voice".to_owned(),
        StateEffect::EndVoice { after } => format!("end voice {after:?}"),
        StateEffect::SuppressAudio { value } => format!("suppress audio {value}"),
        StateEffect::SuppressTranscript { value } => format!("suppress transcript {value}"),
        StateEffect::BlockUser { until } => format!("block until {until}"),
    }
}
