//! A brain that does what a test tells it: the test sees what the model was given
//! and says what the model does.

use aileron_contract::CallId;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::{Map, Value};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

use crate::simulated_model::{
    HistoryItem, ModelAction, ModelCallResult, ModelInput, PlannedCall, SimulatedModel,
};

/// The brain's side: give it to a simulator.
#[derive(Debug)]
pub struct ManualModel {
    turns: UnboundedSender<ManualTurn>,
}

impl ManualModel {
    /// A brain, and the hand that moves it.
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

/// The test's side. A hand that was dropped leaves a model that says nothing.
#[derive(Debug)]
pub struct ManualModelHandle {
    turns: UnboundedReceiver<ManualTurn>,
}

impl ManualModelHandle {
    /// The next time the model is asked; nothing once the simulator is gone.
    pub async fn turn(&mut self) -> Option<ManualTurn> {
        self.turns.recv().await
    }

    /// Has the model answer the next time it is asked.
    pub async fn say(&mut self, text: &str) -> Option<ModelInput> {
        let turn = self.turn().await?;
        Some(turn.does(vec![ModelAction::Say(text.to_owned())]))
    }

    /// Has the model make these calls the next time it is asked, and waits for what they were
    /// answered. The turn that has the answers is handed back to go on from.
    pub async fn call(
        &mut self,
        calls: Vec<PlannedCall>,
    ) -> Option<(Vec<ModelCallResult>, ManualTurn)> {
        self.turn().await?.does(vec![ModelAction::Call(calls)]);
        let next = self.turn().await?;
        Some((next.results(), next))
    }
}

/// The model was asked.
#[derive(Debug)]
pub struct ManualTurn {
    pub scene: ModelInput,
    reply: oneshot::Sender<Vec<ModelAction>>,
}

impl ManualTurn {
    /// The model does this. It is lost if the person has cut in meanwhile.
    pub fn does(self, steps: Vec<ModelAction>) -> ModelInput {
        let _ = self.reply.send(steps);
        self.scene
    }

    /// Whether the person has cut in, so that nobody waits for what the model does.
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

    /// The results that came since the model spoke or called last.
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

/// A call to be made, with an id of its own or one that is made up.
pub fn asked(id: Option<CallId>, name: &str, args: Map<String, Value>) -> PlannedCall {
    PlannedCall { id, name: name.to_owned(), args }
}
