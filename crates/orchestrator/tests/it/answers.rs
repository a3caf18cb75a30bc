//! Answers are final: a refusal is an answer, an id identifies one call, a confirmation is resolved
//! once, and of two confirmations about one thing the newer counts. Each over a reopened store.

use std::sync::Arc;

use aileron_capability::Native;
use aileron_contract::{Mode, ToolResponse};
use aileron_orchestrator::{
    ConfirmError, ConfirmationOutcome, Conversation, ConversationEvent, Resolution, TurnInput,
};
use aileron_store::{SqliteOptions, SqliteStore};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::ground::{Ground, act, ask, look, wait};
use crate::stage::{Stage, ada, call, word, words};

/// One conversation over a store in a folder, which may be opened again and again.
struct Scene {
    folder: TempDir,
    name: &'static str,
    tools: Vec<(Value, Native)>,
}

impl Scene {
    fn new(name: &'static str, tools: Vec<(Value, Native)>) -> Self {
        Self { folder: tempfile::tempdir().unwrap(), name, tools }
    }

    /// Opens the conversation like another process: nothing is left in memory.
    async fn open(&self) -> (Stage, Conversation) {
        let path = self.folder.path().join("store.db");
        let store = SqliteStore::open(path, SqliteOptions::default()).unwrap();
        let stage = Stage::over(Arc::new(store), &self.tools);
        let conversation = stage.open_as(self.name, Mode::Text, ada()).await;
        (stage, conversation)
    }

    fn effects(&self) -> usize {
        Ground::of(self.name).effects().len()
    }
}

async fn one(conversation: &Conversation, id: &str, tool: &str, args: Value) -> ToolResponse {
    (*conversation.call(vec![call(id, tool, args)]).await[0]).clone()
}

async fn by_client(conversation: &Conversation, id: &str, tool: &str, args: Value) -> ToolResponse {
    (*conversation.call_by_client(vec![call(id, tool, args)]).await[0]).clone()
}

fn token(answer: &ToolResponse) -> String {
    answer.failure().unwrap().confirmation_request.as_ref().unwrap().token.clone()
}

async fn typed(conversation: &Conversation, text: &str) -> Vec<Resolution> {
    conversation.begin_turn(TurnInput::Typed { text: text.to_owned() }).await.unwrap().resolutions
}

/// Uses up the turn's budget of ten calls.
async fn use_up(conversation: &Conversation) {
    for n in 0..10 {
        let id = format!("call-look-{n}");
        assert_eq!(word(&one(conversation, &id, "look", json!({ "n": n })).await), "ok");
    }
}

#[tokio::test]
async fn a_refused_write_is_refused_whenever_it_is_delivered_again() {
    let scene = Scene::new("refused-write", vec![look("look", json!({})), act("note", json!({}))]);
    let (stage, conversation) = scene.open().await;
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    use_up(&conversation).await;
    let refused = one(&conversation, "call-note-1", "note", json!({})).await;
    assert_eq!(word(&refused), "BUDGET_EXCEEDED");
    // More refusals than one process would keep in memory.
    for n in 0..300 {
        let id = format!("call-more-{n}");
        assert_eq!(word(&one(&conversation, &id, "note", json!({})).await), "BUDGET_EXCEEDED");
    }
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    let again = one(&conversation, "call-note-1", "note", json!({})).await;
    assert!(word(&again) == "BUDGET_EXCEEDED" && again.meta().replayed);
    drop((stage, conversation));
    let (stage, conversation) = scene.open().await;
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    let again = one(&conversation, "call-note-1", "note", json!({})).await;
    assert!(word(&again) == "BUDGET_EXCEEDED" && again.meta().replayed);
    assert_eq!(scene.effects(), 0);
    let told = stage.records().into_iter().filter(|line| line.starts_with("call-note-1 "));
    assert_eq!(told.collect::<Vec<_>>(), ["call-note-1 refused:budgets"]);
}

#[tokio::test]
async fn a_refused_write_is_on_disk_before_it_is_answered() {
    let scene = Scene::new("refused-kept", vec![look("look", json!({})), act("note", json!({}))]);
    let (_stage, conversation) = scene.open().await;
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    use_up(&conversation).await;
    one(&conversation, "call-note-1", "note", json!({})).await;
    // Another process reads the file while the first still has it open.
    let path = scene.folder.path().join("store.db");
    let other = SqliteStore::open(path, SqliteOptions::default()).unwrap();
    let found = aileron_store::Store::lookup(&other, conversation.id(), "call-note-1").unwrap();
    assert!(matches!(found, Some(aileron_store::CallStatus::Finished(_))), "{found:?}");
}

