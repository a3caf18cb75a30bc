//! Maps server events to events of the contract.

use std::time::Duration;

use aileron_contract::transport::{
    Effects, FaultSubject, FrameError, ProviderEvent, ProviderFault, RateLimit, Severity, Speaker,
    TranscriptStage, TurnEnd, UsageScope,
};
use aileron_contract::{Arguments, ToolCall};

use super::drafts::PartialCall;
use super::output_items::UtteranceOwner;
use super::response_queue::{ActiveResponse, ResponseEnd, ResponseKind};
use super::{OpenaiRealtime, event_id};
use crate::audio;
use crate::lenient;
use crate::openai_realtime::fault;
use crate::openai_realtime::wire::incoming::{AudioDelta, Heard, ItemEvent, ServerEvent, Words};
use crate::openai_realtime::wire::item::{ErrorDetails, Item, RateLimitEntry, Response};
use crate::phase::ConnectionPhase;

/// Why a failed reply is ignored.
const ASKED_AGAIN: &str = "the reply failed and is asked for once more";

impl OpenaiRealtime {
    pub(super) fn take(
        &mut self,
        event: ServerEvent<'_>,
        effects: &mut Effects,
    ) -> Result<(), FrameError> {
        match event {
            ServerEvent::AudioDelta(delta) => self.audio(&delta, effects)?,
            ServerEvent::SpokenDelta(words) => self.spoken_delta(&words, effects),
            ServerEvent::Spoken(words) => self.spoken(&words, effects),
            ServerEvent::Error(error) => self.error(&error, effects),
            ServerEvent::SessionCreated(session) => {
                effects.tell(ProviderEvent::Connected { session: session.id.map(String::from) });
            }
            ServerEvent::SessionUpdated => self.set_up(effects),
            ServerEvent::ItemAdded(item) => self.item_added(&item),
            ServerEvent::SpeechStarted => self.speech_started(effects),
            ServerEvent::SpeechStopped => {
                self.replies.speech_stopped();
                effects.tell(ProviderEvent::SpeechStopped);
            }
            ServerEvent::HeardDelta(words) => {
                words_of(Speaker::Person, words.delta.as_str(), TranscriptStage::Delta, effects);
            }
            ServerEvent::Heard(heard) => self.heard(&heard, effects),
            ServerEvent::HeardNothing => self.replies.heard(),
            ServerEvent::ResponseCreated(response) => self.response_created(&response, effects),
            ServerEvent::ResponseDone(response) => self.response_done(&response, effects),
            ServerEvent::OutputItemAdded(ItemEvent { response_id, item }) => {
                self.replies.on_output(response_id.as_str());
                self.replies.goes_on();
                self.drafts.begun(&item);
            }
            ServerEvent::OutputItemDone(event) => self.item_done(&event, effects),
            ServerEvent::ArgumentsDelta(more) => {
                self.replies.on_output(more.response_id.as_str());
                self.drafts.more(&more);
            }
            ServerEvent::ArgumentsDone(all) => {
                self.replies.on_output(all.response_id.as_str());
                self.drafts.all(&all);
                self.may_be_done(effects);
            }
            ServerEvent::RateLimits(limits) => {
                effects.tell(ProviderEvent::RateLimits(limits.iter().map(rate_limit).collect()));
            }
            ServerEvent::Passing => {}
            ServerEvent::Other(name) => effects.tell(ProviderEvent::Unknown { name }),
        }
        Ok(())
    }

    fn set_up(&mut self, effects: &mut Effects) {
        if self.phase != ConnectionPhase::Starting {
            return;
        }
        self.phase = ConnectionPhase::Ready;
        effects.tell(ProviderEvent::Ready { session: None });
        std::mem::take(&mut self.history).into_iter().for_each(|frame| effects.send(frame));
    }

    fn item_added(&mut self, item: &Item<'_>) {
        if event_id::is_our_item(item.id.as_str()) {
            self.replies.item_seen();
        }
    }

    /// Whether an event belongs to a response that was interrupted.
    fn is_stale(&self, response_id: &str) -> bool {
        let active = self.replies.active();
        active.is_some_and(|active| active.interrupted && active.id == response_id)
    }

    fn audio(&mut self, delta: &AudioDelta<'_>, effects: &mut Effects) -> Result<(), FrameError> {
        let pcm = audio::decode(delta.delta.as_str())?;
        if self.is_stale(delta.response_id.as_str()) {
            return Ok(());
        }
        self.replies.on_output(delta.response_id.as_str());
        self.replies.goes_on();
        let aside = self.replies.active().is_some_and(|active| active.kind == ResponseKind::Say);
        let place = if aside { UtteranceOwner::OutOfBand } else { UtteranceOwner::Conversation };
        let item = (delta.item_id.as_str(), delta.content_index);
        let (utterance, pcm) = self.spoken.audio(item, place, pcm);
        if !pcm.is_empty() {
            effects.tell(ProviderEvent::Audio { utterance, pcm });
        }
        Ok(())
    }

