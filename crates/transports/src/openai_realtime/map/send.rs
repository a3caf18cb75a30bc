//! Maps commands to events.

use aileron_contract::transport::{
    CallResult, Command, CommandError, DeferredInput, Effects, FaultSubject, HistoryMessage,
    MissedEvent, OutgoingFrame, ProviderEvent, RATE_IN, Setup, Speaker, TurnDetection, TurnEnd,
    Utterance,
};

use super::OpenaiRealtime;
use super::response_queue::ResponseRequest;
use crate::answer;
use crate::audio;
use crate::calls::ResultRoute;
use crate::openai_realtime::fault;
use crate::openai_realtime::wire::outgoing::{
    self, Aside, Body, ClientEvent, ItemContent, Metadata, NewItem, NewResponse, Opening,
    ResponseKind, Role,
};
use crate::openai_realtime::wire::session::SessionConfig;
use crate::phase::{self, ConnectionPhase};

/// The provider's default silence at the end of speech.
const SILENCE_MS: u32 = 500;

/// Additional silence, as a margin.
const MARGIN_MS: u32 = 200;

/// Maximum length of silence that is sent.
const MAX_SILENCE_MS: u32 = 5_000;

impl OpenaiRealtime {
    pub(super) fn obey(
        &mut self,
        command: Command<'_>,
        effects: &mut Effects,
    ) -> Result<(), CommandError> {
        match command {
            Command::Start(setup) => self.start(setup, effects),
            Command::Audio(pcm) => {
                audio::check_samples(pcm)?;
                self.send_audio(pcm, effects);
            }
            Command::AudioEnd => self.audio_end(effects),
            Command::SpeechStart => {
                phase::check_manual(&self.detection)?;
                self.speech_start(effects);
            }
            Command::SpeechEnd => {
                phase::check_manual(&self.detection)?;
                self.send(&FaultSubject::Audio, Body::Commit {}, effects);
                self.replies.speech_ended();
                self.replies.request_reply();
            }
            Command::Text(text) => self.text(text, effects),
            Command::Results(results) => {
                results.iter().for_each(|result| self.result(result, effects));
            }
            Command::LateResult(result) => self.late_result(result, effects),
            Command::Told(held) => held.iter().for_each(|held| match held {
                DeferredInput::Text(text) => self.text(text, effects),
                DeferredInput::Result(result) => self.result(result, effects),
                DeferredInput::Opening(sentence) => self.replies.open(sentence),
            }),
            Command::Open(sentence) => self.replies.open(sentence),
            Command::Interrupt { played_ms } => {
                self.replies.drop_requests();
                self.spoken.truncate_words(played_ms);
                self.cut_short(effects);
            }
            Command::Truncate { utterance, played_ms } => {
                self.truncate(utterance, played_ms, effects);
            }
            Command::Say(sentence) => self.replies.say(sentence),
            Command::Overdue(what) => self.overdue(what, effects),
            Command::End => {
                self.phase = ConnectionPhase::Over;
                self.replies.drop_requests();
                effects.frames.push(OutgoingFrame::Close);
            }
        }
        Ok(())
    }

    /// Requests the next response, if one may be requested.
    pub(super) fn ask_next(&mut self, effects: &mut Effects) {
        if self.phase != ConnectionPhase::Ready {
            return;
        }
        let Some(ask) = self.replies.next() else { return };
        let (about, aileron) = match ask {
            ResponseRequest::Reply | ResponseRequest::Opening(_) => (FaultSubject::Reply, "reply"),
            ResponseRequest::Say(_) => (FaultSubject::Say, "say"),
        };
        let instructions = match &ask {
            ResponseRequest::Reply => String::new(),
            ResponseRequest::Opening(sentence) | ResponseRequest::Say(sentence) => {
                answer::to_say(sentence)
            }
        };
        let kind = match ask {
            ResponseRequest::Reply => None,
            ResponseRequest::Opening(_) => Some(ResponseKind::Opening(Opening::new(&instructions))),
            ResponseRequest::Say(_) => Some(ResponseKind::Aside(Aside::new(&instructions))),
        };
        let response = NewResponse { metadata: Metadata { aileron }, kind };
        self.send(&about, Body::ResponseCreate { response }, effects);
    }

    /// Continues without an event that is overdue, so that the next reply can be requested.
    fn overdue(&mut self, what: MissedEvent, effects: &mut Effects) {
        match what {
            MissedEvent::TurnEnd => {
                if self.replies.is_stalled() {
                    self.cancel(effects);
                }
                if let Some(active) = self.replies.end_overdue() {
                    self.over(&active, active.end(), effects);
                }
            }
            MissedEvent::Reply => self.reply_overdue(effects),
        }
    }

    fn reply_overdue(&mut self, effects: &mut Effects) {
        if self.replies.active().is_some() {
            self.cancel(effects);
        }
        let Some(active) = self.replies.reply_overdue() else { return };
        let fault = fault::no_reply();
        let end = TurnEnd::Stopped(fault.code.clone());
        effects.tell(ProviderEvent::Fault(fault));
        self.over(&active, end, effects);
    }

