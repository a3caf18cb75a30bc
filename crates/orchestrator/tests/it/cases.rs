//! Cases through the pipeline: how the policies affect them, and the report.

use std::path::Path;
use std::sync::Arc;

use aileron_capability::{Native, ToolError, success};
use aileron_compiler::emit::{self, BuildStamp};
use aileron_compiler::{Options, compile_folder};
use aileron_contract::Mode;
use aileron_orchestrator::cases::{CaseReport, CaseRunner};
use aileron_runtime::cases::{self, Case};
use aileron_runtime::{Handlers, Registry};
use aileron_sandbox::JsEngine;
use serde_json::{Value, json};

use crate::stage::{native, registry, spec, word};

fn case(value: Value) -> Case {
    serde_json::from_value(value).unwrap()
}

async fn run(tool: (Value, Native), value: Value) -> CaseReport {
    let registry = registry(&[tool]);
    let runner = CaseRunner::new(registry.clone()).unwrap();
    runner.run(&registry.tools()[0], &case(value), Mode::Text).await
}

fn echo(more: Value) -> (Value, Native) {
    (
        spec("echo", more),
        native("echo", |args, _| Box::pin(async move { success((*args).clone()) })),
    )
}

/// Fails in a way that a pipeline would try again.
fn flaky() -> (Value, Native) {
    let fail = native("flaky", |_, _| {
        Box::pin(async { Err(ToolError::new(aileron_contract::ErrorType::Transient, "not now")) })
    });
    (spec("flaky", json!({})), fail)
}

fn stuck() -> (Value, Native) {
    let hang = native("stuck", |_, _| Box::pin(std::future::pending()));
    (spec("stuck", json!({ "latencyBudgetMs": 1, "timeoutMs": 20 })), hang)
}

#[tokio::test]
async fn an_answer_as_expected_has_no_differences() {
    let expect = json!({ "ok": true, "data": { "n": 1 } });
    let report = run(echo(json!({})), json!({ "name": "x", "args": {}, "expect": expect })).await;
    assert!(report.is_ok() && report.notes.is_empty(), "{report:?}");
}

#[tokio::test]
async fn what_differs_is_named_by_its_place() {
    let expect = json!({ "ok": true, "data": { "n": 2 } });
    let report = run(echo(json!({})), json!({ "name": "x", "args": {}, "expect": expect })).await;
    assert_eq!(report.differences, ["/data/n: expected 2, found 1"]);
}

#[tokio::test]
async fn a_call_that_needs_approval_runs_as_if_it_had_been_given() {
    let tool = echo(json!({ "sideEffects": "writes", "requiresConfirmation": true }));
    let expect = json!({ "ok": true });
    let report = run(tool, json!({ "name": "x", "args": {}, "expect": expect })).await;
    assert!(report.is_ok(), "{report:?}");
}

#[tokio::test]
async fn every_other_gate_is_passed() {
    for (more, given, found) in [
        (json!({ "allowedModes": ["voice"] }), json!({}), "MODE_RESTRICTED"),
        (json!({ "permissions": { "requiresAuth": true } }), json!({}), "AUTH"),
        (
            json!({ "permissions": { "requiresAuth": true } }),
            json!({ "user": { "id": "ada" } }),
            "ok",
        ),
        (json!({}), json!({ "session": { "isActive": false } }), "SESSION_INACTIVE"),
        (
            json!({ "availability": { "condition": "user.plan == 'pro'" } }),
            json!({ "user": { "plan": "pro" } }),
            "ok",
        ),
    ] {
        let value = json!({ "name": "x", "args": {}, "given": given, "expect": { "ok": true } });
        let report = run(echo(more.clone()), value).await;
        assert_eq!(word(&report.answer.unwrap()), found, "{more}");
    }
}

#[tokio::test]
async fn a_person_that_cannot_be_is_a_difference() {
    let given = json!({ "user": { "id": "" } });
    let value = json!({ "name": "x", "args": {}, "given": given, "expect": { "ok": true } });
    let report = run(echo(json!({})), value).await;
    assert!(report.differences[0].starts_with("/given/user/id: "), "{report:?}");
}

#[tokio::test]
async fn nothing_is_tried_again_and_nothing_waits_for_a_clock_that_stands() {
    let expect = json!({ "ok": false, "error": { "type": "TRANSIENT" } });
    let value = json!({ "name": "x", "args": {}, "expect": expect });
    for tool in [flaky(), stuck()] {
        let report = run(tool, value.clone()).await;
        assert!(report.is_ok(), "{report:?}");
    }
}

#[tokio::test]
async fn a_defect_is_noted() {
    let tool = echo(json!({ "returns": { "type": "string" } }));
    let report = run(tool, json!({ "name": "x", "args": {}, "expect": { "ok": true } })).await;
    assert_eq!(
        report.notes,
        ["defect of echo: `returns` is broken at the result: expected a string, found an object"]
    );
}

fn shipped() -> Arc<Registry> {
    let compilation = compile_folder(&tools(), &Options::default(), &|_, _| {});
    let mut text = Vec::new();
    emit::write(&compilation.tools, &BuildStamp::default(), &mut text).unwrap();
    let engine = Arc::new(JsEngine::new(aileron_sandbox::Options::default()).unwrap());
    let handlers =
        Handlers { natives: aileron_tools::natives(), engine: Some(engine), ..Handlers::default() };
    Registry::load(std::str::from_utf8(&text).unwrap(), &handlers).unwrap()
}

fn tools() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools")
}

#[tokio::test]
async fn every_case_of_every_shipped_tool_holds_in_each_of_its_modes() {
    let registry = shipped();
    let runner = CaseRunner::new(registry.clone()).unwrap();
    let mut made = 0;
    for tool in registry.tools() {
        let file = tools().join(tool.spec().tool_id.directory()).join("cases.json");
        for case in cases::read(&std::fs::read_to_string(file).unwrap()).unwrap() {
            for mode in case.modes(tool.spec()) {
                let report = runner.run(tool, &case, mode).await;
                assert!(report.is_ok(), "{} ({mode}): {report:?}", case.name);
                made += 1;
            }
        }
    }
    assert!(made > 90, "only {made} calls were made");
}
