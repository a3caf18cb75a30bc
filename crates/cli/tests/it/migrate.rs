//! A toolset that was made for another server: what is reported about each tool, what `--write` changes,
//! and what its handlers find in their context.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::workspace::{Workspace, repository};

const TOOLSET: &str = "crates/cli/tests/toolsets/voice-app";

/// A folder with a copy of the toolset in `voice-app`.
pub(crate) fn voice_app() -> Workspace {
    let workspace = Workspace::new();
    copy(&repository().join(TOOLSET), &workspace.path("voice-app"));
    workspace
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}

fn report(workspace: &Workspace, args: &[&str]) -> Value {
    let args = [&["migrate", "voice-app", "--format", "json"], args].concat();
    let run = workspace.run(&args);
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    run.json()
}

fn tool<'r>(report: &'r Value, directory: &str) -> &'r Value {
    let tools = report["tools"].as_array().unwrap();
    tools.iter().find(|tool| tool["directory"] == directory).unwrap()
}

fn verdicts(report: &Value) -> Vec<(&str, &str)> {
    let tools = report["tools"].as_array().unwrap().iter();
    tools.map(|it| (it["directory"].as_str().unwrap(), it["verdict"].as_str().unwrap())).collect()
}

/// The changes of a tool: file, line, before and after.
fn lines(tool: &Value) -> Vec<String> {
    let shown = |text: &Value| text.as_str().unwrap_or("-").trim().to_owned();
    let changes = tool["changes"].as_array().unwrap().iter();
    changes
        .map(|it| {
            let (file, line) = (it["file"].as_str().unwrap(), &it["line"]);
            let file = file.strip_prefix("voice-app/tools/").unwrap();
            format!("{file}:{line} {} => {}", shown(&it["before"]), shown(&it["after"]))
        })
        .collect()
}

fn codes(findings: &Value) -> Vec<&str> {
    findings.as_array().unwrap().iter().map(|it| it["code"].as_str().unwrap()).collect()
}

