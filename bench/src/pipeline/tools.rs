//! The called tools: the parameters of `kb_search`, and handlers with minimal work.

use std::sync::Arc;

use aileron_capability::kb::{
    FetchedRecords, GetRequest, Kb, Ranking, SearchRequest, SearchResult,
};
use aileron_capability::{Answer, Caller};
use aileron_capability::{Native, Natives, success};
use aileron_runtime::{Handlers, Registry};
use aileron_sandbox::{JsEngine, Options};
use serde_json::{Value, json};

use crate::artifact::{self, Code};

const SEARCH: &str = include_str!("../../../tools/kb-search/schema.json");

const HANDLER: &str = "
export async function execute({ args, context }) {
  const hits = await context.kb.search({ query: args.query, namespace: args.namespace, topK: args.top_k });
  return { ok: true, data: { hits, total: args.top_k } };
}
";

/// A knowledge base that answers at once.
#[derive(Debug)]
pub(crate) struct NoRecords;

impl Kb for NoRecords {
    fn search(&self, _: &Caller, _: SearchRequest) -> Answer<SearchResult> {
        let found = SearchResult { hits: Vec::new(), ranking: Ranking::Words, notes: Vec::new() };
        Box::pin(std::future::ready(Ok(found)))
    }

    fn get(&self, _: &Caller, _: GetRequest) -> Answer<FetchedRecords> {
        Box::pin(std::future::ready(Ok(FetchedRecords::default())))
    }
}

/// `search_none`, `write_none` and `send_none`, which has to be confirmed; native.
pub(crate) fn native() -> Result<Arc<Registry>, String> {
    let text = artifact::text(&[
        (search_spec()?, Code::Native),
        (
            spec("write_none", json!({ "category": "action", "sideEffects": "writes" }))?,
            Code::Native,
        ),
        (
            spec(
                "send_none",
                json!({
                    "category": "action",
                    "sideEffects": "writes",
                    "requiresConfirmation": true,
                    "confirmation": { "preview": "Send {query}", "ttlSeconds": 300 },
                }),
            )?,
            Code::Native,
        ),
    ])?;
    let natives = ["search_none", "write_none", "send_none"].map(|tool| Native {
        tool,
        hash: artifact::NATIVE_HASH,
        run: |args, _| Box::pin(async move { success(json!({ "total": args["top_k"] })) }),
    });
    let handlers = Handlers { natives: Natives::new(natives), ..Handlers::default() };
    Registry::load(&text, &handlers).map_err(|error| error.to_string())
}

/// `search_one`, in JavaScript.
pub(crate) fn javascript() -> Result<Arc<Registry>, String> {
    let text = artifact::text(&[(spec("search_one", json!({}))?, Code::JavaScript(HANDLER))])?;
    let engine = JsEngine::new(Options::default()).map_err(|error| error.to_string())?;
    let handlers = Handlers { engine: Some(Arc::new(engine)), ..Handlers::default() };
    Registry::load(&text, &handlers).map_err(|error| error.to_string())
}

/// The spec of `search_none`.
pub(crate) fn search_spec() -> Result<Value, String> {
    spec("search_none", json!({}))
}

/// The spec of `kb_search` under another name, without `returns`, because nothing is found.
pub(crate) fn spec(id: &str, more: Value) -> Result<Value, String> {
    let mut spec: Value = serde_json::from_str(SEARCH).map_err(|error| error.to_string())?;
    let fields = spec.as_object_mut().ok_or("expected an object")?;
    fields.remove("$schema");
    fields.remove("returns");
    fields.insert("toolId".to_owned(), json!(id));
    fields.extend(more.as_object().cloned().unwrap_or_default());
    Ok(spec)
}
