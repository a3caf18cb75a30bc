//! Which conversations stay in memory, and for how long.

use std::sync::Arc;
use std::time::Duration;

use aileron_capability::{ManualClock, Platform};
use aileron_contract::Mode;
use aileron_contract::artifact::{content_hash, version_of};
use aileron_orchestrator::token::Signer;
use aileron_orchestrator::{Config, Orchestrator, Person, Setup};
use aileron_runtime::{Handlers, Registry};
use aileron_store::MemoryStore;

use super::*;
use crate::auth::Auth;
use crate::event_hub::EventHub;
use crate::limits::RequestLimits;
use crate::origins::Origins;
use crate::voice::Voice;
use crate::{App, ServerParts};

const MINUTE: u64 = 60_000;

fn app() -> (App, Arc<ManualClock>) {
    let (event_hub, clock) = (Arc::new(EventHub::default()), Arc::new(ManualClock::at(MINUTE)));
    let store = Arc::new(MemoryStore::new());
    let orchestrator = Orchestrator::new(Setup {
        config: Config::default(),
        store: store.clone(),
        platform: Platform::default(),
        clock: clock.clone(),
        observer: event_hub.clone(),
        signer: Signer::new([0; 32]),
    });
    orchestrator.install(no_tools()).unwrap();
    let idle = Duration::from_millis(30 * MINUTE);
    let limits = RequestLimits {
        conversations: 2,
        local_conversations: 3,
        idle,
        ..RequestLimits::default()
    };
    let (auth, origins) = (Auth::Open, Origins::default());
    let app = App::new(ServerParts {
        authoring: None,
        orchestrator,
        store,
        clock: clock.clone(),
        event_hub,
        auth,
        chat: None,
        origins,
        limits,
        images: None,
        page: aileron_page::Page::default(),
        instructions: aileron_agent::InstructionOptions::default(),
        metrics: Default::default(),
        voice: Voice::offline("http://127.0.0.1:9").unwrap(),
    });
    (app, clock)
}

fn no_tools() -> Arc<Registry> {
    let hash = content_hash(std::iter::empty());
    let artifact = serde_json::json!({
        "version": version_of(&hash), "contentHash": hash, "formatVersion": 1,
        "gitCommit": null, "buildTimestamp": null, "tools": [],
    });
    Registry::load(&artifact.to_string(), &Handlers::default()).unwrap()
}

async fn open(app: &App, id: &str) -> Result<Lease, NotOpened> {
    let person = Person::known(UserId::new("ada").unwrap());
    let id = ConversationId::new(id).unwrap();
    app.conversations().open(OpenRequest { id, mode: Mode::Text, person }).await
}

fn held(app: &App) -> Vec<String> {
    app.conversations().lock().keys().map(ToString::to_string).collect()
}

#[tokio::test]
async fn what_nobody_uses_is_let_go_of_after_a_while() {
    let (app, clock) = app();
    let used = open(&app, "used").await.unwrap();
    drop(open(&app, "unused").await.unwrap());
    clock.advance(29 * MINUTE);
    app.conversations().release_idle_at(app.clock().now_ms());
    assert_eq!(held(&app), ["unused", "used"]);
    clock.advance(MINUTE);
    app.conversations().release_idle_at(app.clock().now_ms());
    assert_eq!(held(&app), ["used"]);
    let copy = used.clone();
    drop(used);
    clock.advance(60 * MINUTE);
    app.conversations().release_idle_at(app.clock().now_ms());
    assert_eq!(held(&app), ["used"], "somebody still has it");
    drop(copy);
    clock.advance(30 * MINUTE);
    app.conversations().release_idle_at(app.clock().now_ms());
    assert_eq!(held(&app), [""; 0]);
}

#[tokio::test]
async fn beyond_the_limit_the_longest_unused_gives_way() {
    let (app, clock) = app();
    for id in ["first", "second", "third"] {
        drop(open(&app, id).await.unwrap());
        clock.advance(1);
    }
    assert_eq!(held(&app), ["second", "third"]);
}

#[tokio::test]
async fn where_all_are_in_use_there_is_no_room() {
    let (app, _) = app();
    let _held = (open(&app, "first").await.unwrap(), open(&app, "second").await.unwrap());
    let refused = open(&app, "third").await.unwrap_err();
    assert_eq!(refused, NotOpened::TooMany { most: 2 });
    open(&app, "first").await.unwrap();
}

#[tokio::test]
async fn where_nobody_signs_in_all_share_a_number_of_their_own() {
    let (app, _) = app();
    let open = |id: &str| {
        let id = ConversationId::new(id).unwrap();
        app.conversations().open(OpenRequest { id, mode: Mode::Text, person: Person::local() })
    };
    let _held = [open("a").await.unwrap(), open("b").await.unwrap(), open("c").await.unwrap()];
    assert_eq!(open("d").await.unwrap_err(), NotOpened::TooMany { most: 3 });
}

#[tokio::test]
async fn whoever_is_not_let_in_takes_no_place() {
    let (app, _) = app();
    let id = ConversationId::new("unknown").unwrap();
    let opening = OpenRequest { id, mode: Mode::Text, person: Person::default() };
    assert_eq!(app.conversations().find(opening).await.unwrap_err(), NotOpened::NotThere);
    assert_eq!(held(&app), [""; 0]);
}
