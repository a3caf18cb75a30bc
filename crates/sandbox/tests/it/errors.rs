//! Thrown values of a handler, and the resulting faults.

use aileron_capability::foreign::{HandlerFault, ThrownToolError};
use std::sync::Arc;

use aileron_contract::ErrorType;
use serde_json::json;

use crate::sandbox::{Bench, call, load, over_both, plain_call};
use crate::world::World;

over_both!(
    a_tool_error_keeps_its_fields,
    a_tool_error_is_known_by_its_shape,
    a_tool_error_of_an_unknown_type_is_an_error,
    details_that_are_no_json_are_left_out,
    an_error_has_name_message_and_stack,
    anything_can_be_thrown,
    null_counts_as_out_of_memory,
    getters_that_throw_are_survived,
    long_texts_are_cut,
    a_rejection_is_a_throw,
    a_fault_of_a_capability_keeps_its_code_and_its_place,
);

fn thrown(kind: ErrorType, message: &str) -> ThrownToolError {
    ThrownToolError {
        kind,
        message: message.into(),
        retryable: None,
        partial_side_effects: None,
        idempotency_required: None,
        suggestion: None,
        details: None,
    }
}

fn tool_error(outcome: Result<serde_json::Value, HandlerFault>) -> ThrownToolError {
    match outcome {
        Err(HandlerFault::Thrown(thrown)) => *thrown,
        other => panic!("expected a tool error, found {other:?}"),
    }
}

fn error(outcome: Result<serde_json::Value, HandlerFault>) -> (String, String) {
    match outcome {
        Err(HandlerFault::Error { name, message, .. }) => (name, message),
        other => panic!("expected an error, found {other:?}"),
    }
}

fn a_tool_error_keeps_its_fields(bench: &Bench) {
    let body = "throw new ToolError(ErrorType.TRANSIENT, 'no luck', { retryable: false, partialSideEffects: true,
        idempotencyRequired: true, suggestion: 'wait', details: { after: [1] } });";
    let expected = ThrownToolError {
        retryable: Some(false),
        partial_side_effects: Some(true),
        idempotency_required: Some(true),
        suggestion: Some("wait".into()),
        details: Some(json!({ "after": [1] })),
        ..thrown(ErrorType::Transient, "no luck")
    };
    assert_eq!(tool_error(bench.run(body)), expected);
}

fn a_tool_error_is_known_by_its_shape(bench: &Bench) {
    let engine = bench.engine();
    let source = "class ToolError extends Error {
            constructor(type, message) { super(message); this.name = 'ToolError'; this.type = type; } }
        export async function execute() { throw new ToolError('AUTH', 'not you'); }";
    let script = load(&engine, source).unwrap();
    let outcome = call(&engine, &script, plain_call(&Arc::new(World::default())));
    assert_eq!(tool_error(outcome), thrown(ErrorType::Auth, "not you"));
}

fn a_tool_error_of_an_unknown_type_is_an_error(bench: &Bench) {
    let outcome = bench.run("throw new ToolError('OOPS', 'what');");
    assert_eq!(error(outcome), ("ToolError".into(), "unknown type `OOPS`: what".into()));
}

fn details_that_are_no_json_are_left_out(bench: &Bench) {
    for details in ["10n", "(() => { const a = {}; a.a = a; return a; })()", "'x'.repeat(100_000)"]
    {
        let body = format!("throw new ToolError('CONFLICT', 'm', {{ details: {details} }});");
        assert_eq!(tool_error(bench.run(&body)), thrown(ErrorType::Conflict, "m"), "{details}");
    }
    let outcome =
        tool_error(bench.run("throw new ToolError('CONFLICT', 'm', { details: '\\ud800' });"));
    assert_eq!(outcome.details, Some(json!("\u{fffd}")));
}

