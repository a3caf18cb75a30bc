//! The spans that are open: one for each turn, with children for model requests and calls. The number of
//! conversations is bounded; the spans of the one that was quiet for longest are ended to make room.

use std::collections::HashMap;
use std::time::{Duration, Instant, SystemTime};

use aileron_contract::audit::{StepResult, TrailStep};
use aileron_contract::{CallId, ConversationId, Mode};
use opentelemetry::trace::{SpanBuilder, SpanKind, Status, TraceContextExt, Tracer};
use opentelemetry::{Context, KeyValue};
use opentelemetry_sdk::trace::SdkTracer;

use crate::names;

/// How many conversations have open spans at most.
const MAX_CONVERSATIONS: usize = 4096;

/// How many calls of a conversation have open spans at most.
const MAX_CALLS: usize = 256;

/// How a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnEnd {
    /// The model has answered, or its agent runs elsewhere and made no further call.
    Completed,
    /// The answer was stopped, because the person wished so or nobody waited for it.
    Stopped,
    /// The turn failed; the code says why.
    Failed(&'static str),
}

/// The open spans of all conversations.
#[derive(Debug, Default)]
pub(crate) struct OpenSpans(HashMap<ConversationId, ConversationSpans>);

#[derive(Debug)]
struct ConversationSpans {
    turn: Option<OpenTurn>,
    /// The latest turn, which is the parent of calls that end after it.
    parent: Context,
    calls: HashMap<CallId, Context>,
    last_use: Moment,
}

/// A time on both clocks.
#[derive(Debug, Clone, Copy)]
struct Moment {
    instant: Instant,
    time: SystemTime,
}

impl Moment {
    fn now() -> Self {
        Self { instant: Instant::now(), time: SystemTime::now() }
    }
}

/// A span and when it began.
#[derive(Debug)]
pub(crate) struct OpenTurn {
    context: Context,
    request: Option<OpenRequest>,
    pub(crate) mode: Mode,
    began: Instant,
    usage: (u64, u64),
    /// The last event, of a turn that nobody ended.
    last_use: Option<Moment>,
}

/// A model request in progress.
#[derive(Debug)]
pub(crate) struct OpenRequest {
    context: Context,
    pub(crate) began: Instant,
    pub(crate) provider_and_model: [KeyValue; 2],
}

impl Default for ConversationSpans {
    fn default() -> Self {
        let (turn, calls) = (None, HashMap::new());
        Self { turn, parent: Context::new(), calls, last_use: Moment::now() }
    }
}

impl OpenSpans {
    /// Begins the span of a turn; returns the turn before it, if that was open.
    pub(crate) fn begin_turn(
        &mut self,
        tracer: &SdkTracer,
        conversation: &ConversationId,
        (turn, mode): (u64, Mode),
    ) -> Option<OpenTurn> {
        let attributes = [
            KeyValue::new(names::OPERATION_NAME, names::INVOKE_AGENT),
            KeyValue::new(names::AGENT_NAME, names::AILERON),
            KeyValue::new(names::CONVERSATION_ID, conversation.as_str().to_owned()),
            KeyValue::new(names::TURN, i64::try_from(turn).unwrap_or(i64::MAX)),
            KeyValue::new(names::MODE, mode.as_str()),
        ];
        let name = format!("{} {}", names::INVOKE_AGENT, names::AILERON);
        let builder = SpanBuilder::from_name(name).with_kind(SpanKind::Internal);
        let span = tracer.build_with_context(builder.with_attributes(attributes), &Context::new());
        let last_use = self.0.get(conversation).map(|spans| spans.last_use);
        let spans = self.of(conversation);
        spans.parent = Context::new().with_span(span);
        let context = spans.parent.clone();
        let (request, began, usage) = (None, Instant::now(), (0, 0));
        let turn = OpenTurn { context, request, mode, began, usage, last_use: None };
        spans.turn.replace(turn).map(|before| before.unended(last_use))
    }

