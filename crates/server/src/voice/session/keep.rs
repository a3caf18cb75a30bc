//! Puts what is said and called into the conversation's log, as it passes.

use aileron_orchestrator::TurnInput;

use super::Session;
use crate::voice::bridge::{Act, Order};
use crate::voice::limits::KEEP_MS;
use crate::voice::protocol::{Down, Role};

impl Session {
    pub(super) fn keep(&mut self, act: &Act) {
        let minutes = &mut self.minutes;
        match act {
            Act::Turn(input) => {
                minutes.turn_began();
                if let TurnInput::Spoken { text, .. } = input {
                    minutes.person_said(text);
                }
            }
            Act::Hear { text, .. } | Act::Order(Order::Text(text)) => minutes.person_said(text),
            Act::Tell(Down::Transcript { role: Role::Assistant, text, r#final, .. }) => {
                if *r#final { minutes.model_said(text) } else { minutes.model_speaks(text) }
            }
            Act::Tell(Down::TurnComplete) => minutes.model_fell_silent(),
            Act::Call(calls) => minutes.called(calls),
            Act::Order(Order::Results(results)) => minutes.answered(results),
            Act::Order(Order::LateResult(result)) => minutes.answered_late(result),
            _ => {}
        }
    }

    /// Whoever goes on with the conversation finds all of it, unless the store takes too long.
    pub(super) async fn close_minutes(&mut self) {
        let by = self.now().saturating_add(KEEP_MS);
        let wait = self.clock.wait_until(by);
        let lost = tokio::select! {
            lost = self.minutes.close() => lost,
            () = wait => return tracing::warn!("The transcript was not saved in time."),
        };
        if lost > 0 {
            tracing::warn!(lost, "Some transcript messages could not be saved.");
        }
    }
}
