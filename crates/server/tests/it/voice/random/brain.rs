//! A model that makes various calls. Its actions depend only on its input, so a model that is
//! resumed at an earlier state repeats them, under other ids.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use aileron_contract::CallId;
use aileron_simulator::SimulatedModel;
use aileron_simulator::simulated_model::{HistoryItem, ModelAction, ModelInput, PlannedCall};
use futures_util::future::BoxFuture;
use serde_json::{Map, Value, json};

use super::chance::Chance;

#[derive(Debug)]
pub(super) struct Whim {
    seed: u64,
    calls: AtomicU64,
}

impl Whim {
    pub(super) fn new(seed: u64) -> Self {
        Self { seed, calls: AtomicU64::new(0) }
    }

    fn mood(&self, scene: &ModelInput) -> Chance {
        let mut hasher = DefaultHasher::new();
        (self.seed, scene.items.len()).hash(&mut hasher);
        if let Some(HistoryItem::Heard { text, .. } | HistoryItem::Said { text }) =
            scene.items.last()
        {
            text.hash(&mut hasher);
        }
        Chance::new(hasher.finish())
    }

    fn call(&self, chance: &mut Chance) -> PlannedCall {
        let n = self.calls.fetch_add(1, Ordering::Relaxed);
        let id = CallId::new(format!("call-{}-{n}", self.seed)).ok();
        let tools = ["look", "look", "send", "send", "pay", "note_down", "nothing_like_it"];
        let name = tools[usize::try_from(chance.below(7)).unwrap()];
        let args = match chance.below(6) {
            0 => json!({ "n": "many" }),
            n => json!({ "n": n }),
        };
        let args: Map<String, Value> = args.as_object().unwrap().clone();
        PlannedCall { id, name: name.to_owned(), args }
    }
}

impl SimulatedModel for Whim {
    fn reply(&self, scene: ModelInput) -> BoxFuture<'_, Vec<ModelAction>> {
        let mut chance = self.mood(&scene);
        let since =
            scene.items.iter().rev().take_while(|item| !matches!(item, HistoryItem::Heard { .. }));
        let called = since.filter(|item| matches!(item, HistoryItem::Called(_))).count();
        let steps = match chance.below(4) {
            0 | 1 if called < 4 => {
                let count = 1 + chance.below(3);
                vec![ModelAction::Call((0..count).map(|_| self.call(&mut chance)).collect())]
            }
            2 if called < 4 => {
                let say = ModelAction::Say("Let me see.".to_owned());
                vec![say, ModelAction::Call(vec![self.call(&mut chance)])]
            }
            _ => vec![ModelAction::Say("That is all. There is no more.".to_owned())],
        };
        Box::pin(std::future::ready(steps))
    }
}
