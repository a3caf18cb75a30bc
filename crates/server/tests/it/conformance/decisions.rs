//! The decisions of a run: the events, the records and the model's input, with all values replaced
//! that differ from run to run.

mod names;
mod views;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use aileron_contract::audit::StepResult;
use aileron_contract::{AuditEntry, ConversationId, Mode, ToolResponse};
use aileron_orchestrator::ConversationEvent;
use aileron_orchestrator::state::StateEffect;
use aileron_rehearsal::RunResult;
use serde_json::{Value, json};

use self::names::{Names, Pauses};
pub(super) use self::views::{Views, late};

/// Each in an order that does not depend on which of two calls side by side was faster.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Decisions {
    told: Vec<String>,
    recorded: Vec<String>,
    given: Vec<String>,
}

impl Decisions {
    /// The decisions of the direct run. A call that came twice over one connection is answered once
    /// there, and a resolved confirmation is not reported again, so answers that repeat another one
    /// are left out, by line and place.
    pub(super) fn rehearsed(rehearsed: &RunResult, repeated: &BTreeSet<(usize, usize)>) -> Self {
        let mut views = Views::default();
        for played in &rehearsed.played {
            for (at, (call, answer)) in played.answers.iter().enumerate() {
                if !repeated.contains(&(played.line, at)) {
                    views.answer(call, answer);
                }
            }
        }
        Self::new(&rehearsed.events, &rehearsed.entries, &views)
    }

    /// The decisions without the mode of the records. Intents and events about voice are left out,
    /// because they take effect only in a voice session.
    pub(super) fn of_any_mode(rehearsed: &RunResult) -> Self {
        let mut rehearsed = rehearsed.clone();
        rehearsed.events.retain(|(_, event)| !is_about_voice(event));
        for (_, event) in &mut rehearsed.events {
            if let ConversationEvent::Answered { answer, .. } = event
                && let ToolResponse::Success { intents, .. } = Arc::make_mut(answer)
            {
                intents.clear();
            }
        }
        rehearsed.entries.iter_mut().for_each(|entry| entry.mode = Mode::Text);
        Self::rehearsed(&rehearsed, &BTreeSet::new())
    }

    pub(super) fn new(
        events: &[(ConversationId, ConversationEvent)],
        entries: &[AuditEntry],
        views: &Views,
    ) -> Self {
        let paused = entries.iter().any(|entry| entry.attempts > 1);
        let mut names = Names::new(if paused { Pauses::Some } else { Pauses::None });
        let events = events
            .iter()
            .filter(|(_, event)| *event != ConversationEvent::Effect(StateEffect::Nothing))
            .filter(|(_, event)| !is_second_delivery(event) && !is_about_conversation(event));
        let told = events.map(|(conversation, event)| {
            let (about, told) = told(event);
            if let ConversationEvent::Task { task_id, .. } = event {
                names.name("task", task_id);
            }
            let conversation = names.name("conversation", conversation.as_str());
            names.replaced(json!([conversation, about, told]))
        });
        let told: Vec<_> = told.collect();
        let recorded: Vec<_> = entries
            .iter()
            .map(|entry| {
                let conversation = names.name("conversation", entry.conversation.as_str());
                names.replaced(json!([conversation, entry.call_id, entry]))
            })
            .collect();
        Self { told: sorted(told), recorded: sorted(recorded), given: views.lines(&mut names) }
    }
}

/// Whether a call was decided about that was delivered before. A transport may answer it by itself.
fn is_second_delivery(event: &ConversationEvent) -> bool {
    let ConversationEvent::Decided(decided) = event else { return false };
    decided.trail.last().is_none_or(|step| step.result == StepResult::Duplicate)
}

/// Whether an event is about the conversation and not about a call. Transports begin turns in different ways.
fn is_about_conversation(event: &ConversationEvent) -> bool {
    matches!(
        event,
        ConversationEvent::Began { .. }
            | ConversationEvent::ModeChanged { .. }
            | ConversationEvent::Ended { .. }
            | ConversationEvent::TurnBegan { .. }
    )
}