#[tokio::test]
async fn a_clamped_call_is_known_again() {
    let clamped = json!({ "modeLimits": { "text": { "n": { "maximum": 3 } } } });
    let scene = Scene::new("clamped-again", vec![act("note", clamped)]);
    for process in 0..2 {
        let (_stage, conversation) = scene.open().await;
        conversation.begin_turn(TurnInput::Written).await.unwrap();
        let answer = by_client(&conversation, "call-note-1", "note", json!({ "n": 9 })).await;
        assert_eq!((word(&answer), answer.meta().replayed), ("ok", process == 1));
    }
    assert_eq!(scene.effects(), 1);
}

#[tokio::test]
async fn a_clients_id_names_one_call() {
    let tools = vec![act("note", json!({})), act("memo", json!({})), ask("book")];
    let scene = Scene::new("client-ids", tools);
    let (stage, conversation) = scene.open().await;
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    assert_eq!(word(&by_client(&conversation, "call-00001", "note", json!({})).await), "ok");
    let asked = by_client(&conversation, "call-00002", "book", json!({})).await;
    assert_eq!(word(&asked), "CONFIRMATION_REQUIRED");
    let check = async |conversation: &Conversation, replayed: bool| {
        let other = by_client(conversation, "call-00001", "note", json!({ "n": 2 })).await;
        let failure = other.failure().unwrap();
        assert_eq!((word(&other), other.meta().replayed), ("CONFLICT", replayed));
        assert!(failure.message.contains("`note` with other arguments"), "{}", failure.message);
        let other = by_client(conversation, "call-00001", "memo", json!({})).await;
        assert_eq!(word(&other), "CONFLICT");
        assert!(other.failure().unwrap().message.contains("`note`, another tool"));
        let other = by_client(conversation, "call-00002", "book", json!({ "n": 2 })).await;
        assert_eq!(word(&other), "CONFLICT");
        let same = by_client(conversation, "call-00001", "note", json!({})).await;
        assert!(word(&same) == "ok" && same.meta().replayed);
        let same = by_client(conversation, "call-00002", "book", json!({})).await;
        assert!(word(&same) == "CONFIRMATION_REQUIRED" && same.meta().replayed);
    };
    check(&conversation, false).await;
    drop((stage, conversation));
    let (stage, conversation) = scene.open().await;
    check(&conversation, true).await;
    assert_eq!(scene.effects(), 1);
    let conflicts = stage.records().into_iter().filter(|line| line.ends_with(":duplicates"));
    assert_eq!(conflicts.count(), 3);
}

#[tokio::test]
async fn an_id_twice_in_one_message_is_one_call_or_a_conflict() {
    let scene = Scene::new("ids-in-a-batch", vec![act("note", json!({}))]);
    let (_stage, conversation) = scene.open().await;
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    let batch = || [1, 1, 2, 2].map(|n| call("call-00001", "note", json!({ "n": n }))).to_vec();
    let answers = conversation.call_by_client(batch()).await;
    assert_eq!(words(&answers), ["ok", "ok", "CONFLICT", "CONFLICT"]);
    assert_eq!(scene.effects(), 1);
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    let answers = conversation.call(batch()).await;
    assert_eq!(words(&answers), ["ok", "ok", "CONFLICT", "CONFLICT"], "the client's answer stands");
}

#[tokio::test]
async fn a_provider_may_use_an_id_for_two_calls() {
    let scene = Scene::new("provider-ids", vec![act("note", json!({})), act("memo", json!({}))]);
    for process in 0..2 {
        let (_stage, conversation) = scene.open().await;
        conversation.begin_turn(TurnInput::Written).await.unwrap();
        for (tool, n) in [("note", 1), ("note", 2), ("memo", 1)] {
            let answer = one(&conversation, "call-00001", tool, json!({ "n": n })).await;
            assert_eq!((word(&answer), answer.meta().replayed), ("ok", process == 1));
            assert_eq!(answer.meta().tool_id, tool);
        }
    }
    assert_eq!(scene.effects(), 3);
}

