//! `aileron call`: one call through the whole pipeline.

mod bad_input;
mod confirmation;
mod faults;
mod handlers;
pub(crate) mod interrupt;
mod secrets;
mod store;

use serde_json::json;

use crate::workspace::Workspace;

const ADA: &str = r#"{"name":"Ada"}"#;

/// A workspace whose tool has this handler, and these members in its `schema.json`.
fn with_handler(code: &str, members: &str) -> Workspace {
    let workspace = Workspace::with_tool();
    workspace.write("tools/greet-person/handler.js", code);
    let schema = "tools/greet-person/schema.json";
    workspace.replace(schema, "  \"idempotent\"", &format!("  {members}\n  \"idempotent\""));
    workspace
}

#[test]
fn the_answer_is_one_line_of_json_on_stdout() {
    let run = Workspace::with_tool().ok(&["call", "greet-person", ADA]);
    assert!(run.stdout.starts_with(r#"{"ok":true,"data":{"greeting":"Hello, Ada!"},"#));
    assert_eq!(run.stdout.lines().count(), 1);
    assert_eq!(run.json()["meta"]["toolId"], "greet_person");
    let id = run.stderr.strip_prefix("conversation cli-").expect(&run.stderr);
    assert_eq!(id.trim_end().len(), 22);
}

#[test]
fn a_failed_call_exits_with_one_and_is_recorded_like_any_other() {
    let workspace = Workspace::with_tool();
    let run = workspace.run(&["call", "greet_person", r#"{"name":""}"#, "--conversation", "c"]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    assert_eq!(run.json()["error"]["type"], "VALIDATION");
    workspace.ok(&["call", "greet_person", ADA, "--conversation", "c", "--format", "json"]);
    let log = workspace.ok(&["audit", "export"]).stdout;
    assert!(log.contains("refused:arguments") && log.contains("completed"), "{log}");
    assert!(log.contains(r#""turn":1,"#) || log.contains(r#""turn":1}"#), "{log}");
    assert!(log.contains(r#""turn":2"#), "{log}");
}

#[test]
fn a_registry_runs_without_its_folder() {
    let workspace = Workspace::with_tool();
    workspace.ok(&["build"]);
    workspace.system("rm", &["-r", "tools"]);
    let run = workspace.ok(&["call", "greet_person", ADA, "--registry", "tool_registry.json"]);
    assert_eq!(run.json()["data"], json!({ "greeting": "Hello, Ada!" }));
}

#[test]
fn arguments_may_come_from_stdin_or_be_none() {
    let workspace = Workspace::with_tool();
    let run = workspace.with_stdin(&["call", "greet_person", "-", "--memory"], ADA.as_bytes());
    assert_eq!(run.json()["data"]["greeting"], "Hello, Ada!");
    let run = workspace.run(&["call", "greet_person", "--memory"]);
    assert_eq!(run.json()["error"]["message"], "the arguments do not fit: `name` is required");
}

#[test]
fn what_the_tool_says_on_the_way_goes_to_stderr() {
    let code = r#"
        export async function execute({ args, context }) {
            console.warn("careful");
            context.progress({ percent: 50 });
            context.progress("half way");
            await context.messaging.send({ text: "hi\u001b[31m" });
            return { ok: true, data: { greeting: '' }, intents: [{ type: "END_VOICE_SESSION", after: "immediate" }] };
        }"#;
    let workspace = with_handler(code, r#""capabilities": ["messaging"],"#);
    let run = workspace.ok(&["call", "greet_person", ADA, "--memory"]);
    let mut lines: Vec<_> = run.stderr.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            r#"intent refused: {"after":"immediate","type":"END_VOICE_SESSION"}: the conversation is held in the other mode"#,
            "log warning: careful",
            r#"message: {"text":"hi\u001b[31m"}"#,
            "progress: half way",
            r#"progress: {"percent":50}"#,
        ]
    );
}

#[test]
fn a_defect_is_told_to_the_person_and_not_to_the_model() {
    let code = "export async function execute() { throw new Error('the secret cause'); }";
    let run = with_handler(code, "").run(&["call", "greet_person", ADA, "--memory"]);
    assert_eq!((run.code, run.json()["error"]["type"].as_str()), (1, Some("INTERNAL")));
    assert!(!run.stdout.contains("secret cause"), "{}", run.stdout);
    assert!(run.stderr.starts_with("defect of greet_person: "), "{}", run.stderr);
    assert!(run.stderr.contains("the secret cause"), "{}", run.stderr);
}

#[test]
fn who_the_person_is_decides_what_they_may_do() {
    let permissions = r#""permissions": { "requiresAuth": true, "scopes": ["greet"] },"#;
    let code = "export const execute = async ({ context }) => ({ ok: true, data: { greeting: context.user.id } });";
    let workspace = with_handler(code, permissions);
    let call =
        |more: &[&str]| workspace.run(&[&["call", "greet_person", ADA, "--memory"], more].concat());
    assert_eq!(call(&[]).json()["error"]["type"], "AUTH");
    assert_eq!(call(&["--user", "ada"]).json()["error"]["type"], "AUTH");
    let allowed = call(&["--user", "ada", "--scope", "other", "--scope", "greet"]);
    assert_eq!(allowed.json()["data"]["greeting"], "ada");
}

#[test]
fn a_dry_run_tells_the_decision_and_leaves_nothing_behind() {
    let workspace = Workspace::with_tool();
    let dry =
        |more: &[&str]| workspace.run(&[&["call", "greet_person", "--dry-run"], more].concat());
    let run = dry(&[ADA]);
    let (sentence, trail) = run.stdout.split_once('\n').unwrap();
    assert_eq!((run.code, sentence), (0, "would run with {\"name\":\"Ada\"}"));
    assert!(trail.starts_with("policies: known_tool passed, "), "{trail}");
    assert!(trail.contains(", budgets passed (0 of 10 calls), "), "{trail}");
    let run = dry(&[]);
    let expected = "would be refused by arguments (VALIDATION): the arguments do not fit: `name` is required\n";
    assert_eq!((run.code, run.stdout.starts_with(expected)), (1, true), "{}", run.stdout);
    assert!(run.stdout.ends_with("arguments refused\n"), "{}", run.stdout);
    assert!(!workspace.path(".aileron").exists());
    workspace.ok(&["call", "greet_person", ADA, "--conversation", "c"]);
    assert_eq!(dry(&[ADA]).code, 0);
    assert_eq!(dry(&[ADA, "--conversation", "c"]).code, 0);
    let log = workspace.ok(&["audit", "export"]).stdout;
    assert_eq!(log.lines().count(), 1, "{log}");
    workspace.ok(&["call", "greet_person", ADA, "--conversation", "c"]);
    let log = workspace.ok(&["audit", "export"]).stdout;
    assert!(log.contains("\"turn\":2") && !log.contains("\"turn\":3"), "{log}");
}

#[test]
fn a_dry_run_names_clamps_questions_and_policies_for_machines_too() {
    let workspace = Workspace::with_tool();
    let limits = r#""modeLimits": { "voice": { "name": { "maxLength": 2 } } },"#;
    let schema = "tools/greet-person/schema.json";
    workspace.replace(schema, "  \"idempotent\"", &format!("  {limits}\n  \"idempotent\""));
    let dry = |mode: &str| {
        let args = ["call", "greet_person", ADA, "--dry-run", "--mode", mode, "--format", "json"];
        let mut decided = workspace.ok(&args).json();
        let trail = decided.as_object_mut().unwrap().remove("trail").unwrap();
        (decided, trail.as_array().unwrap().last().unwrap().clone())
    };
    let last = |result: &str| json!({ "policy": "confirmation", "result": result });
    let (decided, deciding) = dry("voice");
    assert_eq!(deciding, last("passed"));
    assert_eq!(
        decided,
        json!({ "decision": "run", "args": { "name": "Ad" }, "clamped": [{ "pointer": "/name", "from": "Ada", "to": "Ad" }] })
    );
    workspace.replace(schema, "\"requiresConfirmation\": false", "\"requiresConfirmation\": true");
    let (decided, deciding) = dry("text");
    assert_eq!(deciding["result"], "asked");
    assert_eq!(deciding["measure"], json!({ "limit": 16, "of": "open confirmations", "used": 0 }));
    assert_eq!(decided, json!({ "decision": "ask", "preview": "greet_person {\"name\":\"Ada\"}" }));
}

#[test]
fn engines_that_are_not_there_are_named() {
    let tools = crate::workspace::repository().join("tools");
    let proposal =
        r#"{"title":"Review","start":"2027-01-15T10:00:00Z","end":"2027-01-15T11:00:00Z"}"#;
    let args = ["call", "calendar_propose_event", proposal, "--memory", "--tools"];
    let workspace = Workspace::new();
    workspace.write("aileron.toml", "[calendar]\nengine = \"none\"\n");
    let run = workspace.run(&[&args[..], &[tools.to_str().unwrap()]].concat());
    assert_eq!(
        run.stderr,
        "no calendar is configured; `calendar_propose_event` will get the fault UNAVAILABLE from this capability\n"
    );
}
