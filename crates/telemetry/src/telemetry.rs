//! The events of a server that become telemetry. Every method returns at once if telemetry is off.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use aileron_contract::audit::TrailStep;
use aileron_contract::{CallId, ConversationId, Mode, Outcome, ToolResponse};
use opentelemetry::metrics::MeterProvider;
use opentelemetry::trace::{Status, TraceContextExt, TracerProvider};
use opentelemetry::{Context, KeyValue};
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};
use serde_json::Value;
use tokio::runtime::Handle;

use crate::collector::{self, Collector};
use crate::exporters::Exporters;
use crate::instruments::Instruments;
use crate::names;
use crate::settings::TelemetrySettings;
use crate::spans::{OpenSpans, OpenTurn, TurnEnd};

/// How long a conversation without events keeps its turn open: an agent that runs elsewhere does not say when
/// its turn is over.
const QUIET: Duration = Duration::from_secs(300);

/// Longer arguments and results are cut.
const MAX_CONTENT: usize = 16 << 10;

/// How long the last batch may take when the server stops.
const SHUTDOWN_TIME: Duration = Duration::from_secs(3);

/// The telemetry of a server. Clones are the same; the default is off.
#[derive(Debug, Clone, Default)]
pub struct Telemetry(Option<Arc<Recorder>>);

#[derive(Debug)]
struct Recorder {
    exporters: Exporters,
    tracer: SdkTracer,
    instruments: Instruments,
    has_content: bool,
    open: Mutex<OpenSpans>,
}

/// Why telemetry cannot be set up.
#[derive(Debug)]
pub struct TelemetryError(String);

impl fmt::Display for TelemetryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the OTEL_* variables cannot be used: {}", self.0)
    }
}

impl std::error::Error for TelemetryError {}

impl Telemetry {
    /// Telemetry as the settings say, of a program of this version. Requests run on the given runtime.
    pub fn start(
        settings: TelemetrySettings,
        version: &'static str,
        runtime: &Handle,
    ) -> Result<Self, TelemetryError> {
        if !settings.is_on() {
            return Ok(Self::default());
        }
        let failed = |error: &dyn fmt::Display| TelemetryError(error.to_string());
        let client = collector::client(settings.timeout).map_err(|error| failed(&error))?;
        let collector = |signal| Collector::new(signal, client.clone(), runtime.clone());
        let exporters = Exporters::build(settings, version, collector);
        let exporters = exporters.map_err(|error| failed(&error))?;
        let tracer = match &exporters.traces {
            Some(provider) => provider.tracer(names::AILERON),
            None => SdkTracerProvider::builder().build().tracer(names::AILERON),
        };
        let meter = match &exporters.metrics {
            Some(provider) => provider.meter(names::AILERON),
            None => SdkMeterProvider::builder().build().meter(names::AILERON),
        };
        let instruments = Instruments::new(&meter);
        let (has_content, open) = (settings.content, Mutex::default());
        Ok(Self(Some(Arc::new(Recorder { exporters, tracer, instruments, has_content, open }))))
    }

