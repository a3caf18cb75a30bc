//! The knowledge base of this installation, for commands and as the engine behind the tools'
//! capability. `GuardedKb` limits access.

use std::path::Path;
use std::sync::Arc;

use aileron_capability::{Answer, Caller, CapabilityFault, FaultCode, Kb};
use aileron_contract::kb::{FetchedRecords, GetRequest, Hit, SearchRequest, SearchResult};
use aileron_kb::{Detail, KbError, KnowledgeBase, RankedHit, Results, SearchQuery};
use futures_util::FutureExt;

use crate::output::Failure;
use crate::settings::Settings;

/// The knowledge base the settings name, or the one in this folder.
pub(crate) fn open(settings: &Settings, folder: Option<&Path>) -> Result<KnowledgeBase, Failure> {
    let folder = folder.unwrap_or(&settings.kb.path);
    Ok(KnowledgeBase::at(folder, settings.kb.embeddings.embedder(&settings.models.path)?))
}

/// A fault of the request or the settings is wrong usage; other errors are failures.
pub(crate) fn failure(error: KbError) -> Failure {
    match error {
        KbError::Missing { .. }
        | KbError::NotOurs { .. }
        | KbError::Newer { .. }
        | KbError::OtherModel { .. }
        | KbError::Query { .. } => Failure::Usage(error.to_string()),
        KbError::Busy { .. }
        | KbError::DamagedIndex { .. }
        | KbError::DamagedRecords { .. }
        | KbError::Disk { .. }
        | KbError::Embedding(_) => Failure::Failed(error.to_string()),
    }
}

/// The knowledge base as a capability. Each request runs on its own thread; an abandoned request
/// ends without blocking others.
#[derive(Debug, Clone)]
pub(crate) struct KbEngine(Arc<KnowledgeBase>);

impl KbEngine {
    pub(crate) fn new(base: KnowledgeBase) -> Self {
        Self(Arc::new(base))
    }

    fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&KnowledgeBase) -> Result<T, KbError> + Send + 'static,
    ) -> Answer<T> {
        let base = self.0.clone();
        async move {
            match tokio::task::spawn_blocking(move || question(&base)).await {
                Ok(answer) => answer.map_err(fault),
                Err(_) => Err(CapabilityFault::new(FaultCode::Unavailable, "the search broke off")),
            }
        }
        .boxed()
    }
}

impl Kb for KbEngine {
    fn search(&self, _: &Caller, request: SearchRequest) -> Answer<SearchResult> {
        self.ask(move |base| {
            let found = base.search(&SearchQuery {
                text: &request.query,
                namespaces: &[request.namespace],
                filters: &request.filters,
                top_k: request.top_k,
                min_score: request.min_score,
                detail: Detail::Hits,
            })?;
            let hit = |ranked: RankedHit| Hit {
                snippet: request.include_snippets.then_some(ranked.snippet.text),
                score: ranked.score,
                passage: ranked.passage,
                record: ranked.record,
            };
            let Results { hits, ranking, notes } = found;
            Ok(SearchResult { hits: hits.into_iter().map(hit).collect(), ranking, notes })
        })
    }

    fn get(&self, _: &Caller, request: GetRequest) -> Answer<FetchedRecords> {
        self.ask(move |base| base.read(&request.ids, &request.namespaces))
    }
}

/// The fault that a tool receives. The message says what to do, if possible.
fn fault(error: KbError) -> CapabilityFault {
    let code = match &error {
        KbError::Embedding(error) if error.transient => FaultCode::Timeout,
        // A retry does not help; an operator must act first.
        KbError::Query { .. }
        | KbError::Missing { .. }
        | KbError::NotOurs { .. }
        | KbError::Newer { .. }
        | KbError::OtherModel { .. }
        | KbError::Embedding(_) => FaultCode::Refused,
        KbError::Busy { .. }
        | KbError::DamagedIndex { .. }
        | KbError::DamagedRecords { .. }
        | KbError::Disk { .. } => FaultCode::Unavailable,
    };
    CapabilityFault::new(code, error.to_string())
}

#[cfg(test)]
#[path = "knowledge_tests.rs"]
mod tests;