#[tokio::test]
async fn an_id_of_a_call_that_runs_names_that_call() {
    let scene = Scene::new("running-ids", vec![wait("note", json!({}))]);
    let (_stage, conversation) = scene.open().await;
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    let running = tokio::spawn({
        let conversation = conversation.clone();
        async move { one(&conversation, "call-00001", "note", json!({ "n": 1 })).await }
    });
    let ground = Ground::of("running-ids");
    ground.arrival().await;
    let other = by_client(&conversation, "call-00001", "note", json!({ "n": 2 })).await;
    assert_eq!(word(&other), "CONFLICT");
    ground.open_gate(1);
    assert_eq!(word(&running.await.unwrap()), "ok");
    assert_eq!(scene.effects(), 1);
}

/// A tool that commits a draft, if the person approves.
fn commit() -> (Value, Native) {
    let parameters = json!({
        "type": "object", "additionalProperties": false, "required": ["draft_id"],
        "properties": {
            "draft_id": { "type": "string" }, "n": { "type": "integer", "default": 1 }
        }
    });
    act("commit", json!({ "requiresConfirmation": true, "parameters": parameters }))
}

fn closed(stage: &Stage) -> Vec<ConfirmationOutcome> {
    let closed = stage.memo.events().into_iter().filter_map(|event| match event {
        ConversationEvent::ConfirmationClosed { how, .. } => Some(how),
        _ => None,
    });
    closed.collect()
}

#[tokio::test]
async fn a_newer_question_about_the_same_draft_closes_the_older() {
    let scene = Scene::new("same-draft", vec![commit()]);
    let (stage, conversation) = scene.open().await;
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    let mut tokens = Vec::new();
    for (id, args) in [
        ("call-00001", json!({ "draft_id": "d1", "n": 1 })),
        ("call-00002", json!({ "draft_id": "d2", "n": 1 })),
        ("call-00003", json!({ "draft_id": "d1", "n": 2 })),
    ] {
        tokens.push(token(&one(&conversation, id, "commit", args).await));
    }
    assert_eq!(closed(&stage), [ConfirmationOutcome::Superseded]);
    drop((stage, conversation));
    let (_stage, conversation) = scene.open().await;
    let confirm = async |token: &str| conversation.confirm(token, true, &ada()).await;
    assert_eq!(
        confirm(&tokens[0]).await,
        Err(ConfirmError::Decided(ConfirmationOutcome::Superseded))
    );
    assert!(matches!(confirm(&tokens[1]).await, Ok(Resolution::Approved(_))));
    assert!(matches!(confirm(&tokens[2]).await, Ok(Resolution::Approved(_))));
    assert_eq!(scene.effects(), 2);
    let again = one(&conversation, "call-00001", "commit", json!({ "draft_id": "d1", "n": 1 }));
    let again = again.await;
    assert!(word(&again) == "DENIED" && again.meta().replayed);
}

#[tokio::test]
async fn words_that_take_it_back_close_the_question() {
    let scene = Scene::new("taken-back", vec![ask("book"), ask("pay")]);
    let (stage, conversation) = scene.open().await;
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    let booking = token(&one(&conversation, "call-00001", "book", json!({})).await);
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    let payment = token(&one(&conversation, "call-00002", "pay", json!({})).await);
    let [Resolution::Superseded(late)] = &typed(&conversation, "actually cancel that").await[..]
    else {
        panic!("expected the newest question to be closed");
    };
    assert_eq!((late[0].call_id.as_str(), word(&late[0].answer)), ("call-00002", "DENIED"));
    assert_eq!(closed(&stage), [ConfirmationOutcome::Superseded]);
    assert_eq!(typed(&conversation, "no, what is the budget of Atlas?").await, [], "long ago");
    let refused = conversation.confirm(&payment, true, &ada()).await;
    assert_eq!(refused, Err(ConfirmError::Decided(ConfirmationOutcome::Superseded)));
    let approved = conversation.confirm(&booking, true, &ada()).await;
    assert!(matches!(approved, Ok(Resolution::Approved(_))), "{approved:?}");
    assert_eq!(scene.effects(), 1);
}