    pub(crate) fn take_turn(&mut self, conversation: &ConversationId) -> Option<OpenTurn> {
        self.0.get_mut(conversation)?.turn.take()
    }

    /// Adds an event to the span of the turn.
    pub(crate) fn turn_event(
        &mut self,
        conversation: &ConversationId,
        name: &'static str,
        attributes: Vec<KeyValue>,
    ) {
        let spans = self.0.get(conversation);
        if let Some(turn) = spans.and_then(|spans| spans.turn.as_ref()) {
            turn.context.span().add_event(name, attributes);
        }
    }

    pub(crate) fn add_usage(&mut self, conversation: &ConversationId, input: u64, output: u64) {
        let spans = self.0.get_mut(conversation);
        if let Some(turn) = spans.and_then(|spans| spans.turn.as_mut()) {
            turn.usage = (turn.usage.0 + input, turn.usage.1 + output);
        }
    }

    /// Begins the span of a model request within the turn.
    pub(crate) fn begin_request(
        &mut self,
        tracer: &SdkTracer,
        conversation: &ConversationId,
        (provider, model): (&str, &str),
    ) {
        let spans = self.of(conversation);
        let Some(turn) = &mut spans.turn else { return };
        let provider_and_model = [
            KeyValue::new(names::PROVIDER_NAME, names::provider(provider).to_owned()),
            KeyValue::new(names::REQUEST_MODEL, model.to_owned()),
        ];
        let mut attributes = provider_and_model.to_vec();
        attributes.push(KeyValue::new(names::OPERATION_NAME, names::CHAT));
        attributes.push(KeyValue::new(names::CONVERSATION_ID, conversation.as_str().to_owned()));
        let builder = SpanBuilder::from_name(format!("{} {model}", names::CHAT))
            .with_kind(SpanKind::Client)
            .with_attributes(attributes);
        let span = tracer.build_with_context(builder, &turn.context);
        let context = Context::new().with_span(span);
        turn.request = Some(OpenRequest { context, began: Instant::now(), provider_and_model });
    }

    pub(crate) fn take_request(&mut self, conversation: &ConversationId) -> Option<OpenRequest> {
        self.0.get_mut(conversation)?.turn.as_mut()?.request.take()
    }

    /// Begins the span of a call.
    pub(crate) fn begin_call(
        &mut self,
        tracer: &SdkTracer,
        conversation: &ConversationId,
        (call, tool): (&CallId, &str),
        trail: &[TrailStep],
    ) -> &Context {
        let spans = self.of(conversation);
        if spans.calls.len() >= MAX_CALLS {
            spans.calls.clear();
        }
        let context = call_span(tracer, &spans.parent, conversation, (call, tool), trail);
        spans.calls.entry(call.clone()).insert_entry(context).into_mut()
    }

    pub(crate) fn call(&self, conversation: &ConversationId, call: &CallId) -> Option<&Context> {
        self.0.get(conversation)?.calls.get(call)
    }

    pub(crate) fn take_call(
        &mut self,
        conversation: &ConversationId,
        call: &CallId,
    ) -> Option<Context> {
        let spans = self.0.get_mut(conversation)?;
        spans.last_use = Moment::now();
        spans.calls.remove(call)
    }

    /// Removes the conversations that were quiet for this long; returns their turns.
    pub(crate) fn take_quiet(&mut self, quiet: Duration) -> Vec<OpenTurn> {
        let is_quiet = |spans: &ConversationSpans| spans.last_use.instant.elapsed() >= quiet;
        let removed = self.0.extract_if(|_, spans| is_quiet(spans));
        removed.filter_map(|(_, spans)| Some(spans.turn?.unended(Some(spans.last_use)))).collect()
    }

    fn of(&mut self, conversation: &ConversationId) -> &mut ConversationSpans {
        if self.0.len() >= MAX_CONVERSATIONS && !self.0.contains_key(conversation) {
            let quietest = self.0.iter().min_by_key(|(_, spans)| spans.last_use.instant);
            if let Some(quietest) = quietest.map(|(id, _)| id.clone()) {
                // Dropping a span ends it.
                self.0.remove(&quietest);
            }
        }
        let spans = self.0.entry(conversation.clone()).or_default();
        spans.last_use = Moment::now();
        spans
    }
}

