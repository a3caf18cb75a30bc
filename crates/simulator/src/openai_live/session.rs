//! One session of OpenAI Live. Its clock is the client's audio, in steps of 100 ms; transcripts, delegations and
//! acknowledgements lie on a grid of 200 ms.

mod speech;

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};

use self::speech::Voice;
use super::map::{self, Side};
use super::wire::{self, AppendKind, Body, EventRefusal, StartConfig};
use crate::audio;
use crate::control::{ControlCommand, LiveProtocol, ObservedEvent};
use crate::fault::InjectedFault;
use crate::live::{
    ABORT, CloseReason, Framing, HandlerOutput, Protocol, SimulatorShared, dictated,
    words_for_sound,
};
use crate::simulated_model::{Channel, HistoryItem, ModelAction, ModelInput};
use crate::speech::HeardAudio;
use crate::vad::{Vad, VadEvent};

/// One step of the clock, and the grid of all times.
pub(super) const STEP_MS: u64 = 100;
const GRID_MS: u64 = 200;

/// From the end of a word to its transcript, from the end of speech to its delegation, and from an append to its
/// acknowledgement and to the first word about it.
const TRANSCRIPT_LAG_MS: u64 = 1_200;
const DELEGATION_LAG_MS: u64 = 600;
const ACK_LAG_MS: u64 = 800;
const REPLY_LAG_MS: u64 = 600;

const SILENCE_MS: u64 = 500;
const USAGE_MS: u64 = 15_000;

/// The longest duration of a session, and of one without any audio.
const EXPIRES: Duration = Duration::from_secs(7200);
const WITHOUT_AUDIO: Duration = Duration::from_secs(30);

/// From an error at the start to the end of the connection, which has no close frame.
const STARTUP_ABORT: Duration = Duration::from_secs(2);

const ACKNOWLEDGEMENT: &str = "Okay.";

/// Words that do not interrupt the model.
const BACKCHANNELS: [&str; 6] = ["mhm", "uh-huh", "okay", "yeah", "right", "hm"];

/// Something that happens when the clock reaches its time.
#[derive(Debug, Clone, PartialEq)]
enum Planned {
    Frame(Value),
    Delegate { offset_ms: u64 },
    Acknowledge { delegation: String },
    Ack { kind: AppendKind, event_id: Option<String> },
    Say(String),
}

/// The server's side of one connection.
#[derive(Debug)]
pub(crate) struct OpenaiLive {
    shared: Arc<SimulatorShared>,
    id: String,
    expires_at: u64,
    config: Option<StartConfig>,
    clock_ms: u64,
    /// Bytes of audio that do not fill a step yet.
    rest: usize,
    had_audio: bool,
    muted: bool,
    vad: Vad,
    recording: HeardAudio,
    planned: Vec<(u64, Planned)>,
    voice: Voice,
    delegations: Vec<String>,
    last_delegation: Option<Value>,
    scene: ModelInput,
}

