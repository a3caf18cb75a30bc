//! Does what the bridge says.

use aileron_contract::ToolResponse;
use aileron_contract::transport::{CallResult, Command, Overdue};
use aileron_orchestrator::state::StateEvent;

use super::{POLICY, Session};
use crate::voice::bridge::{Act, Order};
use crate::voice::context::{json_chars, tokens};
use crate::voice::outbox::Room;
use crate::voice::protocol::{Down, Reason};

impl Session {
    /// Does all that is to be done.
    pub(super) fn perform(&mut self) {
        let mut acts = self.bridge.take_acts();
        for act in acts.drain(..) {
            self.act(act);
        }
        self.bridge.give_back(acts);
        if self.client.is_flushed()
            && let Some(happening) = self.when_sent.take()
        {
            self.follow(happening);
        }
    }

    fn act(&mut self, act: Act) {
        self.keep(&act);
        match act {
            Act::Play(pcm) => self.client.play(pcm),
            Act::Tell(message) => self.tell(&message),
            Act::TakeOpening => self.control.lane.take_opening(),
            Act::Hush => self.client.hush(),
            Act::Order(order) => self.order(order),
            Act::Turn(input) => self.control.lane.turn(input),
            Act::Hear { text, began_ms } => self.control.lane.hear(text, began_ms),
            Act::Call(calls) => self.control.lane.call(calls),
            Act::Confirm { token, approve } => {
                self.control.lane.confirm(token, approve, self.person.clone());
            }
            Act::Cancel(calls) => self.conversation.cancel(&calls),
            Act::Interrupt => self.conversation.interrupt(),
            Act::Follow(happening) => self.follow(happening),
            Act::FollowWhenSent(happening) => {
                self.when_sent = Some(happening);
                self.client.say_when_sent();
            }
            Act::End(end) => {
                self.end.get_or_insert(end);
            }
        }
    }

    pub(super) fn tell(&mut self, message: &Down) {
        if self.client.tell(message) == Room::None {
            self.ends(Reason::Misuse, POLICY);
        }
    }

    /// A state that does not fit is the conversation's to keep.
    fn follow(&mut self, happening: StateEvent) {
        if let Err(refusal) = self.conversation.on_event(happening) {
            tracing::debug!(%refusal, ?happening, "The conversation did not follow.");
        }
    }

    pub(super) fn order(&mut self, order: Order) {
        match &order {
            Order::Results(results) => {
                self.app.voice().figures().answers.add(results.len() as u64);
                results.iter().for_each(|result| self.count(result));
            }
            Order::LateResult(result) => self.count(result),
            _ => {}
        }
        let command = match &order {
            Order::Text(text) => Command::Text(text),
            Order::Results(results) => Command::Results(results),
            Order::LateResult(result) => Command::LateResult(result),
            Order::Interrupt { played_ms } => Command::Interrupt { played_ms: *played_ms },
            Order::Truncate { utterance, played_ms } => {
                Command::Truncate { utterance: *utterance, played_ms: *played_ms }
            }
            Order::Say(sentence) => Command::Say(sentence),
            Order::Open(sentence) => Command::Open(sentence),
            Order::AudioEnd => Command::AudioEnd,
            Order::TurnOverdue => Command::Overdue(Overdue::TurnEnd),
        };
        // What can wait for a connection does; the rest makes no sense without one.
        if let Err(error) = self.live.command(command) {
            tracing::debug!(%error, "The provider could not be told.");
        }
    }

    /// Estimates what a result takes of the model's window.
    fn count(&mut self, result: &CallResult) {
        let chars = match &*result.response {
            ToolResponse::Success { data, .. } => json_chars(data),
            ToolResponse::Failure { error, .. } => json_chars(error),
        };
        let tokens = tokens(chars);
        self.app.context_figures().result_tokens.record(tokens);
        let tool = result.response.meta().tool_id.as_str();
        tracing::info!(tool, tokens, "A result was given to the model.");
        let fill = self.context.add(tokens);
        self.warn(fill);
    }
}
