//! The model's part: messages with calls, their results, and being cut short.

use std::sync::Arc;

use aileron_contract::{CallId, ErrorType, Mode, ToolResponse};
use aileron_rehearsal::StepResult;
use aileron_script::ScriptCall;
use aileron_simulator::simulated_model::ModelAction as Does;

use super::{Channel, Made, Message, Player};
use crate::conformance::backstage::{message, returned};

impl Player {
    /// Has the model make the calls of one message.
    pub(super) fn start(&mut self, calls: &[ScriptCall]) -> Made {
        let token = self.tokens().pop().map_or_else(String::new, |(_, token)| token);
        let ids = calls.iter().map(|call| call.id.clone()).enumerate();
        let fresh = ids.filter(|(_, id)| self.made.insert(id.clone())).collect();
        self.started.push_back(Message { place: self.others.len(), fresh, is_cut: false });
        self.lets_go()?;
        self.backstage.act(vec![message(calls, &token)])
    }

    /// Waits until the oldest message that was started has its answers, and the model has them.
    pub(super) async fn get(&mut self, played: &StepResult) -> Made {
        let Some(message) = self.started.pop_front() else {
            return Err("no message was started".to_owned());
        };
        let answers = || played.answers.iter().enumerate();
        let repeated = answers().filter(|(at, _)| !message.fresh.contains_key(at));
        self.repeated.extend(repeated.map(|(at, _)| (played.line, at)));
        let own = |(_, (_, answer)): &(usize, &(_, Arc<ToolResponse>))| {
            let withheld = message.is_cut && is_cut(answer);
            !answer.meta().replayed && !withheld
        };
        for (_, (_, answer)) in answers().filter(own) {
            // A task is answered when it begins, and its call when it ends.
            let runs = answer.meta().task.as_ref().is_some_and(|task| !task.has_ended());
            let word = if runs { "task" } else { "answered" };
            self.is_told(&format!("{word} {} ", answer.meta().call_id)).await?;
        }
        let fresh = answers().filter(|(at, _)| message.fresh.contains_key(at));
        let given = fresh.filter(|(_, (_, answer))| !is_cut(answer));
        let given: Vec<_> = given.map(|(_, (call, _))| call.clone()).collect();
        for call in &given {
            *self.returned.entry(call.clone()).or_default() += 1;
        }
        if message.is_cut && self.transport.takes_back() {
            // The result of a call that ran in spite of its cancellation is sent as text, before
            // the model speaks.
            for call in &given {
                self.backstage.told_of(call).await?;
            }
        }
        if message.is_cut || given.is_empty() {
            return Ok(());
        }
        let counts = self.returned.clone();
        let knows = |scene: &_| given.iter().all(|call| returned(scene, call) >= counts[call]);
        self.backstage.asked(knows).await?;
        self.note_over(message.place).await
    }

    async fn is_told(&self, line: &str) -> Made {
        let found = self.watcher.find(0, line).await;
        found.map(drop).map_err(|lines| format!("no event {line:?} among {lines:#?}"))
    }

    /// Notes what came over a connection. One that was left comes to its end with that.
    async fn note_over(&mut self, place: usize) -> Made {
        match self.others.get_mut(place) {
            None => {
                self.note();
                Ok(())
            }
            Some(Channel::Text(writing)) => {
                self.backstage.read();
                self.backstage.answer(vec![Does::Say("That is all.".to_owned())]);
                writing.finished().await
            }
            Some(Channel::Voice(_) | Channel::None) => Ok(()),
        }
    }

    /// Notes what the model was given in writing.
    pub(super) fn note(&mut self) {
        match self.talk.mode {
            Mode::Text => self.backstage.read(),
            Mode::Voice => self.backstage.look(),
        }
    }

    /// Has the model say something. Aloud, it is not done with it until the next step.
    pub(super) async fn model_says(&mut self, text: &str) -> Made {
        let Channel::Voice(listener) = &mut self.channel else { return Ok(()) };
        listener.catch_up();
        let held = self.backstage.control().withhold_generation_complete();
        held.map_err(|error| error.to_string())?;
        self.backstage.act(vec![Does::Say(text.to_owned())])?;
        let last = text.split_whitespace().last().unwrap_or_default();
        while listener.expect(&["transcript"]).await?["text"].as_str().map(str::trim) != Some(last)
        {
        }
        self.is_speaking = true;
        self.said.push(format!("{} model: {text}", self.talk.turns));
        Ok(())
    }

    /// The model finishes speaking, unless it was interrupted.
    pub(super) fn lets_go(&mut self) -> Made {
        if !std::mem::take(&mut self.is_speaking) {
            return Ok(());
        }
        self.backstage.control().release_turn_complete().map_err(|error| error.to_string())
    }

    /// The model has nothing more to say, and its turn ends.
    pub(super) async fn rest(&mut self) -> Made {
        let is_asked = self.backstage.is_asked();
        let is_speaking = self.is_speaking;
        self.lets_go()?;
        match &mut self.channel {
            Channel::Voice(listener) if is_speaking => {
                listener.expect(&["turn_complete"]).await.map(drop)
            }
            Channel::Voice(listener) if is_asked => {
                listener.catch_up();
                let ended = listener.expect(&["turn_complete"]);
                self.backstage.silent_until(ended).await.map(drop)
            }
            Channel::Text(writing) => {
                if is_asked {
                    self.backstage.answer(vec![Does::Say("That is all.".to_owned())]);
                }
                writing.finished().await
            }
            Channel::Voice(_) | Channel::None => Ok(()),
        }
    }

    pub(super) async fn interrupt(&mut self) -> Made {
        self.started.iter_mut().for_each(|message| message.is_cut = true);
        self.backstage.control().interrupt().map_err(|error| error.to_string())?;
        match &mut self.channel {
            Channel::Voice(listener) => listener.expect(&["interrupted"]).await.map(drop)?,
            Channel::Text(_) | Channel::None => return Err("nobody can cut in".to_owned()),
        }
        self.lets_go()
    }

    pub(super) fn take_back(&mut self, call: &CallId) -> Made {
        let cancelled = self.backstage.control().cancel(std::slice::from_ref(call));
        cancelled.map_err(|error| error.to_string())
    }
}

fn is_cut(answer: &ToolResponse) -> bool {
    answer.failure().is_some_and(|failure| failure.kind == ErrorType::Cancelled)
}