#[tokio::test]
async fn a_question_is_decided_once() {
    let scene = Scene::new("decided-once", vec![ask("book")]);
    let (stage, conversation) = scene.open().await;
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    let (approved, declined) = (
        token(&one(&conversation, "call-00001", "book", json!({ "n": 1 })).await),
        token(&one(&conversation, "call-00002", "book", json!({ "n": 2 })).await),
    );
    conversation.confirm(&approved, true, &ada()).await.unwrap();
    conversation.confirm(&declined, false, &ada()).await.unwrap();
    drop((stage, conversation));
    let (stage, conversation) = scene.open().await;
    for (token, yes, no) in [
        (&approved, Ok("approved"), Err(ConfirmationOutcome::Approved)),
        (&declined, Err(ConfirmationOutcome::Declined), Ok("declined")),
    ] {
        for (approve, expected) in [(true, yes), (false, no)] {
            let found = match conversation.confirm(token, approve, &ada()).await {
                Ok(Resolution::Known(known)) => match *known {
                    Resolution::Approved(_) => Ok("approved"),
                    Resolution::Declined(_) => Ok("declined"),
                    other => panic!("{other:?}"),
                },
                Err(ConfirmError::Decided(how)) => Err(how),
                other => panic!("{other:?}"),
            };
            assert_eq!(found, expected);
        }
        let forged = format!("{}A", &token[..token.len() - 1]);
        let forged = if forged == *token { token.replace('A', "B") } else { forged };
        for approve in [true, false] {
            let found = conversation.confirm(&forged, approve, &ada()).await;
            assert_eq!(found, Err(ConfirmError::Forged));
        }
    }
    assert_eq!(scene.effects(), 1);
    assert_eq!(stage.records().len(), 4, "{:?}", stage.records());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn answers_at_the_same_moment_agree_on_one_decision() {
    for round in 0..20 {
        let name: &'static str = format!("at-once-{round}").leak();
        let scene = Scene::new(name, vec![ask("book")]);
        let (stage, conversation) = scene.open().await;
        conversation.begin_turn(TurnInput::Written).await.unwrap();
        let token = token(&one(&conversation, "call-00001", "book", json!({})).await);
        let answers = [true, true, false].map(|approve| {
            let (conversation, token) = (conversation.clone(), token.clone());
            tokio::spawn(async move {
                match conversation.confirm(&token, approve, &ada()).await {
                    Ok(Resolution::Approved(late)) => ("approved", word(&late[0].answer)),
                    Ok(Resolution::Declined(late)) => ("declined", word(&late[0].answer)),
                    Ok(Resolution::Known(known)) => match *known {
                        Resolution::Approved(late) => ("approved again", word(&late[0].answer)),
                        other => panic!("{other:?}"),
                    },
                    Err(ConfirmError::Decided(how)) => ("decided", how.as_str()),
                    other => panic!("{other:?}"),
                }
            })
        });
        let mut told = Vec::new();
        for answer in answers {
            told.push(answer.await.unwrap());
        }
        told.sort_unstable();
        let approved = [("approved", "ok"), ("approved again", "ok"), ("decided", "approved")];
        let declined = [("decided", "declined"), ("decided", "declined"), ("declined", "DENIED")];
        match closed(&stage)[..] {
            [ConfirmationOutcome::Approved] => {
                assert_eq!((&told[..], scene.effects()), (&approved[..], 1));
            }
            [ConfirmationOutcome::Declined] => {
                assert_eq!((&told[..], scene.effects()), (&declined[..], 0));
            }
            ref other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_question_that_is_not_approved_uses_no_rate_limit() {
    let limit = json!({ "calls": 1, "windowMs": 60_000, "per": "conversation" });
    let tool = act("book", json!({ "requiresConfirmation": true, "rateLimit": limit }));
    let scene = Scene::new("declined-rate", vec![tool]);
    let (stage, conversation) = scene.open().await;
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    let declined = token(&one(&conversation, "call-00001", "book", json!({ "n": 1 })).await);
    conversation.confirm(&declined, false, &ada()).await.unwrap();
    drop((stage, conversation));
    let (_stage, conversation) = scene.open().await;
    let tokens = [
        token(&one(&conversation, "call-00002", "book", json!({ "n": 2 })).await),
        token(&one(&conversation, "call-00003", "book", json!({ "n": 3 })).await),
    ];
    let mut told = Vec::new();
    for token in &tokens {
        match conversation.confirm(token, true, &ada()).await.unwrap() {
            Resolution::Approved(late) => told.push(word(&late[0].answer)),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((&told[..], scene.effects()), (&["ok", "RATE_LIMIT"][..], 1));
    let full = one(&conversation, "call-00004", "book", json!({ "n": 4 })).await;
    assert_eq!(word(&full), "RATE_LIMIT");
}
