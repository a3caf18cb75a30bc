//! Random concurrent messages, and the invariants for all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use aileron_contract::spec::Category;
use aileron_contract::{Mode, Outcome, ToolCall, ToolResponse};
use aileron_orchestrator::{Config, Conversation};
use aileron_store::AuditFilter;
use futures_util::future::join_all;
use proptest::prelude::*;
use serde_json::json;

use super::begun;
use crate::ground::{Ground, act, ask, look};
use crate::stage::{Stage, call, word};

/// Tool, arguments and id of a call. Ids repeat, and some are short.
#[derive(Debug, Clone)]
struct Made {
    tool: &'static str,
    n: u8,
    id: u8,
    is_long: bool,
}

impl Made {
    fn call(&self) -> ToolCall {
        let id =
            if self.is_long { format!("call-000-{}", self.id) } else { format!("c{}", self.id) };
        call(&id, self.tool, json!({ "n": self.n }))
    }
}

fn made() -> impl Strategy<Value = Made> {
    let tool = prop::sample::select(vec!["look", "find", "note", "book", "nothing"]);
    (tool, 0u8..4, 0u8..12, any::<bool>()).prop_map(|(tool, n, id, is_long)| Made {
        tool,
        n,
        id,
        is_long,
    })
}

fn messages() -> impl Strategy<Value = Vec<Vec<Made>>> {
    prop::collection::vec(prop::collection::vec(made(), 0..8), 1..6)
}

struct Held {
    stage: Stage,
    conversation: Conversation,
    name: String,
}

async fn held(mode: Mode) -> Held {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let find = look("find", json!({ "category": "retrieval" }));
    let tools = [look("look", json!({})), find, act("note", json!({})), ask("book")];
    let stage = Stage::new(&tools);
    let name = format!("batches-{}", COUNT.fetch_add(1, Ordering::Relaxed));
    let conversation = begun(&stage, &name, mode).await;
    Held { stage, conversation, name }
}

impl Held {
    /// All messages concurrently, each in a separate task.
    async fn play(&self, messages: &[Vec<Made>]) -> Vec<Vec<Arc<ToolResponse>>> {
        let tasks = messages.iter().map(|message| {
            let calls = message.iter().map(Made::call).collect();
            let conversation = self.conversation.clone();
            tokio::spawn(async move { conversation.call(calls).await })
        });
        join_all(tasks).await.into_iter().map(Result::unwrap).collect()
    }

    fn check(&self, messages: &[Vec<Made>], answers: &[Vec<Arc<ToolResponse>>]) {
        for (message, answers) in messages.iter().zip(answers) {
            check_order(message, answers);
        }
        let answers: Vec<_> = answers.iter().flatten().collect();
        self.check_records(&answers);
        self.check_budget(&answers);
        let ground = Ground::of(&self.name);
        assert_eq!(ground.overlaps(), 0);
        let mut effects = ground.effects();
        effects.sort();
        effects.dedup();
        assert_eq!(effects.len(), ground.effects().len(), "an effect happened twice");
    }

    /// One record for every call that is not a duplicate, and none besides.
    fn check_records(&self, answers: &[&Arc<ToolResponse>]) {
        self.stage.store.verify_audit().unwrap();
        let mut expected = BTreeMap::<_, usize>::new();
        for answer in answers.iter().filter(|answer| !answer.meta().replayed) {
            *expected.entry(answer.meta().call_id.to_string()).or_default() += 1;
        }
        let mut known = BTreeSet::new();
        let mut found = BTreeMap::<_, usize>::new();
        for record in self.stage.store.audit(AuditFilter::default()) {
            let entry = record.unwrap().entry;
            known.insert(entry.call_id.to_string());
            // A superseded confirmation is recorded, and is not a call of the model; a call that
            // was answered from another one is recorded as replayed.
            if !matches!(entry.outcome, Outcome::Superseded | Outcome::Replayed) {
                *found.entry(entry.call_id.to_string()).or_default() += 1;
            }
        }
        assert_eq!(found, expected);
        let answered = answers.iter().map(|answer| answer.meta().call_id.as_str());
        let missing: Vec<_> = answered.filter(|id| !known.contains(*id)).collect();
        assert!(missing.is_empty(), "no record of {missing:?}");
    }

    fn check_budget(&self, answers: &[&Arc<ToolResponse>]) {
        let budget = *Config::default().budgets.of(self.conversation.mode());
        let ran = answers.iter().filter(|answer| word(answer) == "ok" && !answer.meta().replayed);
        let ran: Vec<_> = ran.map(|answer| answer.meta().tool_id.as_str()).collect();
        assert!(ran.len() <= budget.total as usize, "{ran:?}");
        let registry = self.conversation.registry();
        let is_retrieval = |tool: &&&str| {
            let tool = &registry.tools()[registry.position(tool).unwrap()];
            tool.spec().category == Category::Retrieval
        };
        assert!(ran.iter().filter(is_retrieval).count() <= budget.retrieval as usize, "{ran:?}");
    }
}

/// As many answers as calls, each to its own.
fn check_order(message: &[Made], answers: &[Arc<ToolResponse>]) {
    assert_eq!(message.len(), answers.len());
    for (made, answer) in message.iter().zip(answers) {
        assert_eq!(&made.call().call_id, &answer.meta().call_id);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..Default::default() })]

    #[test]
    fn whatever_is_called_is_answered_in_order_and_recorded_once(
        messages in messages(),
        is_voice in any::<bool>(),
    ) {
        let mode = if is_voice { Mode::Voice } else { Mode::Text };
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
        runtime.block_on(async {
            let held = held(mode).await;
            let answers = held.play(&messages).await;
            held.check(&messages, &answers);
        });
    }
}
