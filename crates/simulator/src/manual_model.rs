//! A model that a test controls step by step: the test sees the model's input and chooses its
//! actions.

use aileron_contract::CallId;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::{Map, Value};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

use crate::simulated_model::{
    HistoryItem, ModelAction, ModelCallResult, ModelInput, PlannedCall, SimulatedModel,
};

/// The model's side, for a simulator.
#[derive(Debug)]
pub struct ManualModel {
    turns: UnboundedSender<ManualTurn>,
}

impl ManualModel {
    /// A model and its handle.
    pub fn new() -> (Self, ManualModelHandle) {
        let (turns, receiver) = unbounded_channel();
        (Self { turns }, ManualModelHandle { turns: receiver })
    }
}

impl SimulatedModel for ManualModel {
    fn reply(&self, scene: ModelInput) -> BoxFuture<'_, Vec<ModelAction>> {
        let (reply, steps) = oneshot::channel();
        let asked = self.turns.send(ManualTurn { scene, reply });
        async move {
            match asked {
                Ok(()) => steps.await.unwrap_or_default(),
                Err(_) => Vec::new(),
            }
        }
        .boxed()
    }
}

/// The test's side. After it is dropped, the model does nothing.
#[derive(Debug)]
pub struct ManualModelHandle {
    turns: UnboundedReceiver<ManualTurn>,
}

impl ManualModelHandle {
    /// Waits for the next request to the model; `None` once the simulator is gone.
    pub async fn turn(&mut self) -> Option<ManualTurn> {
        self.turns.recv().await
    }

    /// Answers the next request with this text.
    pub async fn say(&mut self, text: &str) -> Option<ModelInput> {
        let turn = self.turn().await?;
        Some(turn.does(vec![ModelAction::Say(text.to_owned())]))
    }

    /// Answers the next request with these calls, and waits for their results. Returns the turn
    /// that contains the results.
    pub async fn call(
        &mut self,
        calls: Vec<PlannedCall>,
    ) -> Option<(Vec<ModelCallResult>, ManualTurn)> {
        self.turn().await?.does(vec![ModelAction::Call(calls)]);
        let next = self.turn().await?;
        Some((next.results(), next))
    }
}

/// A request to the model.
#[derive(Debug)]
pub struct ManualTurn {
    pub scene: ModelInput,
    reply: oneshot::Sender<Vec<ModelAction>>,
}

impl ManualTurn {
    /// Performs these actions. They are dropped after a barge-in.
    pub fn does(self, steps: Vec<ModelAction>) -> ModelInput {
        let _ = self.reply.send(steps);
        self.scene
    }

    /// Whether the request was cancelled by a barge-in.
    pub fn is_over(&self) -> bool {
        self.reply.is_closed()
    }

    /// The last words of the person.
    pub fn heard(&self) -> Option<&str> {
        self.scene.items.iter().rev().find_map(|item| match item {
            HistoryItem::Heard { text, .. } => Some(text.as_str()),
            _ => None,
        })
    }

    /// The results since the model's last words or calls.
    pub fn results(&self) -> Vec<ModelCallResult> {
        let news = self.scene.items.iter().rev().take_while(|item| {
            matches!(item, HistoryItem::Returned(_) | HistoryItem::Heard { .. })
        });
        let mut results: Vec<_> = news
            .filter_map(|item| match item {
                HistoryItem::Returned(returned) => Some(returned.clone()),
                _ => None,
            })
            .collect();
        results.reverse();
        results
    }
}

/// A planned call; the protocol generates an id if there is none.
pub fn asked(id: Option<CallId>, name: &str, args: Map<String, Value>) -> PlannedCall {
    PlannedCall { id, name: name.to_owned(), args }
}
