//! Several registries side by side: each conversation keeps the one it began with, whatever is offered later.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use aileron_capability::success;
use aileron_contract::{ConversationId, Mode, UserId};
use aileron_orchestrator::{
    Archive, AssignmentRule, Conversation, Offer, OpenError, OpenRequest, Person, TurnInput,
};
use aileron_runtime::Registry;
use serde_json::{Value, json};

use crate::stage::{Stage, ada, call, native, registry, spec};

/// A registry with one tool, whose description makes it different from the others.
fn named(name: &str) -> Arc<Registry> {
    let who = native("who", |_, _| Box::pin(async { success(json!("here")) }));
    registry(&[(spec("who", json!({ "description": format!("Of {name}.") })), who)])
}

fn offer(names: &[&str], rules: Value) -> Offer {
    let registries = names.iter().map(|name| ((*name).to_owned(), named(name))).collect();
    Offer { registries, rules: serde_json::from_value::<Vec<AssignmentRule>>(rules).unwrap() }
}

fn known(name: &str) -> Person {
    Person::known(UserId::new(name).unwrap())
}

fn version(name: &str) -> String {
    named(name).version().to_owned()
}

async fn open(stage: &Stage, id: &str, person: Person) -> Conversation {
    stage.open_as(id, Mode::Text, person).await
}

fn pinned(conversation: &Conversation) -> String {
    conversation.registry().version().to_owned()
}

#[tokio::test]
async fn a_conversation_keeps_its_registry_when_the_rules_change() {
    let stage = Stage::new(&[]);
    let names = ["default", "blue"];
    let rules = json!([{ "registry": "blue", "users": ["ada"] }]);
    stage.orchestrator.offer(offer(&names, rules)).unwrap();
    let first = open(&stage, "first", ada()).await;
    assert_eq!(pinned(&first), version("blue"));
    assert_eq!(pinned(&open(&stage, "other", known("mira")).await), version("default"));
    stage
        .orchestrator
        .offer(offer(&["default", "green"], json!([{ "registry": "green" }])))
        .unwrap();
    assert_eq!(pinned(&open(&stage, "second", ada()).await), version("green"));
    // In memory, and again from the store.
    assert_eq!(pinned(&open(&stage, "first", ada()).await), version("blue"));
    stage.orchestrator.release(first.id());
    let again = open(&stage, "first", ada()).await;
    assert_eq!(pinned(&again), version("blue"));
    again.begin_turn(TurnInput::Written).await.unwrap();
    let answers = again.call(vec![call("call-00001", "who", json!({}))]).await;
    let answer = serde_json::to_value(&*answers[0]).unwrap();
    assert_eq!(answer["ok"], true, "{answer}");
    let id = ConversationId::new("first").unwrap();
    let assigned = stage.orchestrator.inspect(&id).await.unwrap().unwrap().assigned.unwrap();
    assert_eq!(assigned.name, "blue");
    assert_eq!(assigned.reason, "rule 1: the person is named");
}

#[tokio::test]
async fn an_offer_with_a_fault_changes_nothing() {
    let stage = Stage::new(&[]);
    stage.orchestrator.offer(offer(&["default", "blue"], json!([{ "registry": "blue" }]))).unwrap();
    let before = pinned(&open(&stage, "before", ada()).await);
    for (names, rules, fault) in [
        (&["default"][..], json!([{ "registry": "blue" }]), "there is no registry \"blue\""),
        (&["blue"][..], json!([]), "expected a registry called \"default\", found none"),
        (&["default", "blue"][..], json!([{ "users": ["ada"] }]), "expected `registry`"),
    ] {
        let faults = stage.orchestrator.offer(offer(names, rules)).unwrap_err();
        assert!(faults[0].contains(fault), "{faults:?}");
    }
    assert_eq!(pinned(&open(&stage, "after", ada()).await), before);
}

#[tokio::test]
async fn a_named_registry_needs_a_rule_and_concerns_new_conversations_only() {
    let stage = Stage::new(&[]);
    let rules = json!([{ "registry": "blue", "requested": true, "users": ["ada"] }]);
    stage.orchestrator.offer(offer(&["default", "blue"], rules)).unwrap();
    let ask = |id: &str, person: Person, wanted: &'static str| {
        let request =
            OpenRequest { id: ConversationId::new(id).unwrap(), mode: Mode::Text, person };
        let orchestrator = stage.orchestrator.clone();
        async move { orchestrator.open_with(request, Some(wanted)).await }
    };
    assert_eq!(pinned(&ask("one", ada(), "blue").await.unwrap()), version("blue"));
    assert_eq!(pinned(&ask("one", ada(), "default").await.unwrap()), version("blue"));
    let refused = ask("two", known("mira"), "blue").await.unwrap_err();
    assert!(matches!(refused, OpenError::RegistryRefused(_)), "{refused}");
    let refused = ask("two", ada(), "red").await.unwrap_err();
    assert!(refused.to_string().contains("expected a `registry` of blue, default"), "{refused}");
}

#[derive(Debug, Default)]
struct Shelf(BTreeMap<String, String>);

impl Archive for Shelf {
    fn load(&self, version: &str) -> Result<Option<Arc<Registry>>, String> {
        Ok(self.0.get(version).map(|name| named(name)))
    }
}

/// Fifty versions, each with one conversation: a bounded number stays in memory, and each can be used again.
#[tokio::test]
async fn earlier_registries_are_unloaded_and_loaded_again() {
    let stage = Stage::new(&[]);
    let names: Vec<String> = (0..50).map(|at| format!("v{at}")).collect();
    let shelf = names.iter().map(|name| (version(name), name.clone())).collect();
    stage.orchestrator.set_archive(Arc::new(Shelf(shelf)));
    let mut loaded: Vec<Weak<Registry>> = Vec::new();
    let held = open_version(&stage, "v0", &mut loaded).await;
    for name in &names[1..] {
        let conversation = open_version(&stage, name, &mut loaded).await;
        stage.orchestrator.release(conversation.id());
    }
    let alive = |loaded: &[Weak<Registry>]| {
        loaded.iter().filter(|registry| registry.strong_count() > 0).count()
    };
    // The offered one, eight recent ones, and the one that an open conversation uses.
    assert_eq!(alive(&loaded), 10);
    assert_eq!(stage.orchestrator.registries().len(), 10);
    assert_eq!(pinned(&held), version("v0"));
    for name in &names {
        let again = open(&stage, name, ada()).await;
        assert_eq!(pinned(&again), version(name));
        stage.orchestrator.release(again.id());
    }
    drop(held);
    assert!(stage.orchestrator.registries().len() <= 10);
}

async fn open_version(stage: &Stage, name: &str, loaded: &mut Vec<Weak<Registry>>) -> Conversation {
    let registry = named(name);
    loaded.push(Arc::downgrade(&registry));
    let registries = [("default".to_owned(), registry)].into();
    stage.orchestrator.offer(Offer { registries, rules: Vec::new() }).unwrap();
    open(stage, name, ada()).await
}