    /// Whether anything is sent.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    pub fn turn_began(&self, conversation: &ConversationId, turn: u64, mode: Mode) {
        let Some(recorder) = &self.0 else { return };
        let before = recorder.lock().begin_turn(&recorder.tracer, conversation, (turn, mode));
        recorder.end_turn(before, TurnEnd::Completed);
    }

    pub fn turn_ended(&self, conversation: &ConversationId, end: TurnEnd) {
        let Some(recorder) = &self.0 else { return };
        let turn = recorder.lock().take_turn(conversation);
        recorder.end_turn(turn, end);
    }

    /// A request to a model of this provider begins.
    pub fn request_began(&self, conversation: &ConversationId, provider: &str, model: &str) {
        let Some(recorder) = &self.0 else { return };
        recorder.lock().begin_request(&recorder.tracer, conversation, (provider, model));
    }

    /// The reply is complete, with its tokens as the provider counts them, or the request failed.
    pub fn request_ended(
        &self,
        conversation: &ConversationId,
        tokens: Option<(u64, u64)>,
        error: Option<&'static str>,
    ) {
        let Some(recorder) = &self.0 else { return };
        let Some(request) = recorder.lock().take_request(conversation) else { return };
        request.end(tokens, error);
        if let Some((input, output)) = tokens {
            recorder.lock().add_usage(conversation, input, output);
            recorder.instruments.tokens(&request.provider_and_model, input, output);
        }
        let seconds = request.began.elapsed().as_secs_f64();
        recorder.instruments.request(request.provider_and_model, seconds, error);
    }

    /// A live provider counted tokens of the turn.
    pub fn tokens_used(
        &self,
        conversation: &ConversationId,
        provider: &str,
        model: &str,
        (input, output): (u64, u64),
    ) {
        let Some(recorder) = &self.0 else { return };
        recorder.lock().add_usage(conversation, input, output);
        let provider_and_model = [
            KeyValue::new(names::PROVIDER_NAME, names::provider(provider).to_owned()),
            KeyValue::new(names::REQUEST_MODEL, model.to_owned()),
        ];
        recorder.instruments.tokens(&provider_and_model, input, output);
    }

    /// The policies have decided about a call.
    pub fn call_decided(
        &self,
        conversation: &ConversationId,
        (call, tool): (&CallId, &str),
        args: &Value,
        trail: &[TrailStep],
    ) {
        let Some(recorder) = &self.0 else { return };
        let mut open = recorder.lock();
        let context = open.begin_call(&recorder.tracer, conversation, (call, tool), trail);
        if recorder.has_content {
            set_content(context, names::TOOL_CALL_ARGUMENTS, args);
        }
    }

    /// A handler begins to run. The call of a confirmation that was approved after its turn begins here.
    pub fn call_started(&self, conversation: &ConversationId, call: &CallId, tool: &str) {
        let Some(recorder) = &self.0 else { return };
        let mut open = recorder.lock();
        if open.call(conversation, call).is_none() {
            open.begin_call(&recorder.tracer, conversation, (call, tool), &[]);
        }
        if let Some(context) = open.call(conversation, call) {
            context.span().add_event(names::STARTED_EVENT, Vec::new());
        }
    }

    /// A call has its answer, without the values that its tool hides.
    pub fn call_answered(
        &self,
        conversation: &ConversationId,
        outcome: &Outcome,
        answer: &ToolResponse,
    ) {
        let Some(recorder) = &self.0 else { return };
        let (meta, error) = (answer.meta(), answer.failure().map(|failure| failure.kind.as_str()));
        let open = recorder.lock().take_call(conversation, &meta.call_id);
        if let Some(context) = open {
            recorder.end_call(&context, outcome, answer);
        }
        // Only a tool that exists has a version, so that the number of series is bounded.
        if meta.attempts > 0 && meta.tool_version.is_some() && *outcome != Outcome::Replayed {
            let seconds = Duration::from_millis(meta.duration).as_secs_f64();
            recorder.instruments.call(&meta.tool_id, seconds, error);
        }
    }

    pub fn confirmation_requested(&self, conversation: &ConversationId, tool: &str) {
        let Some(recorder) = &self.0 else { return };
        let attributes = vec![KeyValue::new(names::TOOL_NAME, tool.to_owned())];
        recorder.lock().turn_event(conversation, names::CONFIRMATION_REQUESTED_EVENT, attributes);
    }

    pub fn confirmation_closed(&self, conversation: &ConversationId, how: &'static str) {
        let Some(recorder) = &self.0 else { return };
        let attributes = vec![KeyValue::new(names::CONFIRMATION_OUTCOME, how)];
        recorder.lock().turn_event(conversation, names::CONFIRMATION_CLOSED_EVENT, attributes);
    }

    /// Ends the turns of conversations that were quiet for long.
    pub fn end_quiet_turns(&self) {
        self.end_turns(QUIET);
    }

    fn end_turns(&self, quiet: Duration) {
        let Some(recorder) = &self.0 else { return };
        let turns = recorder.lock().take_quiet(quiet);
        turns.into_iter().for_each(|turn| recorder.end_turn(Some(turn), TurnEnd::Completed));
    }

    /// Ends all spans and sends the rest, in bounded time.
    pub async fn shut_down(&self) {
        self.end_turns(Duration::ZERO);
        let Some(recorder) = self.0.clone() else { return };
        let sent = tokio::task::spawn_blocking(move || recorder.exporters.shut_down());
        if tokio::time::timeout(SHUTDOWN_TIME, sent).await.is_err() {
            tracing::warn!(
                "The last telemetry was not sent, because the collector did not answer."
            );
        }
    }
}

impl Recorder {
    fn end_turn(&self, turn: Option<OpenTurn>, end: TurnEnd) {
        let Some(turn) = turn else { return };
        let mode = turn.mode.as_str();
        let seconds = turn.end(end);
        let error = match end {
            TurnEnd::Failed(code) => Some(code),
            TurnEnd::Completed | TurnEnd::Stopped => None,
        };
        self.instruments.turn(mode, seconds, error);
    }

    fn end_call(&self, context: &Context, outcome: &Outcome, answer: &ToolResponse) {
        let (span, meta) = (context.span(), answer.meta());
        span.set_attributes([
            KeyValue::new(names::OUTCOME, outcome.to_string()),
            KeyValue::new(names::REGISTRY_VERSION, meta.registry_version.clone()),
            KeyValue::new(names::ATTEMPTS, i64::from(meta.attempts)),
        ]);
        if let Some(version) = &meta.tool_version {
            span.set_attribute(KeyValue::new(names::TOOL_VERSION, version.clone()));
        }
        if meta.over_budget {
            span.set_attribute(KeyValue::new(names::OVER_BUDGET, true));
        }
        match answer {
            // The call waits for the person, which is no error.
            ToolResponse::Failure { error, .. } if error.confirmation_request.is_some() => {}
            ToolResponse::Failure { error, .. } => {
                let kind = error.kind.as_str();
                span.set_attribute(KeyValue::new(names::ERROR_TYPE, kind));
                span.set_status(Status::error(kind));
            }
            ToolResponse::Success { data, .. } if self.has_content => {
                set_content(context, names::TOOL_CALL_RESULT, data);
            }
            ToolResponse::Success { .. } => {}
        }
        span.end();
    }

    fn lock(&self) -> MutexGuard<'_, OpenSpans> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn set_content(context: &Context, name: &'static str, content: &Value) {
    let mut text = content.to_string();
    if text.len() > MAX_CONTENT {
        text.truncate(text.floor_char_boundary(MAX_CONTENT));
        text.push('…');
    }
    context.span().set_attribute(KeyValue::new(name, text));
}
