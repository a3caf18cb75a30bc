//! The timeline of a session: what the person says, what is planned for which time, and each step of the clock.

use serde_json::Value;

use super::OpenaiLive;
use crate::control::ObservedEvent;
use crate::fault::InjectedFault;
use crate::live::{HandlerOutput, words_for_sound};
use crate::openai_live::map::{self, Side};
use crate::openai_live::wire::AppendKind;
use crate::simulated_model::{Channel, HistoryItem};
use crate::vad::VadEvent;

/// One step of the clock, and the grid of all times.
pub(in crate::openai_live) const STEP_MS: u64 = 100;
const GRID_MS: u64 = 200;

/// From the end of a word to its transcript, from the end of speech to its delegation, and from an append to its
/// acknowledgement and to the first word about it.
const TRANSCRIPT_LAG_MS: u64 = 1_200;
const DELEGATION_LAG_MS: u64 = 600;
pub(super) const ACK_LAG_MS: u64 = 800;
pub(super) const REPLY_LAG_MS: u64 = 600;

const USAGE_MS: u64 = 15_000;

const ACKNOWLEDGEMENT: &str = "Okay.";

/// Words that do not interrupt the model.
const BACKCHANNELS: [&str; 6] = ["mhm", "uh-huh", "okay", "yeah", "right", "hm"];

/// Something that happens when the clock reaches its time.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Planned {
    Frame(Value),
    Delegate { offset_ms: u64 },
    Acknowledge,
    Ack { kind: AppendKind, event_id: Option<String> },
    Say(String),
}

impl OpenaiLive {
    pub(super) fn listen(&mut self, bytes: &[u8], out: &mut HandlerOutput) {
        self.recording.add(bytes, self.vad.coding());
        for noticed in self.vad.hear(bytes) {
            match noticed {
                VadEvent::Started { .. } => {
                    out.show(ObservedEvent::SpeechStarted);
                    self.voice.cut();
                }
                VadEvent::Stopped { at_ms, lasted_ms } => {
                    out.show(ObservedEvent::SpeechStopped { lasted_ms });
                    let sound = self.recording.take(self.vad.coding(), lasted_ms);
                    let words = words_for_sound(&self.shared, &self.scene, &sound);
                    self.hear(&words, at_ms.saturating_sub(lasted_ms), at_ms.max(1));
                }
            }
        }
        if !self.vad.is_hearing() {
            self.recording.trim(self.vad.coding());
        }
    }

    /// Plans the transcript of an utterance, and its delegation, which may come before the last words.
    fn hear(&mut self, words: &str, start_ms: u64, end_ms: u64) {
        let all: Vec<&str> = words.split_whitespace().collect();
        let length = (end_ms.saturating_sub(start_ms) / all.len().max(1) as u64).max(1);
        for (at, word) in all.iter().enumerate() {
            let from = grid(start_ms + at as u64 * length);
            let until = grid(start_ms + (at as u64 + 1) * length).max(from + GRID_MS);
            let text = if at == 0 { (*word).to_owned() } else { format!(" {word}") };
            let frame = map::transcript(Side::Input, from, until, &text);
            self.planned.push((until + TRANSCRIPT_LAG_MS, Planned::Frame(frame)));
        }
        let offset_ms = grid(end_ms);
        let early = self.shared.faults.has(InjectedFault::EarlyDelegation);
        let lag = if early { 0 } else { DELEGATION_LAG_MS };
        self.planned.push((offset_ms + lag, Planned::Delegate { offset_ms }));
        let text = words.to_owned();
        self.scene.items.push(HistoryItem::Heard { text, channel: Channel::Spoken });
    }

    /// Simulates speech of these words now, 200 ms each.
    pub(super) fn hear_words(&mut self, words: &str, out: &mut HandlerOutput) {
        if self.muted {
            return;
        }
        out.show(ObservedEvent::SpeechStarted);
        let plain = words.trim_end_matches(['.', '!', ',']).to_lowercase();
        if !BACKCHANNELS.contains(&plain.as_str()) {
            self.voice.cut();
        }
        let lasted_ms = GRID_MS * words.split_whitespace().count().max(1) as u64;
        let start_ms = grid(self.clock_ms);
        self.hear(words, start_ms, start_ms + lasted_ms);
    }

    pub(super) fn plan(&mut self, after_ms: u64, planned: Planned) {
        self.planned.push((grid(self.clock_ms + after_ms), planned));
    }

    /// One step of the clock: everything that is due, and 100 ms of output.
    pub(super) fn advance(&mut self, out: &mut HandlerOutput) {
        let from = self.clock_ms;
        self.clock_ms += STEP_MS;
        loop {
            let due = self.planned.iter().position(|(at, _)| *at <= self.clock_ms);
            let Some(at) = due else { break };
            let (_, planned) = self.planned.remove(at);
            self.perform_planned(planned, out);
        }
        let (bytes, words) = self.voice.step(from);
        for (start_ms, text) in words {
            let start_ms = start_ms / GRID_MS * GRID_MS;
            let frame = map::transcript(Side::Output, start_ms, start_ms + GRID_MS, &text);
            self.send(frame, out);
        }
        self.send(map::sound(&bytes), out);
        if self.clock_ms.is_multiple_of(USAGE_MS) {
            self.send(map::usage(self.clock_ms), out);
        }
    }

    fn perform_planned(&mut self, planned: Planned, out: &mut HandlerOutput) {
        match planned {
            Planned::Frame(frame) => self.send(frame, out),
            Planned::Delegate { offset_ms } => self.delegate(offset_ms, out),
            Planned::Acknowledge => self.say(ACKNOWLEDGEMENT),
            Planned::Ack { kind, event_id } => {
                let frame = map::appended(kind, grid(self.clock_ms), event_id.as_deref());
                self.send(frame, out);
            }
            Planned::Say(text) => {
                self.scene.items.push(HistoryItem::Said { text: text.clone() });
                self.say(&text);
            }
        }
    }

    pub(super) fn say(&mut self, text: &str) {
        self.voice.say(self.shared.voice.speak(text));
    }

    fn delegate(&mut self, offset_ms: u64, out: &mut HandlerOutput) {
        let id = self.shared.ids.next("item_");
        let frame = map::delegation(&id, offset_ms);
        self.delegations.push(id);
        self.send(frame.clone(), out);
        if self.shared.faults.has(InjectedFault::DuplicateCall) {
            self.send(frame.clone(), out);
        }
        self.last_delegation = Some(frame);
        let delay = self.config.as_ref().map_or(0, |config| config.acknowledgement_delay_ms);
        self.plan(delay, Planned::Acknowledge);
    }
}

/// The next point of the grid.
fn grid(ms: u64) -> u64 {
    ms.div_ceil(GRID_MS) * GRID_MS
}