impl OpenaiLive {
    pub(crate) fn new(shared: Arc<SimulatorShared>) -> Self {
        let id = shared.ids.next("live_");
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            shared,
            id,
            expires_at: (now + EXPIRES).as_secs(),
            config: None,
            clock_ms: 0,
            rest: 0,
            had_audio: false,
            muted: false,
            vad: Vad::new(crate::vad::AudioCoding::Pcm { rate: 24_000 }, SILENCE_MS),
            recording: HeardAudio::default(),
            planned: Vec::new(),
            voice: Voice::default(),
            delegations: Vec::new(),
            last_delegation: None,
            scene: ModelInput::default(),
        }
    }

    fn session(&self) -> Value {
        let empty = Map::new();
        let shown = self.config.as_ref().map_or(&empty, |config| &config.shown);
        map::session(&self.id, self.expires_at, shown)
    }

    /// Sends an event, which has an id unless it is audio.
    fn send(&self, mut frame: Value, out: &mut HandlerOutput) {
        if frame["type"] != "session.output_audio.delta" {
            frame["event_id"] = self.shared.ids.next("event_").into();
        }
        out.send(frame);
    }

    fn refuse(&mut self, refusal: &EventRefusal, out: &mut HandlerOutput) {
        let code = refusal.code.unwrap_or("null").to_owned();
        out.show(ObservedEvent::Refused { code, message: refusal.message.clone() });
        self.send(map::error(refusal), out);
        if self.config.is_none() {
            out.end_in = Some((STARTUP_ABORT, CloseReason::new(ABORT, "")));
        }
    }

    fn handle(
        &mut self,
        event_id: Option<String>,
        body: Body,
        out: &mut HandlerOutput,
    ) -> Result<(), EventRefusal> {
        let refuse = |message: &str| {
            let refusal = EventRefusal::new(Some("invalid_state"), message);
            Err(EventRefusal { event_id: event_id.clone(), ..refusal })
        };
        match (body, self.config.is_some()) {
            (Body::Start(_), true) => return refuse("The session has already started."),
            (Body::Start(config), false) => self.start(config, event_id.as_deref(), out),
            // Audio before the start is discarded.
            (Body::Audio(_), false) => {}
            (_, false) => return refuse("The session has not started."),
            (Body::Audio(audio), true) => return self.audio(&audio, event_id, out),
            (Body::Update { acknowledgement_delay_ms }, true) => {
                self.update(acknowledgement_delay_ms, event_id.as_deref(), out);
            }
            (Body::Mute, true) => self.mute(true, event_id.as_deref(), out),
            (Body::Unmute, true) => self.mute(false, event_id.as_deref(), out),
            (Body::Append { kind, content, delegation_id }, true) => {
                if delegation_id.as_ref().is_some_and(|id| !self.delegations.contains(id)) {
                    let refusal = EventRefusal::new(None, "Unknown client delegation.");
                    return Err(EventRefusal { event_id, ..refusal });
                }
                self.append(kind, content, event_id, out);
            }
            (Body::Close, true) => self.close(event_id.as_deref(), out),
        }
        Ok(())
    }

    fn start(&mut self, config: StartConfig, event_id: Option<&str>, out: &mut HandlerOutput) {
        out.show(ObservedEvent::Setup(Value::Object(config.shown.clone())));
        self.vad = Vad::new(config.coding, SILENCE_MS);
        self.scene.instructions.clone_from(&config.instructions);
        self.voice.tune(config.coding);
        self.config = Some(config);
        let fields = json!({ "session": self.session() });
        self.send(map::event("session.started", event_id, fields), out);
        out.end_in = Some((WITHOUT_AUDIO, self.expired()));
    }

    fn expired(&self) -> CloseReason {
        let mut farewell = map::closed("expired", self.session(), self.clock_ms, None);
        farewell["event_id"] = self.shared.ids.next("event_").into();
        CloseReason { farewell: Some(farewell), ..CloseReason::new(1000, "") }
    }

    fn update(&mut self, delay: Option<u64>, event_id: Option<&str>, out: &mut HandlerOutput) {
        if let (Some(delay), Some(config)) = (delay, &mut self.config) {
            config.acknowledgement_delay_ms = delay;
            let delegation = json!({ "type": "client", "acknowledgement_delay_ms": delay });
            config.shown.insert("delegation".to_owned(), delegation);
        }
        let fields = json!({ "session": self.session() });
        self.send(map::event("session.updated", event_id, fields), out);
    }

    fn mute(&mut self, muted: bool, event_id: Option<&str>, out: &mut HandlerOutput) {
        self.muted = muted;
        let kind = if muted { "session.input_audio.muted" } else { "session.input_audio.unmuted" };
        self.send(map::event(kind, event_id, json!({})), out);
    }

    /// Text for the model. Any thinking or commentary cancels the acknowledgements that are pending.
    fn append(
        &mut self,
        kind: AppendKind,
        content: String,
        event_id: Option<String>,
        out: &mut HandlerOutput,
    ) {
        out.show(ObservedEvent::Text { role: kind.as_str().to_owned(), text: content.clone() });
        if kind != AppendKind::Instructions {
            self.planned.retain(|(_, planned)| !matches!(planned, Planned::Acknowledge { .. }));
        }
        if !self.shared.faults.has(InjectedFault::NoAck) {
            self.plan(ACK_LAG_MS, Planned::Ack { kind, event_id });
        }
        match kind {
            AppendKind::Thinking => {}
            AppendKind::Commentary => self.plan(REPLY_LAG_MS, Planned::Say(content)),
            AppendKind::Instructions => {
                if let Some(sentence) = dictated(&content) {
                    self.plan(REPLY_LAG_MS, Planned::Say(sentence.to_owned()));
                } else if content.contains("Stop speaking") {
                    self.voice.cut();
                }
            }
        }
    }

    fn close(&mut self, event_id: Option<&str>, out: &mut HandlerOutput) {
        for (_, planned) in std::mem::take(&mut self.planned) {
            if let Planned::Ack { event_id, .. } = planned {
                let code = Some("context_injection_incomplete");
                let refusal = EventRefusal::new(code, "The session closed before the injection.");
                self.send(map::error(&EventRefusal { event_id, ..refusal }), out);
            }
        }
        self.send(map::closed("close_requested", self.session(), self.clock_ms, event_id), out);
        out.close(1000, "");
    }

    fn audio(
        &mut self,
        data: &str,
        event_id: Option<String>,
        out: &mut HandlerOutput,
    ) -> Result<(), EventRefusal> {
        let refuse = |message: &str| EventRefusal {
            param: Some("audio".to_owned()),
            event_id: event_id.clone(),
            ..EventRefusal::new(Some("invalid_audio"), message)
        };
        let bytes = audio::decode(data).ok_or_else(|| refuse("The audio is not base64."))?;
        let per_ms = self.vad.coding().bytes_per_ms();
        if per_ms > 8 && bytes.len() % 2 == 1 {
            return Err(refuse("PCM16 audio must contain an even number of bytes"));
        }
        if !std::mem::replace(&mut self.had_audio, true) {
            out.end_in = Some((EXPIRES, self.expired()));
        }
        out.show(ObservedEvent::Audio { ms: bytes.len() as u64 / per_ms });
        if !self.muted {
            self.listen(&bytes, out);
        }
        self.rest += bytes.len();
        let step = usize::try_from(per_ms * STEP_MS).unwrap_or(usize::MAX);
        while self.rest >= step {
            self.rest -= step;
            self.advance(out);
        }
        Ok(())
    }

    fn listen(&mut self, bytes: &[u8], out: &mut HandlerOutput) {
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
    fn hear_words(&mut self, words: &str, out: &mut HandlerOutput) {
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

    fn plan(&mut self, after_ms: u64, planned: Planned) {
        self.planned.push((grid(self.clock_ms + after_ms), planned));
    }

    /// One step of the clock: everything that is due, and 100 ms of output.
    fn advance(&mut self, out: &mut HandlerOutput) {
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
            Planned::Acknowledge { .. } => self.say(ACKNOWLEDGEMENT),
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

    fn say(&mut self, text: &str) {
        self.voice.say(self.shared.voice.speak(text));
    }

    fn delegate(&mut self, offset_ms: u64, out: &mut HandlerOutput) {
        let id = self.shared.ids.next("item_");
        let frame = map::delegation(&id, offset_ms);
        self.delegations.push(id.clone());
        self.send(frame.clone(), out);
        if self.shared.faults.has(InjectedFault::DuplicateCall) {
            self.send(frame.clone(), out);
        }
        self.last_delegation = Some(frame);
        let delay = self.config.as_ref().map_or(0, |config| config.acknowledgement_delay_ms);
        self.plan(delay, Planned::Acknowledge { delegation: id });
    }
}

/// The next point of the grid.
fn grid(ms: u64) -> u64 {
    ms.div_ceil(GRID_MS) * GRID_MS
}

impl Protocol for OpenaiLive {
    fn via(&self) -> LiveProtocol {
        LiveProtocol::OpenaiLive
    }

    fn framing(&self) -> Framing {
        Framing::Text
    }

    fn open(&mut self, _out: &mut HandlerOutput) {}

    fn receive(&mut self, message: &str, out: &mut HandlerOutput) {
        let handled =
            wire::read(message).and_then(|event| self.handle(event.event_id, event.body, out));
        if let Err(refusal) = handled {
            self.refuse(&refusal, out);
        }
    }

    fn perform(&mut self, steps: Vec<ModelAction>, _out: &mut HandlerOutput) {
        for step in steps {
            if let ModelAction::Say(text) = step {
                self.say(&text);
            }
        }
    }

    /// Nothing happens without audio of the client.
    fn next_in(&self) -> Option<Duration> {
        None
    }

    fn deliver(&mut self, _out: &mut HandlerOutput) {}

    fn obey(&mut self, order: ControlCommand, out: &mut HandlerOutput) {
        match order {
            ControlCommand::Hear(text) => self.hear_words(&text, out),
            ControlCommand::Act(steps) => self.perform(steps, out),
            ControlCommand::Interrupt => self.voice.cut(),
            ControlCommand::GoAway(left) => out.end_in = Some((left, self.expired())),
            ControlCommand::DuplicateCall => {
                if let Some(frame) = self.last_delegation.clone() {
                    self.send(frame, out);
                }
            }
            ControlCommand::Cancel(_)
            | ControlCommand::Hold(_)
            | ControlCommand::Malformed
            | ControlCommand::Drop
            | ControlCommand::Close(..) => {}
        }
    }

    fn has_open_calls(&self) -> bool {
        false
    }
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;