#[test]
fn every_tool_of_the_toolset_gets_its_verdict() {
    let workspace = voice_app();
    let report = report(&workspace, &[]);
    assert_eq!(report["folder"], "voice-app/tools");
    assert_eq!(
        verdicts(&report),
        [
            ("book-slot", "decision"),
            ("crm-lookup", "decision"),
            ("ignore-user", "lines"),
            ("kb-search", "lines"),
            ("send-image", "decision"),
            ("start-voice-session", "lines"),
            ("weather-lookup", "runtime"),
        ]
    );
    assert_eq!(
        lines(tool(&report, "ignore-user")),
        [
            "ignore-user/handler.js:20 intents: [ => intents: [{ type: 'BLOCK_USER', until: timeoutUntil },",
            r#"ignore-user/schema.json:11 - => "capabilities": ["messaging", "audit"],"#,
        ]
    );
    assert_eq!(
        lines(tool(&report, "kb-search")),
        [r#"kb-search/schema.json:11 - => "capabilities": ["kb", "audit"],"#]
    );
    assert_eq!(
        lines(tool(&report, "start-voice-session")),
        [
            "start-voice-session/handler.js:6 return { ok: true, data: { action: 'start_voice_session', reason: args.reason ?? null } }; => return { ok: true, intents: [{ type: 'START_VOICE_SESSION' }], data: { action: 'start_voice_session', reason: args.reason ?? null } };"
        ]
    );
    let weather = tool(&report, "weather-lookup");
    assert_eq!(weather["runtime"], "node");
    assert_eq!(
        lines(weather),
        [
            r#"weather-lookup/schema.json:11 - => "runtime": "node","#,
            r#"weather-lookup/schema.json:11 - => "capabilities": ["secret:WEATHER_URL"],"#,
        ]
    );
    assert_eq!(codes(&tool(&report, "crm-lookup")["remaining"])[0], "AIL-H006");
    assert_eq!(tool(&report, "crm-lookup")["remaining"][0]["line"], 1);
    let image = codes(&tool(&report, "send-image")["remaining"]);
    assert!(image.contains(&"AIL-H022"), "{image:?}");
}

#[test]
fn nothing_is_written_without_write() {
    let workspace = voice_app();
    let before = workspace.read("voice-app/tools/ignore-user/handler.js");
    let run = workspace.run(&["migrate", "voice-app"]);
    assert_eq!(run.code, 1);
    assert_eq!(workspace.read("voice-app/tools/ignore-user/handler.js"), before);
    for line in [
        "voice-app/tools: 7 tools",
        "kb-search            compiles with 1 line changed",
        "weather-lookup       compiles with 2 lines changed, and runs as trusted code: \"runtime\": \"node\"",
        "crm-lookup           needs a decision",
        "7 tools move: 3 with changed lines, 1 with another runtime, 3 after a decision",
    ] {
        assert!(run.stdout.contains(line), "{line}\n{}", run.stdout);
    }
}

/// A second run finds nothing to write, and trusted code is never set by `--write` alone.
#[test]
fn what_is_written_builds_and_is_written_once() {
    let workspace = voice_app();
    let written = report(&workspace, &["--write"])["written"].clone();
    assert_eq!(written.as_array().unwrap().len(), 4, "{written}");
    assert!(!workspace.read("voice-app/tools/weather-lookup/schema.json").contains("runtime"));
    let again = report(&workspace, &["--write"]);
    assert_eq!(again["written"], json!([]));
    assert_eq!(tool(&again, "ignore-user")["verdict"], "as_it_is");
    let trusted = report(&workspace, &["--write", "--trust"]);
    assert_eq!(trusted["written"], json!(["voice-app/tools/weather-lookup/schema.json"]));
    let built = workspace.run(&["build", "--tools", "voice-app/tools", "--keep-going"]);
    assert_eq!(built.code, 3, "{}", built.stderr);
    let ids =
        workspace.ok(&["list", "--registry", "tool_registry.json", "--format", "json"]).json();
    let ids: Vec<_> =
        ids["tools"].as_array().unwrap().iter().map(|it| it["toolId"].clone()).collect();
    assert_eq!(ids, ["ignore_user", "kb_search", "start_voice_session", "weather_lookup"]);
}

#[test]
fn line_ends_marks_and_modes_of_files_are_kept() {
    let workspace = voice_app();
    let path = "voice-app/tools/ignore-user/handler.js";
    let text = workspace.read(path).replace('\n', "\r\n");
    workspace.write(path, &text);
    report(&workspace, &["--write"]);
    let after = workspace.read(path);
    assert_eq!(after.matches("\r\n").count(), text.matches("\r\n").count());
    assert_eq!(after.replace("\r\n", "").matches('\n').count(), 0);
    assert!(after.contains("BLOCK_USER"));
}

#[test]
fn folders_without_tools_and_with_several_toolsets_are_refused_by_name() {
    let workspace = voice_app();
    for (folder, expected) in [
        ("nowhere", "expected a folder, found none at `nowhere`"),
        ("voice-app/lib", "expected tool directories in `voice-app/lib`"),
    ] {
        let run = workspace.run(&["migrate", folder]);
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
    copy(&workspace.path("voice-app/tools"), &workspace.path("voice-app/agent/tools"));
    let run = workspace.run(&["migrate", "voice-app"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("`voice-app/agent/tools`, `voice-app/tools`"), "{}", run.stderr);
    let given = workspace.run(&["migrate", "voice-app/tools", "--trust"]);
    assert_eq!(given.code, 2, "{}", given.stderr);
}

/// The author declared the capabilities and forgot the intent.
fn without_the_block() -> Workspace {
    let workspace = voice_app();
    workspace.replace(
        "voice-app/tools/ignore-user/schema.json",
        "\"parameters\"",
        "\"capabilities\": [\"messaging\", \"audit\"],\n  \"parameters\"",
    );
    workspace
}

const BLOCK: &str = r#"{"duration_seconds": 60, "farewell_message": "Goodbye."}"#;

fn call(workspace: &Workspace, tool: &str, args: &str) -> (Value, String) {
    let run = workspace.run(&[
        "call",
        tool,
        args,
        "--memory",
        "--confirm",
        "--tools",
        "voice-app/tools",
        "--keep-going",
    ]);
    (serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.stderr)), run.stderr)
}

#[test]
fn a_timeout_without_a_block_is_a_warning_at_build_and_at_run_time() {
    let workspace = without_the_block();
    let run = workspace.run(&["check", "--tools", "voice-app/tools", "--format", "json"]);
    assert!(run.codes().contains(&"AIL-H021".to_owned()), "{:?}", run.codes());
    let (answer, log) = call(&workspace, "ignore_user", BLOCK);
    assert_eq!(answer["ok"], true, "{log}");
    let expected = "the message `timeout` was sent, but the handler returned no `BLOCK_USER` intent, so the person is not blocked";
    assert_eq!(answer["meta"]["warnings"], json!([expected]));
    assert!(log.contains(&format!("defect of ignore_user: {expected}")), "{log}");
}

#[test]
fn the_proposed_line_blocks_the_person() {
    let workspace = voice_app();
    report(&workspace, &["--write"]);
    let (answer, log) = call(&workspace, "ignore_user", BLOCK);
    assert_eq!(answer["meta"].get("warnings"), None, "{log}");
    assert_eq!(answer["intents"][0]["type"], "BLOCK_USER");
    let (answer, _) = call(&workspace, "start_voice_session", "{}");
    assert_eq!(answer["intents"], json!([{ "type": "START_VOICE_SESSION" }]));
}

const MEMBERS_JS: &str = "\
export async function execute({ args, context }) {
  context.capabilities.kb = true;
  const { clientId, conversationId, capabilities, meta, session } = context;
  const data = { same: clientId === conversationId, capabilities, meta, tools: session.toolsVersion, mode: session.state.mode };
  return { ok: true, data, meta: { source: 'crm' } };
}
";
const MEMBERS_PY: &str = "\
def execute(args, context):
    data = {
        'same': context.client_id == context.conversation_id,
        'capabilities': context.capabilities,
        'meta': context.meta,
        'tools': context.session['toolsVersion'],
        'mode': context.session['state']['mode'],
    }
    return {'ok': True, 'data': data, 'meta': {'source': 'crm'}}
