//! A simulated model that follows the person's words.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use aileron_simulator::simulated_model::{
    HistoryItem, ModelAction, ModelInput, PlannedCall, SimulatedModel,
};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::{Map, Value, json};
use tokio::sync::Semaphore;

/// The model, and the named gates at which it waits.
#[derive(Debug, Default, Clone)]
pub(crate) struct Obedient(Arc<Mutex<HashMap<String, Arc<Semaphore>>>>);

impl Obedient {
    /// Lets one through, whether it waits or is still on its way.
    pub(crate) fn open(&self, gate: &str) {
        self.gate(gate).add_permits(1);
    }

    /// Waits until the model waits at a gate.
    pub(crate) async fn reached(&self, gate: &str) {
        while Arc::strong_count(&self.gate(gate)) < 3 {
            tokio::task::yield_now().await;
        }
    }

    /// Waits until the model has left the gate.
    pub(crate) async fn left(&self, gate: &str) {
        while Arc::strong_count(&self.gate(gate)) > 2 {
            tokio::task::yield_now().await;
        }
    }

    fn gate(&self, name: &str) -> Arc<Semaphore> {
        let closed = || Arc::new(Semaphore::new(0));
        self.0.lock().unwrap().entry(name.to_owned()).or_insert_with(closed).clone()
    }
}

impl SimulatedModel for Obedient {
    fn reply(&self, scene: ModelInput) -> BoxFuture<'_, Vec<ModelAction>> {
        let last = scene.items.into_iter().next_back();
        async move {
            match last {
                Some(HistoryItem::Heard { text, .. }) => self.obey(&text).await,
                Some(HistoryItem::Returned(returned)) => {
                    vec![ModelAction::Say(summary(&returned.result))]
                }
                _ => vec![ModelAction::Say("Nothing.".to_owned())],
            }
        }
        .boxed()
    }
}

impl Obedient {
    async fn obey(&self, text: &str) -> Vec<ModelAction> {
        match text.split_once(' ').unwrap_or((text, "")) {
            ("say", words) => vec![ModelAction::Say(words.to_owned())],
            ("think", words) => {
                vec![
                    ModelAction::Think("Let me see.".to_owned()),
                    ModelAction::Say(words.to_owned()),
                ]
            }
            ("look", _) => {
                vec![
                    ModelAction::Say("Looking.".to_owned()),
                    call("look", json!({ "query": "light" })),
                ]
            }
            ("book", n) => vec![call("book", json!({ "n": n.parse::<u64>().unwrap_or(0) }))],
            ("dig", _) => vec![call("dig", json!({}))],
            ("block", _) => vec![call("block", json!({}))],
            ("wait", words) => {
                if let Ok(permit) = self.gate(words).acquire().await {
                    permit.forget();
                }
                vec![ModelAction::Say(words.to_owned())]
            }
            ("flood", _) => vec![ModelAction::Say("x".repeat(2_000_000))],
            // A late answer arrives as text.
            _ => vec![ModelAction::Say(format!("Understood: {}.", text.len() > 3))],
        }
    }
}

fn call(name: &str, args: Value) -> ModelAction {
    let args: Map<String, Value> = args.as_object().cloned().unwrap_or_default();
    ModelAction::Call(vec![PlannedCall { id: None, name: name.to_owned(), args }])
}

fn summary(result: &Value) -> String {
    let text = result.to_string();
    match text.contains("person:mira") {
        true => "Ask Mira [person:mira].".to_owned(),
        false if text.contains("CONFIRMATION_REQUIRED") => "Please approve it.".to_owned(),
        false => "Done.".to_owned(),
    }
}
