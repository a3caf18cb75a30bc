//! What the model does: words, calls, the end of a turn, and being cut short.

use std::time::Duration;

use aileron_contract::CallId;

use super::{GeminiLive, Open};
use crate::audio;
use crate::brain::{Asked, Call, Item, Step};
use crate::delivery::{AfterCalls, Piece};
use crate::fault::Fault;
use crate::gemini_live::map::{self, Speaks};
use crate::live::{Close, Out, dictated};
use crate::speech::Spoken;

const EXHAUSTED: &str = "You exceeded your current quota (RESOURCE_EXHAUSTED)";

const TIME_UP: &str = "the connection has reached its longest duration";

impl GeminiLive {
    /// Asks the model, or has it asked when it is done with what it does.
    pub(super) fn answer(&mut self, out: &mut Out) {
        if self.world.faults.has(Fault::RateLimit) {
            return self.refuse((1008, EXHAUSTED.to_owned()), out);
        }
        if self.is_busy() {
            self.waiting = true;
            return;
        }
        self.waiting = false;
        if let Some(sentence) = self.take_dictated() {
            return self.begin(vec![Step::Say(sentence)]);
        }
        self.thinking = true;
        if self.config.as_ref().is_some_and(|config| config.resumable) {
            out.send(map::resumption(None));
        }
        out.ask(self.scene.clone());
    }

    /// The sentence that the newest text tells the model to say. Nobody said that text, so the model
    /// remembers only what it says.
    fn take_dictated(&mut self) -> Option<String> {
        let Some(Item::Heard { text, .. }) = self.scene.items.last() else { return None };
        let sentence = dictated(text)?.to_owned();
        self.scene.items.pop();
        Some(sentence)
    }

    /// Begins to do what the model decided.
    pub(super) fn begin(&mut self, steps: Vec<Step>) {
        self.delivery.load(steps, AfterCalls::Wait);
    }

    pub(super) fn put(&mut self, piece: Piece, out: &mut Out) {
        match piece {
            Piece::Thought(text) => {
                if self.config.as_ref().is_some_and(|config| config.shows_thoughts) {
                    out.send(map::thought(&text));
                }
            }
            Piece::Spoken(spoken) => self.say(&spoken, out),
            Piece::Calls(calls) => self.call(calls, out),
            Piece::Between => {
                self.save();
                out.send(map::generation_complete());
                out.send(map::turn_of_several("IN_PROGRESS"));
            }
            Piece::Generated => {
                self.save();
                out.send(map::generation_complete());
            }
            Piece::End => self.end(out),
        }
    }

    fn say(&mut self, Spoken { text: word, pcm }: &Spoken, out: &mut Out) {
        self.said.push_str(word);
        self.unsaved.push_str(word);
        match self.config.as_ref().map_or(Speaks::Audio, |config| config.speaks) {
            Speaks::Text => out.send(map::text(word)),
            Speaks::Audio => {
                out.send(map::sound(pcm));
                if self.config.as_ref().is_some_and(|config| config.transcribes_model) {
                    out.send(map::output_transcription(word));
                }
                self.delivery.sounds_for(audio::pcm_ms(pcm.len(), audio::RATE));
            }
        }
    }

    fn call(&mut self, asked: Vec<Asked>, out: &mut Out) {
        self.save();
        let calls: Vec<Call> = asked.into_iter().filter_map(|asked| self.made(asked)).collect();
        for call in &calls {
            let waited_for = !self.asynchronous.contains(&call.name);
            // Results are told apart by their ids, so a call that is made twice is answered once.
            if !self.was_made(&call.id) {
                self.open.push(Open { id: call.id.clone(), name: call.name.clone(), waited_for });
            }
            self.scene.items.push(Item::Called(call.clone()));
        }
        let frame = map::tool_call(&calls);
        if self.world.faults.has(Fault::CallTwice) {
            out.send(map::call_in_content(&calls));
        }
        out.send(frame.clone());
        if self.world.faults.has(Fault::DuplicateCall) {
            out.send(frame.clone());
        }
        self.last_calls = Some(frame);
        if !self.open.iter().any(|open| open.waited_for) {
            self.delivery.end();
        }
    }

    fn was_made(&self, id: &CallId) -> bool {
        let made = |item: &Item| matches!(item, Item::Called(call) if call.id == *id);
        self.scene.items.iter().any(made)
    }

    /// The call with its id. One that the provider makes up is always an id.
    fn made(&self, asked: Asked) -> Option<Call> {
        let made_up = || CallId::new(self.world.ids.next("function-call-")).ok();
        let id = asked.id.or_else(made_up)?;
        Some(Call { id, name: asked.name, args: asked.args })
    }

    /// Keeps what was said, so that the model remembers it.
    pub(super) fn save(&mut self) {
        let text = std::mem::take(&mut self.unsaved).trim().to_owned();
        if !text.is_empty() {
            self.scene.items.push(Item::Said { text });
        }
    }

    fn end(&mut self, out: &mut Out) {
        self.save();
        let said = std::mem::take(&mut self.said);
        if !self.world.faults.has(Fault::NoTurnComplete) {
            let mut frame = map::turn_complete(&self.scene, said.len());
            if self.world.faults.has(Fault::SeveralTurns) {
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

    /// The person cuts in: what the model was about to say or waits for is dropped.
    pub(super) fn cut_short(&mut self, out: &mut Out) {
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

    /// Takes calls back; without ids, all that are open. The turn ends if nothing else is waited for.
    pub(super) fn take_back(&mut self, ids: &[CallId], out: &mut Out) {
        let waited = self.open.iter().any(|open| open.waited_for);
        let named = |open: &&Open| ids.is_empty() || ids.contains(&open.id);
        let ids: Vec<_> = self.open.iter().filter(named).map(|open| open.id.clone()).collect();
        self.forget(&ids, out);
        if !waited || self.is_busy() {
            return;
        }
        match self.scene.items.last() {
            Some(Item::Returned(_)) => self.answer(out),
            _ => self.delivery.end(),
        }
    }

    fn forget(&mut self, ids: &[CallId], out: &mut Out) {
        if ids.is_empty() {
            return;
        }
        self.open.retain(|open| !ids.contains(&open.id));
        self.cancelled.extend_from_slice(ids);
        out.send(map::cancellation(ids));
    }

    pub(super) fn go_away(&mut self, left: Duration, out: &mut Out) {
        out.send(map::go_away(left));
        out.end_in = Some((left, Close::new(1001, TIME_UP)));
    }
}
