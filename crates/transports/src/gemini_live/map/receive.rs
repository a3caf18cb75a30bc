//! Maps server messages to events.

use aileron_contract::transport::{
    Effects, FrameError, ProviderEvent, RATE_OUT, Speaker, TranscriptStage, TurnEnd,
};
use aileron_contract::{Arguments, ToolCall};

use super::GeminiLive;
use crate::audio;
use crate::gemini_live::wire::incoming::{
    Blob, FunctionCall, ServerContent, ServerMessage, SessionResumptionUpdate, SetupComplete,
    Transcription, VoiceActivity,
};
use crate::lenient;
use crate::phase::ConnectionPhase;

/// The audio parts of a frame, decoded before any state is changed.
pub(super) type Audio = Vec<Vec<u8>>;

/// Decodes the audio of a message, so that a frame with invalid audio changes nothing.
pub(super) fn audio(message: &ServerMessage<'_>) -> Result<Audio, FrameError> {
    let turn = message.server_content.as_ref().and_then(|content| content.model_turn.as_ref());
    let parts = turn.map(|turn| turn.parts.as_slice()).unwrap_or_default();
    let blobs = parts.iter().filter_map(|part| part.inline_data.as_ref());
    blobs.filter(|blob| blob.is_audio()).map(pcm).collect()
}

fn pcm(blob: &Blob<'_>) -> Result<Vec<u8>, FrameError> {
    let mime_type = blob.mime_type.as_str();
    let mut parameters = mime_type.split(';').map(str::trim);
    let is_pcm = matches!(parameters.next(), Some("audio/pcm" | "audio/l16"));
    let rate = parameters.find_map(|parameter| parameter.strip_prefix("rate="));
    if is_pcm && rate.is_none_or(|rate| rate.parse() == Ok(RATE_OUT)) {
        return audio::decode(blob.data.as_str());
    }
    Err(FrameError::new("audio as `audio/pcm;rate=24000`", lenient::excerpt(mime_type)))
}

impl GeminiLive {
    pub(super) fn take(&mut self, message: ServerMessage<'_>, audio: Audio, effects: &mut Effects) {
        if let Some(complete) = message.setup_complete {
            self.set_up(complete, effects);
        }
        if let Some(activity) = message.voice_activity {
            voice_activity(&activity, effects);
        }
        let mut calls = Vec::new();
        if let Some(content) = message.server_content {
            self.content(content, audio, &mut calls, effects);
        }
        calls.extend(message.tool_call.into_iter().flat_map(|message| message.function_calls));
        self.tool_calls(calls, effects);
        if let Some(cancellation) = message.cancellation {
            let ids = cancellation.ids.iter().filter_map(|id| self.calls.cancel(id.as_str()));
            let ids: Vec<_> = ids.collect();
            if !ids.is_empty() {
                effects.tell(ProviderEvent::CallsCancelled(ids));
            }
        }
        if let Some(go_away) = message.go_away {
            let time_left = go_away.time_left.and_then(|left| lenient::duration(left.as_str()));
            effects.tell(ProviderEvent::GoingAway { time_left });
        }
        if let Some(update) = message.resumption {
            resumption(update, effects);
        }
        if let Some(usage) = message.usage {
            effects.tell(ProviderEvent::Usage(usage.usage()));
        }
        let unknown = message.unknown.into_iter();
        effects.events.extend(unknown.map(|name| ProviderEvent::Unknown { name }));
    }

    fn set_up(&mut self, complete: SetupComplete<'_>, effects: &mut Effects) {
        if self.phase != ConnectionPhase::Starting {
            return;
        }
        self.phase = ConnectionPhase::Ready;
        effects.tell(ProviderEvent::Ready { session: complete.session_id.map(String::from) });
        if let Some(history) = self.history.take() {
            effects.send(history);
        }
    }

