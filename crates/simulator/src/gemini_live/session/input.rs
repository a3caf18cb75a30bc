//! Handles the client's messages after the setup: text, audio and results.

use aileron_contract::CallId;
use serde_json::Value;

use super::GeminiLive;
use crate::audio;
use crate::control::ObservedEvent;
use crate::gemini_live::map::{self, Refusal, SpeechDetector};
use crate::gemini_live::wire::{
    Blob, ClientContent, Content, FunctionResponse, RealtimeInput, Scheduling, ToolResponse,
};
use crate::live::{HandlerOutput, words_for_sound};
use crate::simulated_model::{Channel, HistoryItem, ModelCallResult};
use crate::vad::{AudioCoding, VadEvent};

const EXPLICIT: &str =
    "Explicit activity control is not supported when automatic activity detection is enabled.";

const HISTORY_ONLY: &str =
    "client_content: this model takes it as the initial history only; send realtime_input.text";

const UNSCHEDULED: &str = "function_responses.scheduling is not supported by this model";

const AUTOMATIC: &str =
    "audio_stream_end is only supported when automatic activity detection is enabled.";

impl GeminiLive {
    /// Ordered content, which becomes part of the history and interrupts the model.
    pub(super) fn content(
        &mut self,
        content: &ClientContent,
        out: &mut HandlerOutput,
    ) -> Result<(), Refusal> {
        let silent = self.history_first;
        let contract = self.config.as_ref().map(|config| config.contract);
        if !silent && contract.is_some_and(|contract| !contract.client_content.is_accepted()) {
            return Err((1007, HISTORY_ONLY.to_owned()));
        }
        let complete = content.turn_complete.unwrap_or_default();
        if !silent {
            self.cut_short(out);
        }
        for turn in content.turns.iter().flatten() {
            self.turn(turn, out)?;
        }
        match (silent, complete) {
            (true, true) => self.history_first = false,
            (false, true) => self.answer(out),
            (_, false) => {}
        }
        Ok(())
    }

    fn turn(&mut self, turn: &Content, out: &mut HandlerOutput) -> Result<(), Refusal> {
        let role = turn.role.as_deref().unwrap_or("user");
        let text = turn.text();
        let item = match role {
            "user" => HistoryItem::Heard { text: text.clone(), channel: Channel::Written },
            "model" => HistoryItem::Said { text: text.clone() },
            other => {
                let why = format!("Please use a valid role: user, model; found {other:?}");
                return Err((1007, why));
            }
        };
        let parts = turn.parts.as_deref().unwrap_or_default();
        if parts.iter().any(|part| part.function_call.is_some() || part.function_response.is_some())
        {
            return Err((1007, "client_content: calls and results are not content".to_owned()));
        }
        let other = parts.iter().any(|part| part.inline_data.is_some() || part.file_data.is_some());
        if text.is_empty() && !other {
            return Err((1007, "client_content: a turn has no parts with content".to_owned()));
        }
        out.show(ObservedEvent::Text { role: role.to_owned(), text });
        self.scene.items.push(item);
        Ok(())
    }

    pub(super) fn realtime(
        &mut self,
        input: RealtimeInput,
        out: &mut HandlerOutput,
    ) -> Result<(), Refusal> {
        let listens = self.config.as_ref().map_or(SpeechDetector::Server, |config| config.listens);
        let chunks = input.media_chunks.into_iter().flatten();
        for blob in input.audio.into_iter().chain(chunks.filter(is_audio)) {
            self.audio(&blob, listens, out)?;
        }
        match (listens, input.activity_start.is_some(), input.activity_end.is_some()) {
            (SpeechDetector::Server, true, _) | (SpeechDetector::Server, _, true) => {
                return Err((1007, EXPLICIT.to_owned()));
            }
            (SpeechDetector::Client, true, _) => {
                self.recording.clear();
                self.notice(VadEvent::Started { at_ms: 0 }, out);
            }
            (SpeechDetector::Client, _, true) => {
                let lasted_ms = std::mem::take(&mut self.talked_ms);
                self.notice(VadEvent::Stopped { at_ms: lasted_ms, lasted_ms }, out);
            }
            _ => {}
        }
        if input.audio_stream_end == Some(true) {
            if listens == SpeechDetector::Client {
                return Err((1007, AUTOMATIC.to_owned()));
            }
            if let Some(stopped) = self.vad.stop() {
                self.notice(stopped, out);
            }
        }
        if input.video.is_some_and(|blob| !blob.mime_type.starts_with("image/")) {
            return Err((1007, "realtime_input.video: expected an image".to_owned()));
        }
        if let Some(text) = input.text {
            out.show(ObservedEvent::Text { role: "user".to_owned(), text: text.clone() });
            self.talked_over(out);
            self.heard(text, Channel::Written, out);
        }
        Ok(())
    }

    fn audio(
        &mut self,
        blob: &Blob,
        listens: SpeechDetector,
        out: &mut HandlerOutput,
    ) -> Result<(), Refusal> {
        let rate = rate(&blob.mime_type)?;
        let pcm = audio::decode(&blob.data);
        let pcm = pcm.ok_or((1007, "realtime_input.audio: data is not base64".to_owned()))?;
        if pcm.len() % 2 == 1 {
            return Err((1007, "realtime_input.audio: half a sample of PCM16".to_owned()));
        }
        let ms = audio::pcm_ms(pcm.len(), rate);
        out.show(ObservedEvent::Audio { ms });
        let silence_ms = self.config.as_ref().map_or(500, |config| config.silence_ms);
        self.vad.tune(AudioCoding::Pcm { rate }, silence_ms);
        self.recording.add(&pcm, self.vad.coding());
        if listens == SpeechDetector::Client {
            self.talked_ms += ms;
            return Ok(());
        }
        for noticed in self.vad.hear(&pcm) {
            self.notice(noticed, out);
        }
        if !self.vad.is_hearing() {
            self.recording.trim(self.vad.coding());
        }
        Ok(())
    }