";

fn declare(workspace: &Workspace, fields: &str) {
    let fields = format!("{fields},\n  \"parameters\"");
    workspace.replace("tools/greet-person/schema.json", "\"parameters\"", &fields);
}

/// A fresh tool that may return anything.
fn with_open_results() -> Workspace {
    let workspace = Workspace::with_tool();
    let path = "tools/greet-person/schema.json";
    let mut schema: Value = serde_json::from_str(&workspace.read(path)).unwrap();
    schema.as_object_mut().unwrap().remove("returns").unwrap();
    workspace.write(path, serde_json::to_string_pretty(&schema).unwrap());
    workspace
}

/// The same handler in every runtime, in a fresh folder each.
fn in_runtimes(runtimes: &[(&str, &str, &str)], check: impl Fn(&Workspace, &str)) {
    for (runtime, file, text) in runtimes {
        let workspace = with_open_results();
        fs::remove_file(workspace.path("tools/greet-person/handler.js")).unwrap();
        workspace.write(&format!("tools/greet-person/{file}"), text);
        declare(&workspace, &format!("\"runtime\": \"{runtime}\""));
        check(&workspace, runtime);
    }
}

fn greet(workspace: &Workspace, mode: &str) -> (Value, String) {
    let run =
        workspace.run(&["call", "greet_person", r#"{"name":"Ada"}"#, "--memory", "--mode", mode]);
    let answer = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.stderr));
    (answer, run.stderr)
}

