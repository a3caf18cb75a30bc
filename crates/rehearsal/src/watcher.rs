//! Everything the audience is told, as lines that a script can name.

use std::sync::Mutex;
use std::time::Duration;

use aileron_contract::ConversationId;
use aileron_orchestrator::state::Effect;
use aileron_orchestrator::{Audience, Closed, Event};
use tokio::sync::watch;

/// How long an event may take on a busy machine before it counts as missing.
const PATIENCE: Duration = Duration::from_secs(20);

/// An audience that remembers.
#[derive(Debug, Default)]
pub struct Watcher {
    lines: watch::Sender<Vec<String>>,
    events: Mutex<Vec<(ConversationId, Event)>>,
}

impl Audience for Watcher {
    fn see(&self, conversation: &ConversationId, event: Event) {
        let line = line(&event);
        self.events.lock().unwrap().push((conversation.clone(), event));
        self.lines.send_modify(|lines| lines.push(line));
    }
}

impl Watcher {
    /// The first line from `after` on that contains the text, waiting for it if need be.
    pub async fn find(&self, after: usize, text: &str) -> Result<usize, Vec<String>> {
        let found = |lines: &Vec<String>| {
            let position = lines.iter().skip(after).position(|line| line.contains(text));
            position.map(|at| after + at)
        };
        let mut lines = self.lines.subscribe();
        let waiting = lines.wait_for(|lines| found(lines).is_some());
        match tokio::time::timeout(PATIENCE, waiting).await {
            Ok(Ok(lines)) => Ok(found(&lines).unwrap_or(after)),
            _ => Err(self.lines.borrow().iter().skip(after).cloned().collect()),
        }
    }

    /// How many lines contain the text.
    pub fn count(&self, text: &str) -> usize {
        self.lines.borrow().iter().filter(|line| line.contains(text)).count()
    }

    /// Everything that was told, as lines.
    pub fn lines(&self) -> Vec<String> {
        self.lines.borrow().clone()
    }

    /// Everything that was told, and of which conversation.
    pub fn events(&self) -> Vec<(ConversationId, Event)> {
        self.events.lock().unwrap().clone()
    }

    /// Everything that was told, with everything that is in it, to look for what should be hidden. A
    /// defect is for those who maintain the tool, and may quote what it met if the tool hides nothing.
    pub fn full(&self, hides: impl Fn(&str) -> bool) -> String {
        let is_told = |event: &Event| match event {
            Event::Defect { tool, .. } => hides(tool),
            _ => true,
        };
        let events = self.events();
        let told = events.iter().filter(|(_, event)| is_told(event));
        told.map(|(_, event)| format!("{event:?}\n")).collect()
    }
}

fn line(event: &Event) -> String {
    match event {
        Event::Started { call_id, tool } => format!("started {call_id} {tool}"),
        Event::Progress { call_id, update } => format!("progress {call_id} {update}"),
        Event::Answered { outcome, answer } => {
            format!("answered {} {outcome}", answer.meta().call_id)
        }
        Event::ConfirmationRequested(request) => format!("asked: {}", request.preview),
        Event::ConfirmationRepeated { preview } => format!("asked again: {preview}"),
        Event::ConfirmationClosed { how, .. } => format!("question {}", closed(*how)),
        Event::Message { call_id, message } => format!("message {call_id} {message}"),
        Event::Note { call_id, event, details } => format!("note {call_id} {event} {details}"),
        Event::Log { call_id, text, .. } => format!("log {call_id} {text}"),
        Event::Effect(effect) => format!("effect {}", effect_words(*effect)),
        Event::IntentRefused { call_id, why, .. } => format!("intent refused {call_id}: {why}"),
        Event::Defect { call_id, tool, what } => format!("defect {call_id} {tool}: {what}"),
    }
}

fn closed(how: Closed) -> &'static str {
    match how {
        Closed::Approved => "approved",
        Closed::Declined => "declined",
        Closed::Expired => "expired",
        Closed::Superseded => "superseded",
    }
}

fn effect_words(effect: Effect) -> String {
    match effect {
        Effect::Nothing => "nothing".to_owned(),
        Effect::StartVoice => "start voice".to_owned(),
        Effect::EndVoice { after } => format!("end voice {after:?}"),
        Effect::SuppressAudio { value } => format!("suppress audio {value}"),
        Effect::SuppressTranscript { value } => format!("suppress transcript {value}"),
        Effect::BlockUser { until } => format!("block until {until}"),
    }
}
