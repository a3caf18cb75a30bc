//! The requests of the knowledge base tools, and the results that they make from its answers.

use std::sync::{Arc, Mutex};

use aileron_capability::envelope::{self, ResponseMeta};
use aileron_capability::{Answer, Caller, Kb};
use aileron_capability::{ManualClock, Platform};
use aileron_contract::kb::{
    FetchedRecords, GetRequest, Hit, MissingRecord, Namespace, PassageRange, Ranking, Record,
    SearchNote, SearchRequest, SearchResult,
};
use aileron_contract::{CallId, Mode};
use aileron_runtime::ArgumentFaults;
use aileron_runtime::cases::Given;
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
    fn search(&self, _: &Caller, request: SearchRequest) -> Answer<SearchResult> {
        self.asked.lock().unwrap().push(request);
        let hit =
            Hit { record: record(), snippet: Some("a snippet".into()), score: 0.25, passage: None };
        let (clock, ranking) = (self.clock.clone(), self.ranking);
        Box::pin(async move {
            clock.advance(40);
            Ok(SearchResult { hits: vec![hit], ranking, notes: Vec::new() })
        })
    }

    fn get(&self, _: &Caller, request: GetRequest) -> Answer<FetchedRecords> {
        let closest = (0..9).map(|number| format!("doc:{number}")).collect::<Vec<_>>();
        let missing =
            request.ids.into_iter().map(|id| MissingRecord { id, closest: closest.clone() });
        let fetched = FetchedRecords { records: vec![record()], missing: missing.collect() };
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
    let ending = tool.run(args.into(), surroundings(tool, world, Mode::Text)).await;
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
    let args = json!({ "query": "page", "min_score": 0 });
    let (_, asked) = call("kb_search", Ranking::Hybrid, args).await;
    assert_eq!(asked[0].min_score, Some(0.0));
    let (_, asked) = call("kb_search", Ranking::Hybrid, json!({ "query": "page" })).await;
    assert_eq!(asked[0].min_score, None);
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
        "total_chars": 9, "namespace": "public", "source_type": "web", "last_updated": "2026-01-01T00:00:00Z",
        "url": LINK,
    });
    let missing = json!({ "id": "doc:x", "closest": ["doc:0", "doc:1", "doc:2"] });
    assert_eq!(data, json!({ "results": [result], "missing": [missing] }));
}

/// Records of one text each, and a search that finds them all and has something to say.
#[derive(Debug)]
struct Texts(Vec<String>);

impl Texts {
    fn records(&self) -> impl Iterator<Item = Record> {
        let named = self.0.iter().enumerate();
        named.map(|(n, text)| Record { id: format!("doc:{n}"), text: text.clone(), ..record() })
    }
}

impl Kb for Texts {
    fn search(&self, _: &Caller, request: SearchRequest) -> Answer<SearchResult> {
        let passage = Some(PassageRange { offset: 40, length: 20, total: 100 });
        let hit = |record| Hit { record, snippet: None, score: 0.5, passage };
        let notes = vec![SearchNote::PhraseNotFound { phrase: request.query }];
        let found = SearchResult {
            hits: self.records().map(hit).collect(),
            ranking: Ranking::Hybrid,
            notes,
        };
        Box::pin(std::future::ready(Ok(found)))
    }

    fn get(&self, _: &Caller, _: GetRequest) -> Answer<FetchedRecords> {
        let fetched = FetchedRecords { records: self.records().collect(), missing: Vec::new() };
        Box::pin(std::future::ready(Ok(fetched)))
    }
}

