//! What the tools over the knowledge base ask of it, and what they make of its answers.

use std::sync::{Arc, Mutex};

use aileron_contract::Mode;
use aileron_contract::kb::{
    Fetched, Found, GetRequest, Hit, Missing, Namespace, Ranking, Record, SearchRequest,
};
use aileron_runtime::capability::{Answer, Caller, Kb};
use aileron_runtime::cases::Given;
use aileron_runtime::{ArgumentFaults, ManualClock, Platform};
use serde_json::{Value, json};

use crate::cases::surroundings;
use crate::toolset::registry;

/// A link with everything that a careless writer would normalize.
const LINK: &str = "HTTPS://Example.com:443/a/../b?q=%7e&r=ü#%C3%BC ";

/// A knowledge base with one record, which takes 40 ms for an answer and remembers what it was asked.
#[derive(Debug)]
struct OneRecord {
    ranking: Ranking,
    clock: Arc<ManualClock>,
    asked: Mutex<Vec<SearchRequest>>,
}

impl Kb for OneRecord {
    fn search(&self, _: &Caller, request: SearchRequest) -> Answer<Found> {
        self.asked.lock().unwrap().push(request);
        let hit = Hit { record: record(), snippet: Some("a snippet".into()), score: 0.25 };
        let (clock, ranking) = (self.clock.clone(), self.ranking);
        Box::pin(async move {
            clock.advance(40);
            Ok(Found { hits: vec![hit], ranking })
        })
    }

    fn get(&self, _: &Caller, request: GetRequest) -> Answer<Fetched> {
        let closest = (0..9).map(|number| format!("doc:{number}")).collect::<Vec<_>>();
        let missing = request.ids.into_iter().map(|id| Missing { id, closest: closest.clone() });
        let fetched = Fetched { records: vec![record()], missing: missing.collect() };
        Box::pin(std::future::ready(Ok(fetched)))
    }
}

fn record() -> Record {
    Record {
        id: "link:page".into(),
        kind: "link".into(),
        title: "Page".into(),
        text: "The text.".into(),
        namespace: Namespace::Public,
        tags: Vec::new(),
        source_type: "web".into(),
        last_updated: "2026-01-01T00:00:00Z".into(),
        url: Some(LINK.into()),
        metadata: serde_json::Map::new(),
    }
}

/// The data of a call, and what the knowledge base was asked for it.
async fn call(tool: &str, ranking: Ranking, args: Value) -> (Value, Vec<SearchRequest>) {
    let tool = registry().tool(tool).unwrap();
    let mut world = Given::default().world(Mode::Text);
    let kb = OneRecord { ranking, clock: world.clock.clone(), asked: Mutex::default() };
    let kb = Arc::new(kb);
    world.platform = Arc::new(Platform { kb: Some(kb.clone()), ..Platform::default() });
    let args = tool.prepare(args.into()).unwrap();
    let ending = tool.run(args, surroundings(tool, world, Mode::Text)).await;
    let data = ending.result.unwrap().data;
    assert_eq!(tool.result_faults(&data), ArgumentFaults::default());
    (data, kb.asked.lock().unwrap().clone())
}

#[tokio::test]
async fn a_search_with_a_model_is_answered_whole_and_without_a_note() {
    let (data, _) = call("kb_search", Ranking::Hybrid, json!({ "query": "page" })).await;
    let evidence = json!({
        "id": "link:page", "type": "link", "title": "Page", "score": 0.25, "source_type": "web",
        "last_updated": "2026-01-01T00:00:00Z", "url": LINK, "snippet": "a snippet",
    });
    assert_eq!(data, json!({ "results": [evidence], "query_time_ms": 40 }));
}

#[tokio::test]
async fn a_search_by_words_alone_says_so() {
    let args = json!({ "query": "page", "return_fields": ["sources"] });
    let (data, _) = call("kb_search", Ranking::Words, args).await;
    let source =
        json!({ "source_type": "web", "last_updated": "2026-01-01T00:00:00Z", "url": LINK });
    let evidence = json!({
        "id": "link:page", "type": "link", "title": "Page", "score": 0.25, "source_type": "web",
        "last_updated": "2026-01-01T00:00:00Z", "sources": [source],
    });
    let expected = json!({ "results": [evidence], "query_time_ms": 40, "ranking": "words" });
    assert_eq!(data, expected);
}

#[tokio::test]
async fn the_knowledge_base_is_asked_for_what_the_call_says() {
    let filters = json!({
        "type": "link", "tags": ["a", "b"],
        "date_range": { "start": "2026-01-01T00:00:00Z", "end": "2026-01-01T01:00:00+01:00" },
    });
    let args = json!({
        "query": "page", "namespace": "public", "filters": filters, "top_k": 7,
        "return_fields": ["url", "snippet"], "include_snippets": false,
    });
    let (_, asked) = call("kb_search", Ranking::Hybrid, args).await;
    let expected: SearchRequest = serde_json::from_value(json!({
        "query": "page", "namespace": "public", "filters": filters, "topK": 7,
        "returnFields": ["url"], "includeSnippets": false,
    }))
    .unwrap();
    assert_eq!(asked, [expected]);
    let (_, asked) = call("kb_search", Ranking::Hybrid, json!({ "query": "page" })).await;
    let expected: SearchRequest = serde_json::from_value(json!({
        "query": "page", "namespace": "studio", "topK": 5,
        "returnFields": ["snippet", "metadata", "url"], "includeSnippets": true,
    }))
    .unwrap();
    assert_eq!(asked, [expected]);
}

#[tokio::test]
async fn a_record_is_read_whole_and_three_ids_are_suggested() {
    let (data, _) = call("kb_get", Ranking::Hybrid, json!({ "ids": ["doc:x", "doc:x"] })).await;
    let result = json!({
        "id": "link:page", "type": "link", "title": "Page", "text": "The text.", "truncated": false,
        "namespace": "public", "source_type": "web", "last_updated": "2026-01-01T00:00:00Z",
        "url": LINK,
    });
    let missing = json!({ "id": "doc:x", "closest": ["doc:0", "doc:1", "doc:2"] });
    assert_eq!(data, json!({ "results": [result], "missing": [missing] }));
}