    fn spoken_delta(&mut self, words: &Words<'_>, effects: &mut Effects) {
        if !self.is_stale(words.response_id.as_str()) {
            self.replies.on_output(words.response_id.as_str());
            self.spoken.words(words.delta.as_str());
            words_of(Speaker::Model, words.delta.as_str(), TranscriptStage::Delta, effects);
        }
    }

    fn spoken(&mut self, words: &Words<'_>, effects: &mut Effects) {
        if !self.is_stale(words.response_id.as_str()) {
            self.spoken.take_words();
            words_of(Speaker::Model, words.delta.as_str(), TranscriptStage::Final, effects);
        }
    }

    fn heard(&mut self, heard: &Heard<'_>, effects: &mut Effects) {
        self.replies.heard();
        words_of(Speaker::Person, heard.transcript.as_str(), TranscriptStage::Final, effects);
        if let Some(usage) = heard.usage.as_ref().filter(|usage| usage.counts_tokens()) {
            effects.tell(ProviderEvent::Usage(usage.usage(UsageScope::Transcription)));
        }
    }

    fn speech_started(&mut self, effects: &mut Effects) {
        // The transcript so far was spoken before.
        self.words_end(effects);
        effects.tell(ProviderEvent::SpeechStarted);
        self.replies.speech_started();
        // The server interrupts a response of the conversation. A response outside of it, we cancel.
        let aside = self.replies.active().filter(|active| active.kind == ResponseKind::Say);
        if aside.is_some() {
            self.cancel(effects);
        }
        self.interrupted(effects);
    }

    /// Reports once that the running response is interrupted, after its last transcript.
    pub(super) fn interrupted(&mut self, effects: &mut Effects) {
        if self.replies.interrupt() {
            self.words_end(effects);
            effects.tell(ProviderEvent::Interrupted);
        }
    }

    pub(super) fn words_end(&mut self, effects: &mut Effects) {
        if let Some(words) = self.spoken.take_words() {
            words_of(Speaker::Model, &words, TranscriptStage::Final, effects);
        }
    }

    /// Calls are reported when their response is done, all at once. A response whose items are all done is
    /// reported as delivered here, so that a missing end is noticed.
    fn item_done(
        &mut self,
        ItemEvent { response_id, item }: &ItemEvent<'_>,
        effects: &mut Effects,
    ) {
        self.replies.on_output(response_id.as_str());
        self.drafts.done(item);
        if item.status.as_str() != "incomplete" {
            self.may_be_done(effects);
        }
    }

    fn may_be_done(&mut self, effects: &mut Effects) {
        if self.replies.delivered() {
            effects.tell(ProviderEvent::GenerationComplete);
        }
    }

    /// The server interrupts a running reply when the person begins to speak, but not a reply that begins
    /// while they speak: that one, we cancel.
    fn response_created(&mut self, response: &Response<'_>, effects: &mut Effects) {
        if let Some(before) = self.replies.created(response.id.as_str(), kind(response)) {
            self.over(&before, before.end(), effects);
        }
        let is_ours =
            self.replies.active().is_some_and(|active| active.kind != ResponseKind::ServerStarted);
        if is_ours && self.replies.person_speaks() {
            self.cancel(effects);
            self.interrupted(effects);
        }
    }

    fn response_done(&mut self, response: &Response<'_>, effects: &mut Effects) {
        let done = self.replies.done(response.id.as_str(), kind(response));
        let Some(done) = done else { return };
        if matches!(done, ResponseEnd::Active(_)) {
            self.words_end(effects);
            self.spoken.delivered();
        }
        response.output.iter().for_each(|item| self.drafts.done(item));
        let calls = self.report_calls();
        if let Some(usage) = &response.usage {
            effects.tell(ProviderEvent::Usage(usage.usage(UsageScope::Reply)));
        }
        match done {
            ResponseEnd::Active(active) => {
                let calls_made = tell_calls(calls, effects);
                let end = self.turn_end(&active, response, effects);
                self.turn_over(&active, calls_made, end, effects);
            }
            // Its turn has ended; calls that are listed only here still run.
            ResponseEnd::Late => {
                tell_calls(calls, effects);
            }
        }
    }

    /// A response is over although the server did not report it. Its calls are reported.
    pub(super) fn over(&mut self, active: &ActiveResponse, end: TurnEnd, effects: &mut Effects) {
        self.words_end(effects);
        self.spoken.delivered();
        let calls_made = tell_calls(self.report_calls(), effects);
        self.turn_over(active, calls_made, end, effects);
    }