    fn notice(&mut self, noticed: VadEvent, out: &mut HandlerOutput) {
        let tells = self.config.as_ref().is_some_and(|config| config.tells_activity);
        match noticed {
            VadEvent::Started { at_ms } => {
                out.show(ObservedEvent::SpeechStarted);
                if tells {
                    out.send(map::activity("ACTIVITY_START", at_ms));
                }
                self.talked_over(out);
            }
            VadEvent::Stopped { at_ms, lasted_ms } => {
                out.show(ObservedEvent::SpeechStopped { lasted_ms });
                if tells {
                    out.send(map::activity("ACTIVITY_END", at_ms));
                }
                let sound = self.recording.take(self.vad.coding(), lasted_ms);
                let words = words_for_sound(&self.shared, &self.scene, &sound);
                self.transcribed(words, out);
            }
        }
    }

    /// Simulates speech of these words, without audio.
    pub(super) fn hear_words(&mut self, words: String, out: &mut HandlerOutput) {
        let tells = self.config.as_ref().is_some_and(|config| config.tells_activity);
        if tells {
            out.send(map::activity("ACTIVITY_START", 0));
        }
        self.talked_over(out);
        if tells {
            out.send(map::activity("ACTIVITY_END", 0));
        }
        self.transcribed(words, out);
    }

    fn transcribed(&mut self, words: String, out: &mut HandlerOutput) {
        if self.config.as_ref().is_some_and(|config| config.transcribes_person) {
            out.send(map::input_transcription(&words));
        }
        self.heard(words, Channel::Spoken, out);
    }

    /// Interrupts the model, unless the setup disables interruption.
    fn talked_over(&mut self, out: &mut HandlerOutput) {
        if self.config.as_ref().is_none_or(|config| config.interrupts) {
            self.cut_short(out);
        }
    }

    pub(super) fn results(
        &mut self,
        results: ToolResponse,
        out: &mut HandlerOutput,
    ) -> Result<(), Refusal> {
        let read: Result<Vec<_>, _> =
            results.function_responses.into_iter().map(ToolOutput::read).collect();
        let answers = read?;
        let contract = self.config.as_ref().map(|config| config.contract);
        if let Some(contract) = contract.filter(|it| !it.scheduling.is_accepted())
            && !contract.prefix.is_empty()
            && answers.iter().any(|answer| answer.scheduling.is_some())
        {
            return Err((1007, UNSCHEDULED.to_owned()));
        }
        out.show(ObservedEvent::Results(
            answers.iter().map(|answer| answer.returned.clone()).collect(),
        ));
        for answer in answers {
            self.result(answer, out)?;
        }
        Ok(())
    }

    fn result(&mut self, answer: ToolOutput, out: &mut HandlerOutput) -> Result<(), Refusal> {
        let ToolOutput { returned, scheduling, goes_on } = answer;
        if self.cancelled.contains(&returned.id) {
            return Ok(());
        }
        let at = self.open.iter().position(|open| open.id == returned.id);
        let at = at.ok_or_else(|| (1007, format!("no open call has the id {}", returned.id)))?;
        if self.open[at].name != returned.name {
            let why = format!(
                "call {} is of {}, not of {}",
                returned.id, self.open[at].name, returned.name
            );
            return Err((1007, why));
        }
        let waited_for = self.open[at].waited_for;
        if !goes_on {
            self.open.remove(at);
        }
        self.save();
        self.scene.items.push(HistoryItem::Returned(returned));
        match scheduling {
            _ if waited_for => {
                if !self.open.iter().any(|open| open.waited_for) {
                    self.answer(out);
                }
            }
            Some(Scheduling::Silent) => {}
            Some(Scheduling::Interrupt) => {
                self.cut_short(out);
                self.answer(out);
            }
            _ => self.answer(out),
        }
        Ok(())
    }
}

/// A result as it was sent.
struct ToolOutput {
    returned: ModelCallResult,
    scheduling: Option<Scheduling>,
    goes_on: bool,
}

impl ToolOutput {
    fn read(response: FunctionResponse) -> Result<Self, Refusal> {
        let missing = |field: &str| (1007, format!("function_responses: missing {field}"));
        let id = response.id.filter(|id| !id.is_empty()).ok_or_else(|| missing("id"))?;
        let name = response.name.filter(|name| !name.is_empty()).ok_or_else(|| missing("name"))?;
        let result = response.response.ok_or_else(|| missing("response"))?;
        let id =
            CallId::new(id).map_err(|error| (1007, format!("function_responses.id: {error}")))?;
        Ok(Self {
            returned: ModelCallResult { id, name, result: Value::Object(result) },
            scheduling: response.scheduling,
            goes_on: response.will_continue.unwrap_or_default(),
        })
    }
}

fn is_audio(blob: &Blob) -> bool {
    blob.mime_type.starts_with("audio/")
}

/// The rate of `audio/pcm;rate=16000`.
fn rate(mime_type: &str) -> Result<u32, Refusal> {
    let mut parts = mime_type.split(';').map(str::trim);
    let is_pcm = matches!(parts.next(), Some("audio/pcm" | "audio/l16"));
    let rate = parts.find_map(|part| part.strip_prefix("rate="));
    let rate = rate.map_or(Some(super::RATE_IN), |rate| rate.parse().ok());
    match rate.filter(|rate| is_pcm && (8_000..=48_000).contains(rate)) {
        Some(rate) => Ok(rate),
        None => Err((1007, format!("expected audio/pcm;rate=16000, found {mime_type:?}"))),
    }
}
