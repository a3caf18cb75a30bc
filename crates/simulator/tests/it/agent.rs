//! Our own transports as the agent at the other end.

use std::sync::Arc;
use std::time::Duration;

use aileron_contract::transport::{CallResult, Command, Protocol, ProviderEvent, Setup};
use aileron_contract::{Backoff, Jitter};
use aileron_contract::{CallId, ToolCall, ToolResponse};
use aileron_simulator::simulated_model::PlannedCall;
use aileron_simulator::{Options, RunningSimulator, Simulator};
use aileron_transports::session::Reconnect;
use aileron_transports::upstream::{Output, Upstream, UpstreamConfig, UpstreamTimeouts};
use aileron_transports::{GeminiLive, OpenaiRealtime, Target, gemini_live, openai_realtime, tls};
use rustls::RootCertStore;
use serde_json::{Value, json};

/// How long anything may take on a busy machine before it counts as stuck.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(20);

pub(crate) async fn simulator(options: Options) -> RunningSimulator {
    Simulator::begin(options).await.unwrap()
}

fn shared(target: Target) -> UpstreamConfig {
    let reconnect = Reconnect { backoff: Backoff::NONE, max_attempts: 3, ..Reconnect::default() };
    let tls = tls(RootCertStore::empty()).unwrap();
    UpstreamConfig {
        target,
        tls,
        reconnect,
        limits: UpstreamTimeouts::default(),
        jitter: Box::new(|| Jitter::new(0.0)),
    }
}

fn setup(declaration: Value) -> Setup {
    let mut setup = Setup::new("models/m", "Be brief.");
    setup.declarations = vec![declaration];
    setup
}

/// A conversation with the simulator, and all that was reported of it.
pub(crate) struct Agent<P> {
    pub(crate) upstream: Upstream<P>,
    pub(crate) outputs: Vec<Output>,
}

pub(crate) fn gemini(running: &RunningSimulator) -> Agent<GeminiLive> {
    let base = format!("ws://{}", running.address);
    let target = gemini_live::target(Some(&base), "any").unwrap();
    let declaration = json!({ "name": "find", "description": "Finds.",
        "parametersJsonSchema": { "type": "object", "properties": { "query": { "type": "string" } } } });
    Agent::begin(Upstream::begin(shared(target), setup(declaration), GeminiLive::default))
}

pub(crate) fn realtime(running: &RunningSimulator) -> Agent<OpenaiRealtime> {
    let base = format!("ws://{}/v1", running.address);
    let target = openai_realtime::target(Some(&base), "gpt-realtime", "any").unwrap();
    let declaration = json!({ "type": "function", "name": "find", "description": "Finds.",
        "parameters": { "type": "object", "properties": { "query": { "type": "string" } } } });
    Agent::begin(Upstream::begin(shared(target), setup(declaration), OpenaiRealtime::default))
}

impl<P: Protocol> Agent<P> {
    fn begin(upstream: Upstream<P>) -> Self {
        Self { upstream, outputs: Vec::new() }
    }

    /// Reads frames until one matches, and returns it.
    pub(crate) async fn until<T>(&mut self, find: impl Fn(&Output) -> Option<T>) -> T {
        loop {
            let next = tokio::time::timeout(TIMEOUT, self.upstream.next()).await;
            let Ok(Some(output)) = next else {
                panic!("expected more than {:#?}, found {next:?}", self.outputs)
            };
            let found = find(&output);
            self.outputs.push(output);
            if let Some(found) = found {
                return found;
            }
        }
    }

    pub(crate) async fn ready(&mut self) {
        self.until(|output| {
            matches!(output, Output::Event(ProviderEvent::Ready { .. })).then_some(())
        })
        .await;
    }

    pub(crate) async fn calls(&mut self) -> Vec<ToolCall> {
        self.until(|output| match output {
            Output::Event(ProviderEvent::ToolCalls(calls)) => Some(calls.clone()),
            _ => None,
        })
        .await
    }

    pub(crate) async fn turn_end(&mut self) {
        let end = |output: &Output| matches!(output, Output::Event(ProviderEvent::TurnComplete(_)));
        self.until(|output| end(output).then_some(())).await;
    }

    pub(crate) fn tell(&mut self, command: Command<'_>) {
        self.upstream.command(command).unwrap();
    }

    pub(crate) fn answer(&mut self, call: &ToolCall, data: Value) {
        let result = result(&call.call_id, data);
        self.tell(Command::Results(&[result]));
    }

    /// How many bytes of audio were heard.
    pub(crate) fn audio(&self) -> usize {
        let heard = self.outputs.iter().map(|output| match output {
            Output::Event(ProviderEvent::Audio { pcm, .. }) => pcm.len(),
            _ => 0,
        });
        heard.sum()
    }
}

pub(crate) fn result(call: &CallId, data: Value) -> CallResult {
    let meta = json!({ "toolId": "find", "registryVersion": "1.0.0", "responseSchemaVersion": "1.0.0",
        "callId": call, "duration": 1, "attempts": 1 });
    let response = json!({ "ok": true, "data": data, "intents": [], "meta": meta });
    let response: ToolResponse = serde_json::from_value(response).unwrap();
    CallResult { call_id: call.clone(), response: Arc::new(response) }
}

/// A call of the model.
pub(crate) fn find(id: &str, query: &str) -> PlannedCall {
    let args = json!({ "query": query }).as_object().cloned().unwrap();
    PlannedCall { id: Some(CallId::new(id).unwrap()), name: "find".into(), args }
}
