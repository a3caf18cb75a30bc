//! The audio buffer: appended audio, detected speech, and the transcript.

use serde_json::{Value, json};

use super::OpenaiRealtime;
use super::response::{ActiveResponse, RequestedResponse};
use crate::audio;
use crate::control::ObservedEvent;
use crate::live::{HandlerOutput, words_for_sound};
use crate::openai_realtime::map::{self, ConversationItem};
use crate::openai_realtime::wire::EventRefusal;
use crate::simulated_model::ModelInput;
use crate::vad::{AudioCoding, VadEvent};

/// Minimum audio for a commit.
const LEAST_MS: u64 = 100;

/// The largest piece of audio, in characters of base64.
const MOST_AUDIO: usize = 15 * 1024 * 1024;

impl OpenaiRealtime {
    pub(super) fn append(
        &mut self,
        text: &str,
        out: &mut HandlerOutput,
    ) -> Result<(), EventRefusal> {
        let wrong = |why: &str| {
            EventRefusal::about("audio", "invalid_value", format!("Invalid 'audio': {why}."))
        };
        if text.len() > MOST_AUDIO {
            return Err(wrong("expected at most 15 MiB"));
        }
        let bytes = audio::decode(text);
        let bytes = bytes.ok_or_else(|| wrong("expected base64-encoded audio bytes"))?;
        if matches!(self.vad.coding(), AudioCoding::Pcm { .. }) && bytes.len() % 2 == 1 {
            return Err(wrong("expected whole samples of 16 bits"));
        }
        let ms = self.vad.ms(bytes.len());
        self.buffer_ms += ms;
        self.recording.add(&bytes, self.vad.coding());
        out.show(ObservedEvent::Audio { ms });
        if self.config.detection().is_some() {
            for noticed in self.vad.hear(&bytes) {
                self.notice(noticed, out);
            }
            if !self.vad.is_hearing() {
                self.recording.trim(self.vad.coding());
            }
        }
        Ok(())
    }

    fn notice(&mut self, noticed: VadEvent, out: &mut HandlerOutput) {
        match noticed {
            VadEvent::Started { at_ms } => self.speech_started(at_ms, out),
            VadEvent::Stopped { at_ms, lasted_ms } => {
                let id = self.speech_stopped(at_ms, lasted_ms, out);
                let words = self.words_of_recording(lasted_ms);
                self.commit_buffer(id, words, out);
                self.reply_by_itself(out);
            }
        }
    }

    fn speech_started(&mut self, at_ms: u64, out: &mut HandlerOutput) {
        let id = self.shared.ids.next("item_");
        out.show(ObservedEvent::SpeechStarted);
        let fields = json!({ "audio_start_ms": at_ms, "item_id": id });
        self.send("input_audio_buffer.speech_started", fields, out);
        self.speech = Some(id);
        let in_conversation = self.active.as_ref().is_some_and(ActiveResponse::in_conversation);
        if self.config.detects("interrupt_response") && in_conversation {
            self.cut_short("turn_detected", out);
        }
    }

    fn speech_stopped(&mut self, at_ms: u64, lasted_ms: u64, out: &mut HandlerOutput) -> String {
        out.show(ObservedEvent::SpeechStopped { lasted_ms });
        let id = self.speech.take().unwrap_or_else(|| self.shared.ids.next("item_"));
        let fields = json!({ "audio_end_ms": at_ms, "item_id": id });
        self.send("input_audio_buffer.speech_stopped", fields, out);
        id
    }

    /// Converts the buffer to an item with this transcript.
    fn commit_buffer(&mut self, id: String, words: String, out: &mut HandlerOutput) {
        self.buffer_ms = 0;
        let committed = json!({ "previous_item_id": self.last_id(), "item_id": id });
        self.send("input_audio_buffer.committed", committed, out);
        let entry = ConversationItem::new(map::heard_message(&id), words.clone());
        self.insert(self.entries.len(), entry, out);
        if self.config.transcribes() {
            self.transcribed(&id, &words, out);
        }
    }

    fn transcribed(&mut self, id: &str, words: &str, out: &mut HandlerOutput) {
        const KIND: &str = "conversation.item.input_audio_transcription";
        let delta = json!({ "item_id": id, "content_index": 0, "delta": words });
        self.send(&format!("{KIND}.delta"), delta, out);
        let entry = self.entries.iter_mut().find(|entry| entry.id() == id);
        if let Some(transcript) = entry.and_then(|it| it.item["content"][0].get_mut("transcript")) {
            *transcript = Value::from(words);
        }
        let usage = json!({ "type": "duration", "seconds": 1 });
        let completed = json!({
            "item_id": id, "content_index": 0, "transcript": words, "usage": usage,
        });
        self.send(&format!("{KIND}.completed"), completed, out);
    }

    /// Replies to speech, after an active out-of-band response.
    fn reply_by_itself(&mut self, out: &mut HandlerOutput) {
        if !self.config.detects("create_response") {
            return;
        }
        let wanted = RequestedResponse::unasked(&self.config);
        match &self.active {
            None => self.start(wanted, out),
            Some(active) if !active.in_conversation() => self.beside.push_back(wanted),
            Some(_) => {}
        }
    }

    /// Simulates speech of these words, without audio.
    pub(super) fn hear_words(&mut self, words: String, out: &mut HandlerOutput) {
        self.speech_started(0, out);
        let id = self.speech_stopped(0, 0, out);
        self.commit_buffer(id, words, out);
        self.reply_by_itself(out);
    }

    /// Barge-in without intelligible words.
    pub(super) fn hear_noise(&mut self, out: &mut HandlerOutput) {
        self.speech_started(0, out);
        let id = self.speech_stopped(0, 0, out);
        let error = json!({
            "type": "server_error", "code": "audio_unintelligible",
            "message": "The audio could not be transcribed.",
        });
        let fields = json!({ "item_id": id, "content_index": 0, "error": error });
        self.send("conversation.item.input_audio_transcription.failed", fields, out);
    }

    pub(super) fn commit(&mut self, out: &mut HandlerOutput) -> Result<(), EventRefusal> {
        if self.buffer_ms < LEAST_MS {
            let message = format!(
                "Error committing input audio buffer: buffer too small. Expected at least \
                 {LEAST_MS}ms of audio, but buffer only has {}.00ms of audio.",
                self.buffer_ms
            );
            return Err(EventRefusal::new("input_audio_buffer_commit_empty", message));
        }
        let lasted_ms = self.buffer_ms;
        self.vad.stop();
        let id = self.speech.take().unwrap_or_else(|| self.shared.ids.next("item_"));
        let words = self.words_of_recording(lasted_ms);
        self.commit_buffer(id, words, out);
        Ok(())
    }

    fn words_of_recording(&mut self, lasted_ms: u64) -> String {
        let sound = self.recording.take(self.vad.coding(), lasted_ms);
        words_for_sound(&self.shared, &self.scene(), &sound)
    }

    pub(super) fn clear(&mut self, out: &mut HandlerOutput) {
        self.buffer_ms = 0;
        self.speech = None;
        self.recording.clear();
        self.vad.stop();
        self.send("input_audio_buffer.cleared", json!({}), out);
    }

    /// The conversation as the model sees it.
    pub(super) fn scene(&self) -> ModelInput {
        let mut instructions = self.config.instructions().to_owned();
        for words in map::system_words(&self.entries) {
            instructions.push('\n');
            instructions.push_str(words);
        }
        let items = map::items(&self.entries);
        ModelInput { instructions, tools: self.config.tools(), items }
    }
}
