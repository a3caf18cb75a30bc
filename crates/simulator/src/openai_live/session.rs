//! One session of OpenAI Live. Its clock is the client's audio, in steps of 100 ms; transcripts, delegations and
//! acknowledgements lie on a grid of 200 ms.

mod speech;
mod timeline;

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};

use self::speech::Voice;
use self::timeline::{ACK_LAG_MS, Planned, REPLY_LAG_MS, STEP_MS};
use super::map;
use super::wire::{self, AppendKind, Body, EventRefusal, StartConfig};
use crate::audio;
use crate::control::{ControlCommand, LiveProtocol, ObservedEvent};
use crate::fault::InjectedFault;
use crate::live::{
    ABORT, CloseReason, Framing, HandlerOutput, Protocol, SimulatorShared, dictated,
};
use crate::simulated_model::{ModelAction, ModelInput};
use crate::speech::HeardAudio;
use crate::vad::Vad;

const SILENCE_MS: u64 = 500;

/// The longest duration of a session, and of one without any audio.
const EXPIRES: Duration = Duration::from_secs(7200);
const WITHOUT_AUDIO: Duration = Duration::from_secs(30);

/// From an error at the start to the end of the connection, which has no close frame.
const STARTUP_ABORT: Duration = Duration::from_secs(2);

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
            self.planned.retain(|(_, planned)| !matches!(planned, Planned::Acknowledge));
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