fn an_error_has_name_message_and_stack(bench: &Bench) {
    let outcome = bench.run("null.x");
    let Err(HandlerFault::Error { name, message, stack }) = outcome else { panic!("{outcome:?}") };
    assert_eq!(
        (name.as_str(), message.as_str()),
        ("TypeError", "cannot read property 'x' of null")
    );
    assert!(stack.contains("tool/handler.js:2"), "{stack}");
}

fn anything_can_be_thrown(bench: &Bench) {
    let engine = bench.engine();
    let world = Arc::new(World::default());
    for (value, name, message) in [
        ("undefined", "undefined", ""),
        ("'text'", "string", "text"),
        ("'lone \\ud800'", "string", "lone \u{fffd}"),
        ("42", "number", "42"),
        ("10n", "bigint", "10"),
        ("Symbol('s')", "symbol", "Symbol(s)"),
        ("Object.freeze(new RangeError('cold'))", "RangeError", "cold"),
        ("Object.freeze({ name: 'N', message: 'm' })", "N", "m"),
        ("{}", "", ""),
        ("() => 1", "", ""),
        ("Object.create(null)", "", ""),
    ] {
        let script =
            load(&engine, &format!("export function execute() {{ throw {value}; }}")).unwrap();
        let outcome = call(&engine, &script, plain_call(&world));
        assert_eq!(error(outcome), (name.into(), message.into()), "{value}");
    }
}

fn null_counts_as_out_of_memory(bench: &Bench) {
    assert_eq!(bench.run("throw null;"), Err(HandlerFault::OutOfMemory));
}

fn getters_that_throw_are_survived(bench: &Bench) {
    for value in [
        "{ get name() { throw 1; }, get message() { throw 2; }, get stack() { throw 3; } }",
        "new Proxy({}, { get() { throw new Error('trap'); } })",
        "{ name: { toString() { throw 1; } }, message: { toString() { throw 1; } } }",
        "{ name: 'ToolError', get type() { throw 1; } }",
        "{ toJSON() { throw 1; } }",
    ] {
        let outcome = bench.run(&format!("throw {value};"));
        assert!(matches!(outcome, Err(HandlerFault::Error { .. })), "{value}: {outcome:?}");
    }
}

fn long_texts_are_cut(bench: &Bench) {
    let (_, message) = error(bench.run("throw new Error('x'.repeat(1_000_000));"));
    assert_eq!(message.len(), 4096);
}

fn a_rejection_is_a_throw(bench: &Bench) {
    let outcome = bench.run("return Promise.reject(new ToolError('PERMANENT', 'never'));");
    assert_eq!(tool_error(outcome), thrown(ErrorType::Permanent, "never"));
}

/// The place is where the capability was called, even if it failed later; changes of the error by
/// the handler do not matter.
fn a_fault_of_a_capability_keeps_its_code_and_its_place(bench: &Bench) {
    let engine = bench.engine();
    let world = Arc::new(World::default());
    for (code, calling) in [
        ("UNAVAILABLE", "await context.kb.fail();"),
        ("REFUSED", "context.kb.refuse();"),
        (
            "UNAVAILABLE",
            "try { await context.kb.fail(); } catch (e) { e.message = 'mine'; e.code = 'AUTH'; throw e; }",
        ),
    ] {
        let source = format!(
            "import {{ ToolError }} from 'aileron';\n\nasync function inner(context) {{\n  {calling}\n}}\n\
             export async function execute({{ context }}) {{\n  await inner(context);\n}}"
        );
        let script = load(&engine, &source).unwrap();
        let outcome = call(&engine, &script, plain_call(&world));
        let Err(HandlerFault::Capability(uncaught)) = outcome else {
            panic!("{calling}: {outcome:?}")
        };
        assert_eq!((uncaught.fault.code.as_str(), uncaught.fault.message.as_str()), (code, "no"));
        assert!(uncaught.stack.contains("tool/handler.js:4"), "{}", uncaught.stack);
    }
}
