//! The model's output: words, calls, the end of a turn, and interruption.

use std::time::Duration;

use aileron_contract::CallId;

use super::{GeminiLive, OpenCall};
use crate::audio;
use crate::delivery::{AfterCalls, OutputChunk};
use crate::fault::InjectedFault;
use crate::gemini_live::map::{self, OutputModality};
use crate::live::{CloseReason, HandlerOutput, dictated};
use crate::simulated_model::{HistoryItem, ModelAction, ModelCall, PlannedCall};
use crate::speech::SpokenPiece;

const EXHAUSTED: &str = "You exceeded your current quota (RESOURCE_EXHAUSTED)";

const TIME_UP: &str = "the connection has reached its longest duration";

impl GeminiLive {
    /// Requests a reply of the model, now or after its current turn.
    pub(super) fn answer(&mut self, out: &mut HandlerOutput) {
        if self.shared.faults.has(InjectedFault::RateLimit) {
            return self.refuse((1008, EXHAUSTED.to_owned()), out);
        }
        if self.is_busy() {
            self.waiting = true;
            return;
        }
        self.waiting = false;
        if let Some(sentence) = self.take_dictated() {
            return self.begin(vec![ModelAction::Say(sentence)]);
        }
        self.thinking = true;
        if self.config.as_ref().is_some_and(|config| config.resumable) {
            out.send(map::resumption(None));
        }
        out.ask(self.scene.clone());
    }

    /// The dictated sentence of the newest text. The text is removed from the history, so the model
    /// remembers only the sentence.
    fn take_dictated(&mut self) -> Option<String> {
        let Some(HistoryItem::Heard { text, .. }) = self.scene.items.last() else { return None };
        let sentence = dictated(text)?.to_owned();
        self.scene.items.pop();
        Some(sentence)
    }

    /// Starts the model's actions.
    pub(super) fn begin(&mut self, steps: Vec<ModelAction>) {
        self.delivery.load(steps, AfterCalls::Wait);
    }

    pub(super) fn put(&mut self, piece: OutputChunk, out: &mut HandlerOutput) {
        match piece {
            OutputChunk::Thought(text) => {
                if self.config.as_ref().is_some_and(|config| config.shows_thoughts) {
                    out.send(map::thought(&text));
                }
            }
            OutputChunk::Spoken(spoken) => self.say(&spoken, out),
            OutputChunk::Calls(calls) => self.call(calls, out),
            OutputChunk::Between => {
                self.save();
                out.send(map::generation_complete());
                out.send(map::turn_of_several("IN_PROGRESS"));
            }
            OutputChunk::Generated => {
                self.save();
                out.send(map::generation_complete());
            }
            OutputChunk::End => self.end(out),
        }
    }

    fn say(&mut self, SpokenPiece { text: word, pcm }: &SpokenPiece, out: &mut HandlerOutput) {
        self.said.push_str(word);
        self.unsaved.push_str(word);
        match self.config.as_ref().map_or(OutputModality::Audio, |config| config.speaks) {
            OutputModality::Text => out.send(map::text(word)),
            OutputModality::Audio => {
                out.send(map::sound(pcm));
                if self.config.as_ref().is_some_and(|config| config.transcribes_model) {
                    out.send(map::output_transcription(word));
                }
                self.delivery.sounds_for(audio::pcm_ms(pcm.len(), audio::RATE));
            }
        }
    }

    fn call(&mut self, asked: Vec<PlannedCall>, out: &mut HandlerOutput) {
        self.save();
        let calls: Vec<ModelCall> =
            asked.into_iter().filter_map(|asked| self.with_id(asked)).collect();
        for call in &calls {
            let waited_for = !self.asynchronous.contains(&call.name);
            // Results are identified by call id, so a repeated call is answered once.
            if !self.was_made(&call.id) {
                self.open.push(OpenCall {
                    id: call.id.clone(),
                    name: call.name.clone(),
                    waited_for,
                });
            }
            self.scene.items.push(HistoryItem::Called(call.clone()));
        }
        let frame = map::tool_call(&calls);
        if self.shared.faults.has(InjectedFault::CallTwice) {
            out.send(map::call_in_content(&calls));
        }
        out.send(frame.clone());
        if self.shared.faults.has(InjectedFault::DuplicateCall) {
            out.send(frame.clone());
        }
        self.last_calls = Some(frame);
        if !self.open.iter().any(|open| open.waited_for) {
            self.delivery.end();
        }
    }

    fn was_made(&self, id: &CallId) -> bool {
        let made = |item: &HistoryItem| matches!(item, HistoryItem::Called(call) if call.id == *id);
        self.scene.items.iter().any(made)
    }

    /// The call with its id, or a generated one.
    fn with_id(&self, asked: PlannedCall) -> Option<ModelCall> {
        let made_up = || CallId::new(self.shared.ids.next("function-call-")).ok();
        let id = asked.id.or_else(made_up)?;
        Some(ModelCall { id, name: asked.name, args: asked.args })
    }

    /// Adds the spoken words to the history.
    pub(super) fn save(&mut self) {
        let text = std::mem::take(&mut self.unsaved).trim().to_owned();
        if !text.is_empty() {
            self.scene.items.push(HistoryItem::Said { text });
        }
    }

    fn end(&mut self, out: &mut HandlerOutput) {
        self.save();
        let said = std::mem::take(&mut self.said);
        if !self.shared.faults.has(InjectedFault::NoTurnComplete) {
            let mut frame = map::turn_complete(&self.scene, said.len());
            if self.shared.faults.has(InjectedFault::SeveralTurns) {
                frame["serverContent"]["interactionStatus"] = "IDLE".into();
            }
            out.send(frame);
        }
        if self.waiting {
            self.answer(out);
        } else {
            self.offer_handle(out);
        }
    }

    /// Barge-in: drops the model's remaining output and open calls.
    pub(super) fn cut_short(&mut self, out: &mut HandlerOutput) {
        if !self.is_busy() {
            return;
        }
        self.thinking = false;
        self.waiting = false;
        out.hush();
        self.delivery.clear();
        self.save();
        self.said.clear();
        out.send(map::interrupted());
        let waited_for = self.open.iter().filter(|open| open.waited_for);
        let ids: Vec<_> = waited_for.map(|open| open.id.clone()).collect();
        self.forget(&ids, out);
        out.send(map::turn_over());
        self.offer_handle(out);
    }

    /// Cancels calls; without ids, all that are open. The turn ends if no other call is open.
    pub(super) fn take_back(&mut self, ids: &[CallId], out: &mut HandlerOutput) {
        let waited = self.open.iter().any(|open| open.waited_for);
        let named = |open: &&OpenCall| ids.is_empty() || ids.contains(&open.id);
        let ids: Vec<_> = self.open.iter().filter(named).map(|open| open.id.clone()).collect();
        self.forget(&ids, out);
        if !waited || self.is_busy() {
            return;
        }
        match self.scene.items.last() {
            Some(HistoryItem::Returned(_)) => self.answer(out),
            _ => self.delivery.end(),
        }
    }

    fn forget(&mut self, ids: &[CallId], out: &mut HandlerOutput) {
        if ids.is_empty() {
            return;
        }
        self.open.retain(|open| !ids.contains(&open.id));
        self.cancelled.extend_from_slice(ids);
        out.send(map::cancellation(ids));
    }

    pub(super) fn go_away(&mut self, left: Duration, out: &mut HandlerOutput) {
        out.send(map::go_away(left));
        out.end_in = Some((left, CloseReason::new(1001, TIME_UP)));
    }
}