fn is_about_voice(event: &ConversationEvent) -> bool {
    match event {
        ConversationEvent::IntentRefused { .. } => true,
        ConversationEvent::Effect(effect) => !matches!(effect, StateEffect::BlockUser { .. }),
        _ => false,
    }
}

/// Sorted by conversation and call, and in order within each.
fn sorted(lines: Vec<Value>) -> Vec<String> {
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in lines {
        let group = format!("{} {}", line[0], line[1]);
        groups.entry(group).or_default().push(line.to_string());
    }
    groups.into_values().flatten().collect()
}

/// Which call an event is about, and what it says.
fn told(event: &ConversationEvent) -> (String, Value) {
    match event {
        ConversationEvent::Decided(decided) => {
            (decided.call_id.to_string(), json!({ "decided": decided.trail }))
        }
        ConversationEvent::Began { .. }
        | ConversationEvent::ModeChanged { .. }
        | ConversationEvent::Ended { .. }
        | ConversationEvent::TurnBegan { .. } => (String::new(), Value::Null),
        ConversationEvent::Retrying { call_id, .. } => (call_id.to_string(), json!("retrying")),
        ConversationEvent::Started { call_id, tool } => {
            (call_id.to_string(), json!({ "started": tool }))
        }
        ConversationEvent::Progress { call_id, update } => {
            (call_id.to_string(), json!({ "progress": update }))
        }
        ConversationEvent::Partial { call_id, index, data } => {
            (call_id.to_string(), json!({ "partial": data, "index": index }))
        }
        ConversationEvent::Task { call_id, status, .. } => {
            (call_id.to_string(), json!({ "task": status }))
        }
        ConversationEvent::Answered { outcome, answer } => {
            let told = json!({ "answered": outcome.to_string(), "answer": **answer });
            (answer.meta().call_id.to_string(), told)
        }
        ConversationEvent::ConfirmationRequested(request) => {
            (String::new(), json!({ "asked": request }))
        }
        ConversationEvent::ConfirmationRepeated { preview } => {
            (String::new(), json!({ "again": preview }))
        }
        ConversationEvent::ConfirmationClosed { token_id, how, .. } => {
            (String::new(), json!({ "tokenId": token_id, "closed": format!("{how:?}") }))
        }
        ConversationEvent::Message { call_id, message } => {
            (call_id.to_string(), json!({ "message": message }))
        }
        ConversationEvent::Note { call_id, event, details } => {
            (call_id.to_string(), json!({ "note": event, "details": details }))
        }
        ConversationEvent::Log { call_id, text, .. } => {
            (call_id.to_string(), json!({ "log": text }))
        }
        ConversationEvent::Effect(effect) => {
            (String::new(), json!({ "effect": format!("{effect:?}") }))
        }
        ConversationEvent::IntentRefused { call_id, intent, why } => {
            (call_id.to_string(), json!({ "refused": intent, "why": why.to_string() }))
        }
        ConversationEvent::Defect { call_id, tool, what } => {
            (call_id.to_string(), json!({ "defect": what, "tool": tool }))
        }
    }
}

/// The first different decision, as text.
pub(super) fn difference(wanted: &Decisions, found: &Decisions) -> Option<String> {
    let parts = [
        ("the audience is told", &wanted.told, &found.told),
        ("the records say", &wanted.recorded, &found.recorded),
        ("the model is given", &wanted.given, &found.given),
    ];
    parts.into_iter().find_map(|(what, wanted, found)| {
        let most = wanted.len().max(found.len());
        let at = (0..most).find(|at| wanted.get(*at) != found.get(*at))?;
        let line =
            |lines: &[String]| lines.get(at).map_or("nothing more", String::as_str).to_owned();
        Some(format!(
            "{what}\n  directly:           {}\n  over the transport: {}",
            line(wanted),
            line(found)
        ))
    })
}

#[cfg(test)]
#[path = "decisions_tests.rs"]
mod tests;