/// The answer of a call over records with these texts, as the model gets it.
async fn answer_over(texts: Vec<String>, tool: &str, args: Value) -> Value {
    let tool = registry().tool(tool).unwrap();
    let mut world = Given::default().world(Mode::Text);
    world.platform = Arc::new(Platform { kb: Some(Arc::new(Texts(texts))), ..Platform::default() });
    let args = tool.prepare(args.into()).unwrap();
    let ending = tool.run(args.into(), surroundings(tool, world, Mode::Text)).await;
    let success = ending.result.unwrap();
    assert_eq!(tool.result_faults(&success.data), ArgumentFaults::default());
    let most = usize::try_from(tool.spec().max_result_chars.unwrap()).unwrap();
    let stamp = ResponseMeta {
        tool_id: "kb",
        tool_version: None,
        registry_version: "1",
        call_id: &CallId::new("call").unwrap(),
        duration_ms: 0,
        attempts: 1,
        clamped: Vec::new(),
        over_budget: false,
    };
    serde_json::to_value(envelope::succeeded(success, stamp, most)).unwrap()
}

#[tokio::test]
async fn hits_say_where_their_passage_is_and_what_the_search_did_otherwise() {
    let args = json!({ "query": "\"no such\"" });
    let answer = answer_over(vec!["text".into()], "kb_search", args).await;
    let passage = &answer["data"]["results"][0]["passage"];
    assert_eq!(*passage, json!({ "offset": 40, "length": 20, "total": 100 }));
    let note = "The phrase \"\"no such\"\" does not occur; the results are for its single words.";
    assert_eq!(answer["data"]["notes"], json!([note]));
}

#[tokio::test]
async fn long_texts_never_take_the_names_of_hits_away() {
    let texts = vec!["A long sentence with \"quotes\".\n".repeat(20_000); 10];
    let args = json!({ "query": "long", "return_fields": ["full_text"], "top_k": 10 });
    let answer = answer_over(texts, "kb_search", args).await;
    assert!(answer["data"]["_truncated"].is_string());
    let hits = answer["data"]["results"].as_array().unwrap();
    assert_eq!(hits.len(), 10);
    for (number, hit) in hits.iter().enumerate() {
        assert_eq!(hit["id"], json!(format!("doc:{number}")));
        assert_eq!((&hit["title"], &hit["score"]), (&json!("Page"), &json!(0.5)));
        let text = hit["full_text"].as_str().unwrap();
        assert!(text.chars().count() > 500 && text.ends_with('…'), "{text}");
    }
}

#[tokio::test]
async fn every_part_of_a_long_text_is_reached_by_offset() {
    let text: String = (0..9_000).map(|n| format!("{n}: \"é\"\n")).collect();
    let (mut whole, mut offset) = (String::new(), Some(0));
    while let Some(from) = offset {
        let args = json!({ "ids": ["doc:0"], "offset": from, "max_chars": 20_000 });
        let answer = answer_over(vec![text.clone()], "kb_get", args).await;
        assert!(answer["data"].get("_truncated").is_none());
        let result = &answer["data"]["results"][0];
        assert_eq!(result["total_chars"], json!(text.chars().count()));
        assert_eq!(result["truncated"], json!(result.get("next_offset").is_some()));
        whole += result["text"].as_str().unwrap();
        offset = result.get("next_offset").and_then(Value::as_u64);
    }
    assert_eq!(whole, text);
    let args = json!({ "ids": ["doc:0"], "offset": 1_000_000 });
    let answer = answer_over(vec![text], "kb_get", args).await;
    assert_eq!(answer["data"]["results"][0]["text"], json!(""));
}

#[tokio::test]
async fn long_records_share_one_answer_and_short_ones_stay_whole() {
    let long = "A long sentence.\n".repeat(5_000);
    let texts = vec![long.clone(), "short".into(), long.clone(), long];
    let ids = ["doc:0", "doc:1", "doc:2", "doc:3"];
    let answer = answer_over(texts, "kb_get", json!({ "ids": ids, "max_chars": 20_000 })).await;
    assert!(answer["data"].get("_truncated").is_none());
    let results = answer["data"]["results"].as_array().unwrap();
    assert_eq!(results[1]["text"], json!("short"));
    for long in [0, 2, 3] {
        let text = results[long]["text"].as_str().unwrap();
        assert!(text.len() > 6_000, "{}", text.len());
        assert_eq!(results[long]["next_offset"], json!(text.chars().count()));
    }
}