    /// Asks the server to cancel the running response.
    pub(super) fn cancel(&mut self, effects: &mut Effects) {
        self.replies.cancelling();
        let id = self.replies.active().map(|active| active.id.clone());
        let response_id = id.as_deref().filter(|id| !id.is_empty());
        self.send(&FaultSubject::Interrupt, Body::ResponseCancel { response_id }, effects);
    }

    fn send(&mut self, about: &FaultSubject, body: Body<'_>, effects: &mut Effects) {
        let event_id = self.ids.next(about);
        effects.send(ClientEvent { event_id: &event_id, body }.text());
    }

    fn start(&mut self, setup: &Setup, effects: &mut Effects) {
        self.phase = ConnectionPhase::Starting;
        self.detection = setup.turn_detection.clone();
        let event_id = self.ids.next(&FaultSubject::Setup);
        let session = Box::new(SessionConfig::new(setup, &self.settings));
        let body = Body::SessionUpdate { session };
        effects.send(ClientEvent { event_id: &event_id, body }.text());
        self.history = setup.history.iter().map(|said| self.said_before(said)).collect();
    }

    fn said_before(&mut self, said: &HistoryMessage) -> String {
        let role = match said.by {
            Speaker::Person => Role::User,
            Speaker::Model => Role::Assistant,
        };
        self.item(&FaultSubject::Text, ItemContent::message(role, &said.text))
    }

    fn item(&mut self, about: &FaultSubject, content: ItemContent<'_>) -> String {
        self.replies.item_sent();
        let event_id = self.ids.next(about);
        let id = self.ids.item();
        let body = Body::ItemCreate { item: NewItem { id: &id, content } };
        ClientEvent { event_id: &event_id, body }.text()
    }

    fn send_audio(&mut self, pcm: &[u8], effects: &mut Effects) {
        self.upsampled.clear();
        self.resampler.push(pcm, &mut self.upsampled);
        if !self.upsampled.is_empty() {
            effects.send(outgoing::audio_frame(&self.upsampled));
        }
    }

    /// The provider has no message for a microphone that was switched off, so silence is sent.
    fn audio_end(&mut self, effects: &mut Effects) {
        let TurnDetection::Automatic { silence_ms, .. } = self.detection else { return };
        if self.replies.is_hearing() {
            let ms = silence_ms.unwrap_or(SILENCE_MS).saturating_add(MARGIN_MS).min(MAX_SILENCE_MS);
            let bytes = u64::from(ms) * u64::from(RATE_IN) / 1000 * 2;
            self.send_audio(&vec![0; usize::try_from(bytes).unwrap_or_default()], effects);
        }
    }

    fn speech_start(&mut self, effects: &mut Effects) {
        self.cut_short(effects);
        self.replies.speech_started();
        self.send(&FaultSubject::Audio, Body::Clear {}, effects);
    }

    /// Interrupts the running and the requested response, and reports it.
    fn cut_short(&mut self, effects: &mut Effects) {
        if self.replies.can_be_cut_short() {
            self.cancel(effects);
        }
        self.interrupted(effects);
    }

    fn text(&mut self, text: &str, effects: &mut Effects) {
        self.cut_short(effects);
        let frame = self.item(&FaultSubject::Text, ItemContent::message(Role::User, text));
        effects.send(frame);
        self.replies.on_text();
        self.replies.request_reply();
    }

    /// Sends a result. A reply is requested when every call of the message has its result.
    fn result(&mut self, result: &CallResult, effects: &mut Effects) {
        match self.calls.answer(result) {
            ResultRoute::Native { wire_id, .. } => {
                let call_id = wire_id.as_deref().unwrap_or_default();
                let output = answer::model_view(&result.response).to_string();
                let content = ItemContent::FunctionCallOutput { call_id, output: &output };
                let frame = self.item(&FaultSubject::Result(result.call_id.clone()), content);
                effects.send(frame);
                if self.calls.message_is_answered(&result.call_id) {
                    self.replies.request_reply();
                }
            }
            ResultRoute::AsText => self.late_result(result, effects),
            ResultRoute::AsTextNoReply => self.tell(result, effects),
            ResultRoute::Drop => {}
        }
    }

    fn late_result(&mut self, result: &CallResult, effects: &mut Effects) {
        self.tell(result, effects);
        self.replies.request_reply();
    }

    fn tell(&mut self, result: &CallResult, effects: &mut Effects) {
        let text = answer::late_text(result);
        let frame = self.item(&FaultSubject::Text, ItemContent::message(Role::System, &text));
        effects.send(frame);
    }

    fn truncate(&mut self, utterance: Utterance, played_ms: u64, effects: &mut Effects) {
        let Some(cut) = self.spoken.cut(utterance, played_ms) else { return };
        let (item_id, content_index) = (cut.item_id.as_str(), cut.content_index);
        let body = Body::ItemTruncate { item_id, content_index, audio_end_ms: cut.audio_end_ms };
        self.send(&FaultSubject::Truncate, body, effects);
    }
}
