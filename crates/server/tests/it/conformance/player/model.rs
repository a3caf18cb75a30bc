//! The model's part: messages with calls, their results, and being cut short.

use aileron_contract::{CallId, ErrorType, Mode};
use aileron_rehearsal::Played;
use aileron_script::Call;
use aileron_simulator::brain::Step as Does;

use super::{Channel, Made, Message, Player};
use crate::conformance::backstage::{message, returned};

impl Player {
    /// Has the model make the calls of one message.
    pub(super) fn start(&mut self, calls: &[Call]) -> Made {
        let token = self.tokens().pop().map_or_else(String::new, |(_, token)| token);
        self.started.push_back(Message { is_cut: false });
        self.backstage.act(vec![message(calls, &token)])
    }

    /// Waits until the oldest message that was started has its answers, and the model has them.
    pub(super) async fn get(&mut self, played: &Played) -> Made {
        let Some(message) = self.started.pop_front() else {
            return Err("no message was started".to_owned());
        };
        for (_, answer) in played.answers.iter().filter(|(_, answer)| !answer.meta().replayed) {
            let line = format!("answered {} ", answer.meta().call_id);
            let found = self.watcher.find(0, &line).await;
            found.map_err(|lines| format!("no event {line:?} among {lines:#?}"))?;
        }
        if message.is_cut && played.answers.iter().all(|(_, answer)| is_cut(answer)) {
            return Ok(());
        }
        for (call, answer) in &played.answers {
            if !is_cut(answer) {
                *self.returned.entry(call.clone()).or_default() += 1;
            }
        }
        if message.is_cut {
            return Ok(());
        }
        let calls: Vec<_> = played.answers.iter().map(|(call, _)| call.clone()).collect();
        let wanted: Vec<_> = calls.iter().map(|call| (call, self.returned.get(call))).collect();
        let knows = |scene: &_| {
            wanted.iter().all(|(call, count)| returned(scene, call) >= count.copied().unwrap_or(0))
        };
        self.backstage.asked(knows).await?;
        self.note();
        Ok(())
    }

    /// Notes what the model was given in writing.
    pub(super) fn note(&mut self) {
        match self.talk.mode {
            Mode::Text => self.backstage.read(),
            Mode::Voice => self.backstage.look(),
        }
    }

    /// The model has nothing more to say, and its turn ends.
    pub(super) async fn rest(&mut self) -> Made {
        let is_asked = self.backstage.is_asked();
        match &mut self.channel {
            Channel::Voice(listener) if is_asked => {
                listener.catch_up();
                self.backstage.answer(Vec::new());
                listener.expect(&["turn_complete"]).await.map(drop)
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
            Channel::Voice(listener) => listener.expect(&["interrupted"]).await.map(drop),
            Channel::Text(_) | Channel::None => Err("nobody can cut in".to_owned()),
        }
    }

    pub(super) fn take_back(&mut self, call: &CallId) -> Made {
        let cancelled = self.backstage.control().cancel(std::slice::from_ref(call));
        cancelled.map_err(|error| error.to_string())
    }
}

fn is_cut(answer: &aileron_contract::ToolResponse) -> bool {
    answer.failure().is_some_and(|failure| failure.kind == ErrorType::Cancelled)
}