    fn content<'a>(
        &mut self,
        content: ServerContent<'a>,
        audio: Audio,
        calls: &mut Vec<FunctionCall<'a>>,
        effects: &mut Effects,
    ) {
        self.transcriptions(&content, effects);
        if !audio.is_empty() {
            self.speaks(audio, effects);
        }
        for part in content.model_turn.into_iter().flat_map(|turn| turn.parts) {
            if let Some(blob) = part.inline_data.filter(|blob| !blob.is_audio()) {
                let name = format!("inlineData {}", lenient::excerpt(blob.mime_type.as_str()));
                effects.tell(ProviderEvent::Unknown { name });
            }
            calls.extend(part.function_call);
        }
        if content.interrupted {
            self.interrupted(effects);
        }
        if content.generation_complete {
            self.speech.generated = true;
            effects.tell(ProviderEvent::GenerationComplete);
        }
        // A model that thinks at length ends several turns before it is done.
        let goes_on =
            content.interaction_status.is_some_and(|status| status.as_str() == "IN_PROGRESS");
        if content.turn_complete && goes_on {
            // More of the reply comes, so its end is not overdue.
            self.speech.generated = false;
        } else if content.turn_complete {
            self.turn_complete(content.turn_complete_reason.map(String::from), effects);
        }
    }

    fn transcriptions(&mut self, content: &ServerContent<'_>, effects: &mut Effects) {
        let heard = [&content.input_transcription, &content.interim_input_transcription];
        if heard.into_iter().flatten().any(|words| !words.text.is_empty()) {
            self.person_speaks(effects);
        }
        if let Some(guess) = &content.interim_input_transcription {
            let text = guess.text.as_str().to_owned();
            effects.tell(ProviderEvent::Transcript {
                by: Speaker::Person,
                text,
                stage: TranscriptStage::Interim,
            });
        }
        if let Some(input) = &content.input_transcription {
            self.words(Speaker::Person, input, effects);
        }
        if let Some(output) = &content.output_transcription {
            self.transcripts.answering(effects);
            self.speech.presumed = false;
            if !self.speech.muted {
                self.words(Speaker::Model, output, effects);
            }
        }
    }

    fn words(&mut self, by: Speaker, words: &Transcription<'_>, effects: &mut Effects) {
        self.transcripts.heard(by, words.text.as_str(), effects);
        if words.finished {
            self.transcripts.finished(by, effects);
        }
    }

    /// The person speaks while the end of a turn with a known transcript is expected: the new transcript
    /// belongs to the next turn, so the turn is over.
    fn person_speaks(&mut self, effects: &mut Effects) {
        let is_over = self.speech.generated || self.speech.muted;
        if is_over && self.transcripts.knows_person() {
            self.presume_end(effects);
        }
    }

    /// The person sends a text, so the end of a delivered turn is no longer waited for.
    pub(super) fn person_writes(&mut self, effects: &mut Effects) {
        if self.speech.generated {
            self.interrupted(effects);
            self.presume_end(effects);
        }
        self.speech.muted = false;
        self.transcripts.written();
    }

    /// Ignores the rest of a current or expected reply. Its calls still run.
    pub(super) fn mute(&mut self, played_ms: u64, effects: &mut Effects) {
        if !self.transcripts.reply_is_due() || std::mem::replace(&mut self.speech.muted, true) {
            return;
        }
        self.transcripts.muted(played_ms, effects);
        effects.tell(ProviderEvent::Interrupted);
    }

    /// Ends the turn although the provider did not.
    pub(super) fn presume_end(&mut self, effects: &mut Effects) {
        self.turn_complete(None, effects);
        self.speech.presumed = true;
    }

    pub(super) fn speaks(
        &mut self,
        audio: impl IntoIterator<Item = Vec<u8>>,
        effects: &mut Effects,
    ) {
        self.acts(effects);
        let utterance = self.utterance();
        for piece in audio {
            let pcm = self.samples.take(piece);
            if !pcm.is_empty() && !self.speech.muted {
                self.transcripts.audio(pcm.len());
                effects.tell(ProviderEvent::Audio { utterance, pcm });
            }
        }
    }

    /// The last words of a reply are reported before its interruption.
    fn interrupted(&mut self, effects: &mut Effects) {
        self.utterance_over();
        self.speech.interrupted = true;
        self.transcripts.interrupted(effects);
        if !std::mem::take(&mut self.speech.muted) {
            effects.tell(ProviderEvent::Interrupted);
        }
    }

    fn turn_complete(&mut self, reason: Option<String>, effects: &mut Effects) {
        self.utterance_over();
        self.speech.muted = false;
        let interrupted = std::mem::take(&mut self.speech.interrupted);
        if std::mem::take(&mut self.speech.presumed) {
            return;
        }
        if !interrupted {
            self.transcripts.turn_ended(effects);
        }
        let stopped = reason.filter(|reason| !reason.ends_with("UNSPECIFIED"));
        effects.tell(ProviderEvent::TurnComplete(match (interrupted, stopped) {
            (true, _) => TurnEnd::Interrupted,
            (false, Some(reason)) => TurnEnd::Stopped(lenient::excerpt(&reason)),
            (false, None) => TurnEnd::Finished,
        }));
        self.send_notes(effects);
    }

    fn utterance_over(&mut self) {
        (self.speech.going_on, self.speech.generated) = (false, false);
        self.transcripts.utterance_over();
    }

    fn tool_calls(&mut self, calls: Vec<FunctionCall<'_>>, effects: &mut Effects) {
        let calls: Vec<_> = calls.into_iter().filter_map(|call| self.tool_call(&call)).collect();
        if !calls.is_empty() {
            self.acts(effects);
            effects.tell(ProviderEvent::ToolCalls(calls));
        }
    }

    fn tool_call(&mut self, call: &FunctionCall<'_>) -> Option<ToolCall> {
        let wire_id = call.id.as_ref().map(lenient::Text::as_str).filter(|id| !id.is_empty());
        let args = call.args.map(|args| Arguments::parse(args.get())).unwrap_or_default();
        self.calls.report(wire_id, call.name.as_str(), args)
    }
}

fn voice_activity(activity: &VoiceActivity<'_>, effects: &mut Effects) {
    match activity.voice_activity_type.as_str() {
        "ACTIVITY_START" | "VAD_SIGNAL_TYPE_SOS" => effects.tell(ProviderEvent::SpeechStarted),
        "ACTIVITY_END" | "VAD_SIGNAL_TYPE_EOS" => effects.tell(ProviderEvent::SpeechStopped),
        other => {
            let name = format!("voiceActivity {}", lenient::excerpt(other));
            effects.tell(ProviderEvent::Unknown { name });
        }
    }
}

/// While it generates, the server sends updates without a usable handle; the last usable one stays.
fn resumption(update: SessionResumptionUpdate<'_>, effects: &mut Effects) {
    let handle = update.new_handle.filter(|handle| update.resumable && !handle.is_empty());
    if let Some(handle) = handle {
        effects.tell(ProviderEvent::Resumption { handle: Some(handle.into()) });
    }
}