impl OpenTurn {
    fn unended(self, last_use: Option<Moment>) -> Self {
        Self { last_use, ..self }
    }

    /// Ends the span of the turn, and of a request that is still in progress; returns the seconds it took.
    pub(crate) fn end(mut self, end: TurnEnd) -> f64 {
        if let Some(request) = self.request.take() {
            request.end(None, None);
        }
        let span = self.context.span();
        if self.usage != (0, 0) {
            span.set_attributes(usage(self.usage.0, self.usage.1));
        }
        if let TurnEnd::Failed(code) = end {
            span.set_attribute(KeyValue::new(names::ERROR_TYPE, code));
            span.set_status(Status::error(code));
        }
        let ended = self.last_use.unwrap_or_else(Moment::now);
        span.end_with_timestamp(ended.time);
        ended.instant.saturating_duration_since(self.began).as_secs_f64()
    }
}

impl OpenRequest {
    pub(crate) fn end(&self, tokens: Option<(u64, u64)>, error: Option<&'static str>) {
        let span = self.context.span();
        if let Some((input, output)) = tokens {
            span.set_attributes(usage(input, output));
        }
        if let Some(code) = error {
            span.set_attribute(KeyValue::new(names::ERROR_TYPE, code));
            span.set_status(Status::error(code));
        }
        span.end();
    }
}

fn usage(input: u64, output: u64) -> [KeyValue; 2] {
    let count = |tokens: u64| i64::try_from(tokens).unwrap_or(i64::MAX);
    [
        KeyValue::new(names::INPUT_TOKENS, count(input)),
        KeyValue::new(names::OUTPUT_TOKENS, count(output)),
    ]
}

fn call_span(
    tracer: &SdkTracer,
    parent: &Context,
    conversation: &ConversationId,
    (call, tool): (&CallId, &str),
    trail: &[TrailStep],
) -> Context {
    // The name of a tool that does not exist comes from the model: it is no name for a span.
    let is_unknown =
        trail.iter().any(|step| step.policy == "known_tool" && step.result == StepResult::Refused);
    let name = match is_unknown {
        true => names::EXECUTE_TOOL.to_owned(),
        false => format!("{} {tool}", names::EXECUTE_TOOL),
    };
    let attributes = [
        KeyValue::new(names::OPERATION_NAME, names::EXECUTE_TOOL),
        KeyValue::new(names::TOOL_NAME, tool.to_owned()),
        KeyValue::new(names::TOOL_TYPE, "function"),
        KeyValue::new(names::TOOL_CALL_ID, call.as_str().to_owned()),
        KeyValue::new(names::CONVERSATION_ID, conversation.as_str().to_owned()),
    ];
    let builder =
        SpanBuilder::from_name(name).with_kind(SpanKind::Internal).with_attributes(attributes);
    let context = Context::new().with_span(tracer.build_with_context(builder, parent));
    let now = SystemTime::now();
    for step in trail {
        context.span().add_event_with_timestamp(names::POLICY_EVENT, now, policy(step));
    }
    context
}

fn policy(step: &TrailStep) -> Vec<KeyValue> {
    let measure = step.measure.iter().flat_map(|measure| {
        [
            KeyValue::new(names::POLICY_USED, i64::from(measure.used)),
            KeyValue::new(names::POLICY_LIMIT, i64::from(measure.limit)),
            KeyValue::new(names::POLICY_UNIT, measure.of.to_string()),
        ]
    });
    let decision = [
        KeyValue::new(names::POLICY_NAME, step.policy.to_string()),
        KeyValue::new(names::POLICY_RESULT, step.result.as_str()),
    ];
    decision.into_iter().chain(measure).collect()
}

#[cfg(test)]
#[path = "spans_tests.rs"]
mod tests;