#[test]
fn the_members_of_other_servers_contexts_are_there() {
    let runtimes = [
        ("sandbox", "handler.js", MEMBERS_JS),
        ("node", "handler.js", MEMBERS_JS),
        ("python", "handler.py", MEMBERS_PY),
    ];
    in_runtimes(&runtimes, |workspace, runtime| {
        declare(workspace, "\"capabilities\": [\"audit\", \"secret:KEY\"]");
        for mode in ["text", "voice"] {
            let (answer, log) = greet(workspace, mode);
            let (data, meta) = (&answer["data"], &answer["meta"]);
            let capabilities = &data["capabilities"];
            assert_eq!(data["same"], true, "{runtime} {answer} {log}");
            assert_eq!(
                (&capabilities["audit"], &capabilities["secret"]),
                (&json!(true), &json!(true))
            );
            assert_eq!(capabilities["messaging"], false);
            assert_eq!(capabilities["voice"], mode == "voice", "{runtime}");
            for name in
                ["toolId", "toolVersion", "registryVersion", "responseSchemaVersion", "callId"]
            {
                assert_eq!(data["meta"][name], meta[name], "{runtime} {name}");
            }
            assert_eq!((&data["tools"], &data["mode"]), (&meta["registryVersion"], &json!(mode)));
            let warning = meta["warnings"][0].as_str().unwrap();
            assert!(warning.starts_with("the handler returned `meta` of its own"), "{warning}");
        }
    });
}

const FETCH_JS: &str = "\
export async function execute({ args, context }) {
  const note = args.name;
  const answer = await context.http.fetch('http://127.0.0.1:9/');
  return { ok: true, data: { note, answer } };
}
";

/// An uncaught fault of a capability has its own type and the handler's own line, in every runtime.
#[test]
fn faults_of_capabilities_keep_their_type_and_their_line() {
    let runtimes = [("sandbox", "handler.js", FETCH_JS), ("node", "handler.js", FETCH_JS)];
    in_runtimes(&runtimes, |workspace, runtime| {
        workspace.write(
            "aileron.toml",
            "[http]\nallow_private = [\"127.0.0.1\"]\nallow_plain = [\"127.0.0.1\"]\n",
        );
        declare(workspace, "\"capabilities\": [\"http:127.0.0.1:9\"]");
        let (answer, log) = greet(workspace, "text");
        assert_eq!(answer["error"]["type"], "TRANSIENT", "{runtime} {answer} {log}");
        assert!(log.contains("handler.js:3:"), "{runtime} {log}");
    });
}

/// The compiler's list of members is the one of the contexts that calls receive.
#[test]
fn no_member_that_a_context_has_is_reported_as_unknown() {
    let workspace = with_open_results();
    let handler = |body: &str| {
        format!(
            "export async function execute(call) {{\n  const context = call.context;\n{body}\n}}\n"
        )
    };
    let path = "tools/greet-person/handler.js";
    workspace.write(
        path,
        handler("  return { ok: true, data: { names: [...Object.keys(context), ...Object.keys(call)] } };"),
    );
    let (answer, log) = greet(&workspace, "text");
    let names: Vec<_> = answer["data"]["names"].as_array().expect(&log).iter().collect();
    assert!(names.len() > 15, "{names:?}");
    let mut body = String::from("  const seen = [];\n");
    for name in &names {
        body.push_str(&format!("  seen.push(call.{0}, context.{0});\n", name.as_str().unwrap()));
    }
    workspace.write(path, handler(&format!("{body}  return {{ ok: true, data: {{ seen }} }};")));
    let codes = workspace.run(&["check", "--format", "json"]).codes();
    assert!(!codes.contains(&"AIL-H022".to_owned()), "{codes:?}");
    workspace.write(path, handler("  return { ok: true, data: context.ws };"));
    let codes = workspace.run(&["check", "--format", "json"]).codes();
    assert!(codes.contains(&"AIL-H022".to_owned()), "{codes:?}");
}