    fn report_calls(&mut self) -> Vec<ToolCall> {
        self.calls.next_message();
        let drafts = self.drafts.finish();
        drafts.into_iter().filter_map(|draft| self.tool_call(draft)).collect()
    }

    fn tool_call(&mut self, draft: PartialCall) -> Option<ToolCall> {
        let wire_id = Some(draft.call_id.as_str()).filter(|id| !id.is_empty());
        let args = match draft.arguments.is_empty() {
            true => Arguments::default(),
            false => Arguments::parse(&draft.arguments),
        };
        self.calls.report(wire_id, &draft.name, args)
    }

    /// The turn continues while the model waits for results, or has more to say.
    fn turn_over(
        &self,
        active: &ActiveResponse,
        calls: CallsMade,
        end: TurnEnd,
        effects: &mut Effects,
    ) {
        let goes_on = calls == CallsMade::Some
            || active.kind == ResponseKind::Say
            || self.replies.is_wanted();
        if !goes_on {
            effects.tell(ProviderEvent::TurnComplete(end));
        }
    }

    fn turn_end(
        &mut self,
        active: &ActiveResponse,
        response: &Response<'_>,
        effects: &mut Effects,
    ) -> TurnEnd {
        match response.status.as_str() {
            "cancelled" => {
                if !active.interrupted {
                    effects.tell(ProviderEvent::Interrupted);
                }
                TurnEnd::Interrupted
            }
            "failed" => self.failed(active, response, effects),
            "incomplete" => {
                TurnEnd::Stopped(lenient::excerpt(response.status_details.reason.as_str()))
            }
            _ => {
                self.replies.succeeded();
                if active.kind != ResponseKind::Say && !active.delivered {
                    effects.tell(ProviderEvent::GenerationComplete);
                }
                TurnEnd::Finished
            }
        }
    }

    /// A failed reply is requested once more; after that, the turn ends.
    fn failed(
        &mut self,
        active: &ActiveResponse,
        response: &Response<'_>,
        effects: &mut Effects,
    ) -> TurnEnd {
        let nothing = ErrorDetails::default();
        let details = response.status_details.error.as_ref().unwrap_or(&nothing);
        let about =
            if active.kind == ResponseKind::Say { FaultSubject::Say } else { FaultSubject::Reply };
        let fault = fault::classify(details, about);
        let end = TurnEnd::Stopped(fault.code.clone());
        let again = fault.severity == Severity::Ignore && active.kind != ResponseKind::Say;
        let reason = if again && self.replies.retry() { ASKED_AGAIN } else { fault.reason };
        effects.tell(ProviderEvent::Fault(ProviderFault { reason, ..fault }));
        end
    }

    fn error(&mut self, error: &ErrorDetails<'_>, effects: &mut Effects) {
        let about = event_id::about(error.event_id.as_str());
        let fault = fault::classify(error, about);
        let code = error.code.as_str();
        effects.tell(ProviderEvent::Fault(fault.clone()));
        match fault.about {
            FaultSubject::Reply | FaultSubject::Say if code == fault::ALREADY_ACTIVE => {
                self.replies.refused();
            }
            FaultSubject::Reply => {
                self.replies.given_up();
                effects.tell(ProviderEvent::TurnComplete(TurnEnd::Stopped(fault.code)));
            }
            FaultSubject::Say => self.replies.given_up(),
            FaultSubject::Text | FaultSubject::Result(_) => self.replies.item_seen(),
            FaultSubject::Interrupt if code == fault::NOT_ACTIVE => {
                if let Some(active) = self.replies.cancel_refused() {
                    self.over(&active, active.end(), effects);
                }
            }
            _ => {}
        }
    }
}

/// Whether a response issued calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CallsMade {
    Some,
    None,
}

fn tell_calls(calls: Vec<ToolCall>, effects: &mut Effects) -> CallsMade {
    if calls.is_empty() {
        return CallsMade::None;
    }
    effects.tell(ProviderEvent::ToolCalls(calls));
    CallsMade::Some
}

fn kind(response: &Response<'_>) -> ResponseKind {
    match response.metadata.aileron.as_str() {
        "reply" => ResponseKind::Reply,
        "say" => ResponseKind::Say,
        _ => ResponseKind::ServerStarted,
    }
}

fn words_of(by: Speaker, words: &str, stage: TranscriptStage, effects: &mut Effects) {
    if !words.is_empty() {
        effects.tell(ProviderEvent::Transcript { by, text: words.to_owned(), stage });
    }
}

fn rate_limit(entry: &RateLimitEntry<'_>) -> RateLimit {
    RateLimit {
        name: entry.name.as_str().to_owned(),
        limit: entry.limit,
        remaining: entry.remaining,
        reset: Duration::try_from_secs_f64(entry.reset_seconds).unwrap_or_default(),
    }
}
