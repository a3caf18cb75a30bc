//! Typed arguments of native handlers.

use std::sync::Arc;

use aileron_contract::{CallId, ConversationId, ErrorType, Mode, ToolId};
use serde::Deserialize;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::clock::ManualClock;
use crate::context::ContextParts;
use crate::doubles::RecordingConversation;
use crate::ending::HandlerEnd;
use crate::outcome::success;
use crate::{Caller, Platform};

#[derive(Deserialize)]
struct Args {
    count: u8,
    share: f64,
}

async fn execute(args: Args, _context: Context) -> ToolResult {
    success(json!([args.count, args.share]))
}

fn context() -> Context {
    let caller = Caller {
        conversation: ConversationId::new("conversation").unwrap(),
        user: None,
        scopes: [].into(),
        mode: Mode::Text,
        tool: ToolId::new("tool").unwrap(),
        call_id: CallId::new("call").unwrap(),
        idempotency_key: "key".into(),
    };
    let parts = ContextParts {
        caller,
        platform: Arc::new(Platform::default()),
        conversation: Arc::new(RecordingConversation::new(Mode::Text)),
        clock: Arc::new(ManualClock::at(0)),
        deadline: 1000,
        cancel: CancellationToken::new(),
        user: None,
        depth: 0,
    };
    Context::new([].into(), parts)
}

fn run(args: Value) -> ToolResult {
    call(execute, args.into(), context()).now_or_never().unwrap()
}

#[test]
fn arguments_arrive_as_the_type_the_handler_takes() {
    assert_eq!(run(json!({ "count": 2, "share": 1 })).unwrap().data, json!([2, 1.0]));
}

#[test]
fn a_whole_float_is_an_integer_as_json_schema_has_it() {
    assert_eq!(run(json!({ "count": 2.0, "share": 0.5 })).unwrap().data, json!([2, 0.5]));
}

#[test]
fn a_type_that_disagrees_with_the_schema_is_a_defect_that_only_the_log_sees() {
    let error = run(json!({ "count": "many", "share": 1 })).unwrap_err();
    let ending = HandlerEnd::completed(Err(error.clone()));
    let defect = ending.defect.unwrap();
    assert!(defect.to_string().contains("many"), "{defect}");
    assert!(!defect.without_quotes().contains("many"), "{defect}");
    let failure = error.into_failure();
    assert_eq!(failure.kind, ErrorType::Internal);
    assert!(!failure.message.contains("many") && !failure.partial_side_effects);
}
