//! Parents, ends and bounds of spans, with a processor that keeps them.

use std::sync::{Arc, Mutex};

use opentelemetry::trace::TracerProvider;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SdkTracerProvider, Span, SpanData, SpanProcessor};

use super::*;

#[derive(Debug, Default, Clone)]
struct Ended(Arc<Mutex<Vec<SpanData>>>);

impl SpanProcessor for Ended {
    fn on_start(&self, _: &mut Span, _: &Context) {}

    fn on_end(&self, span: SpanData) {
        self.0.lock().unwrap().push(span);
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}

impl Ended {
    fn all(&self) -> Vec<SpanData> {
        self.0.lock().unwrap().clone()
    }
}

fn tracer() -> (SdkTracer, Ended) {
    let ended = Ended::default();
    let provider = SdkTracerProvider::builder().with_span_processor(ended.clone()).build();
    (provider.tracer("test"), ended)
}

fn conversation(n: usize) -> ConversationId {
    ConversationId::new(format!("c{n}")).unwrap()
}

fn call() -> CallId {
    CallId::new("call-000001").unwrap()
}

#[test]
fn a_call_that_ends_after_its_turn_is_its_child_all_the_same() {
    let (tracer, ended) = tracer();
    let (mut open, id) = (OpenSpans::default(), conversation(1));
    assert!(open.begin_turn(&tracer, &id, (1, Mode::Text)).is_none());
    open.begin_call(&tracer, &id, (&call(), "send"), &[]);
    open.take_turn(&id).unwrap().end(TurnEnd::Completed);
    open.take_call(&id, &call()).unwrap().span().end();
    let spans = ended.all();
    assert_eq!(
        spans.iter().map(|span| &*span.name).collect::<Vec<_>>(),
        ["invoke_agent aileron", "execute_tool send"]
    );
    assert_eq!(spans[1].parent_span_id, spans[0].span_context.span_id());
    assert_eq!(spans[1].span_context.trace_id(), spans[0].span_context.trace_id());
}

#[test]
fn a_turn_that_nobody_ends_ends_with_its_last_event() {
    let (tracer, ended) = tracer();
    let (mut open, id) = (OpenSpans::default(), conversation(1));
    open.begin_turn(&tracer, &id, (1, Mode::Text));
    open.begin_call(&tracer, &id, (&call(), "send"), &[]);
    drop(open.take_call(&id, &call()));
    let before = open.begin_turn(&tracer, &id, (2, Mode::Text)).unwrap();
    let began = SystemTime::now();
    before.end(TurnEnd::Completed);
    let quiet = open.take_quiet(Duration::ZERO);
    assert_eq!((quiet.len(), open.0.len()), (1, 0));
    let first = ended.all().into_iter().find(|span| span.name.starts_with("invoke")).unwrap();
    assert!(first.start_time <= first.end_time && first.end_time <= began);
}

#[test]
fn a_failed_turn_has_its_code_and_its_tokens() {
    let (tracer, ended) = tracer();
    let (mut open, id) = (OpenSpans::default(), conversation(1));
    open.begin_turn(&tracer, &id, (1, Mode::Text));
    open.begin_request(&tracer, &id, ("gemini", "m"));
    open.add_usage(&id, 7, 3);
    open.take_turn(&id).unwrap().end(TurnEnd::Failed("MODEL_BUSY"));
    let spans = ended.all();
    let names: Vec<&str> = spans.iter().map(|span| &*span.name).collect();
    assert_eq!(names, ["chat m", "invoke_agent aileron"], "a request ends with its turn");
    assert_eq!(spans[1].status, Status::error("MODEL_BUSY"));
    for attribute in [
        KeyValue::new(names::ERROR_TYPE, "MODEL_BUSY"),
        KeyValue::new(names::INPUT_TOKENS, 7),
        KeyValue::new(names::OUTPUT_TOKENS, 3),
    ] {
        assert!(spans[1].attributes.contains(&attribute), "{attribute:?} in {spans:?}");
    }
    assert!(spans[0].attributes.contains(&KeyValue::new(names::PROVIDER_NAME, "gcp.gemini")));
}

#[test]
fn the_number_of_open_spans_is_bounded() {
    let (tracer, ended) = tracer();
    let mut open = OpenSpans::default();
    for n in 0..MAX_CONVERSATIONS + 10 {
        open.begin_turn(&tracer, &conversation(n), (1, Mode::Voice));
    }
    assert_eq!((open.0.len(), ended.all().len()), (MAX_CONVERSATIONS, 10));
    for n in 0..1000 {
        let call = CallId::new(format!("call-{n:06}")).unwrap();
        open.begin_call(&tracer, &conversation(MAX_CONVERSATIONS), (&call, "send"), &[]);
    }
    assert!(open.0[&conversation(MAX_CONVERSATIONS)].calls.len() <= MAX_CALLS);
}
