//! `aileron serve`: the binary itself, over its socket.

mod durable;
mod full_disk;
mod log;
mod past_registry;
pub(crate) mod running;
mod telemetry;
mod two_servers;
mod versions;

use std::time::Duration;

use serde_json::json;

use self::running::Running;
use crate::workspace::{Workspace, repository};

const TOKEN: &str = "ada-a-token-of-the-tests";

#[test]
fn one_screen_says_what_there_is_and_requests_are_answered() {
    let workspace = Workspace::with_tool();
    let server = Running::start(&workspace, &[], &[]);
    let screen = server.screen();
    for words in [
        "aileron 0.1.0 at http://127.0.0.1:",
        "auth       off; only connections from this machine are accepted",
        "from `tools`",
        "tools      1: greet_person",
        "store      .aileron/aileron.db",
        "off        knowledge: no knowledge base at .aileron/kb",
        "because no key is set (GEMINI_API_KEY, OPENAI_API_KEY or ANTHROPIC_API_KEY)",
        "open http://127.0.0.1:",
        "run `aileron chat` here",
        "curl -N http://127.0.0.1:",
    ] {
        assert!(screen.contains(words), "{words:?} in {screen}");
    }
    assert_eq!(server.get("/health"), (200, "ok\nready\n".to_owned()));
    assert_eq!(server.get("/health/live"), (200, "ok\n".to_owned()));
    assert_eq!(server.get("/health/ready"), (200, "ready\n".to_owned()));
    let (status, begun) = server.post("/v1/conversations", &json!({ "mode": "text" }));
    assert_eq!(status, 201);
    let place = format!("/v1/conversations/{}/calls", begun["id"].as_str().unwrap());
    let call =
        json!({ "callId": "call-000001", "toolId": "greet_person", "args": { "name": "Ada" } });
    let (_, made) = server.post(&place, &call);
    assert_eq!(made["answers"][0]["response"]["data"]["greeting"], "Hello, Ada!");
    assert_eq!(server.signal("-TERM"), Some(0));
    let run = workspace.ok(&["audit", "tail", "--format", "json"]);
    assert!(run.stdout.contains("call-000001"), "what was done is on the disk: {}", run.stdout);
}

#[test]
fn the_shipped_tools_and_the_demo_are_there_at_the_first_start() {
    let workspace = Workspace::new();
    let (tools, seed) = (repository().join("tools"), repository().join("demo/knowledge"));
    let variables = [("AILERON_KB_SEED", seed.to_str().unwrap())];
    let server = Running::start(&workspace, &["--tools", tools.to_str().unwrap()], &variables);
    let screen = server.screen();
    assert!(screen.contains("65 records taken in"), "{screen}");
    assert!(screen.contains("knowledge  65 records"), "{screen}");
    let (_, begun) = server.post("/v1/conversations", &json!({ "mode": "text" }));
    let place = format!("/v1/conversations/{}/calls", begun["id"].as_str().unwrap());
    let query = json!({ "query": "who runs the lighting review", "top_k": 1 });
    let call = json!({ "callId": "call-000001", "toolId": "kb_search", "args": query });
    let (_, made) = server.post(&place, &call);
    assert_eq!(made["answers"][0]["response"]["data"]["results"][0]["id"], "person:mira_holt");
    assert_eq!(server.signal("-INT"), Some(0));
    let server = Running::start(&workspace, &["--tools", tools.to_str().unwrap()], &variables);
    assert!(!server.screen().contains("taken in"), "only once");
}

#[test]
fn the_page_is_in_the_program_or_in_a_folder() {
    let workspace = Workspace::with_tool();
    let server = Running::start(&workspace, &[], &[]);
    let browser = server.accepting("text/html");
    assert!(browser.get("/approvals").1.contains("<script type=\"module\""));
    let empty = workspace.run(&["serve", "--page", "tools"]);
    assert_eq!(empty.code, 2);
    assert!(empty.stderr.contains("found no index.html there"), "{}", empty.stderr);
    workspace.write("dist/index.html", "my own page");
    let server = Running::start(&workspace, &["--page", "dist"], &[]);
    assert!(server.screen().contains("page       from dist (--page)"), "{}", server.screen());
    assert_eq!(server.accepting("text/html").get("/tools"), (200, "my own page".to_owned()));
}

#[test]
fn a_port_that_is_taken_is_named() {
    let workspace = Workspace::with_tool();
    let server = Running::start(&workspace, &[], &[]);
    let run = workspace.run(&["serve", "--address", server.address()]);
    assert_eq!(run.code, 2);
    assert_eq!(
        run.stderr,
        format!(
            "error: {} is in use by another program; stop it, or choose another address with --address\n",
            server.address()
        )
    );
}

#[test]
fn other_machines_are_not_answered_without_signing_in() {
    let workspace = Workspace::with_tool();
    let run = workspace.run(&["serve", "--address", "0.0.0.0:0"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("authentication is off; set [auth]"), "{}", run.stderr);
    let tokens = format!("ada {TOKEN}");
    let variables = [("AILERON_TOKENS", tokens.as_str())];
    let server = Running::start(&workspace, &["--address", "0.0.0.0:0"], &variables);
    assert!(server.screen().contains("auth       1 token"));
    let curl = "/api/chat -H \"authorization: Bearer $TOKEN\" -H 'content-type";
    assert!(server.screen().contains(curl), "{}", server.screen());
    assert_eq!(server.get("/v1/tools").0, 401);
    assert_eq!(server.signed_in(TOKEN).get("/v1/tools").0, 200);
}

#[test]
fn settings_come_from_the_file_then_the_environment_then_the_flags() {
    let workspace = Workspace::new();
    workspace.write("aileron.toml", "[server]\naddress = '127.0.0.1:1'\nhosts = ['a.lan']\n");
    let mut command = workspace.command();
    command.args(["serve", "--print-config", "--address", "127.0.0.1:3"]);
    command.env("AILERON_SERVER_ADDRESS", "127.0.0.1:2").env("AILERON_SERVER_HOSTS", "b.lan,c.lan");
    let run = crate::workspace::Run::of(command.output().unwrap());
    assert_eq!(run.code, 0, "{}", run.stderr);
    for line in [
        "server.address = \"127.0.0.1:3\"  # --address",
        "server.hosts = [\"b.lan\",\"c.lan\"]  # $AILERON_SERVER_HOSTS",
        "server.tools = \"tools\"  # default",
        "policies.budgets.text.total = 10  # default",
    ] {
        assert!(run.stdout.lines().any(|found| found == line), "{line:?} in {}", run.stdout);
    }
}

#[test]
fn a_grammar_that_is_none_refuses_the_start() {
    let workspace = Workspace::with_tool();
    workspace.write("aileron.toml", "[confirmation]\ngrammar = 'de.json'\n");
    workspace.write("de.json", r#"{"yes": ["ja"]}"#);
    let run = workspace.run(&["serve", "--address", "127.0.0.1:0"]);
    assert_eq!(run.code, 2);
    let expected =
        "error: confirmation.grammar: `de.json`: expected a file of phrases: missing field";
    assert!(run.stderr.starts_with(expected), "{}", run.stderr);
}

#[test]
fn a_page_is_let_in_however_its_address_ends_and_any_page_is_not() {
    let workspace = Workspace::with_tool();
    workspace.write("aileron.toml", "[server]\norigins = ['https://Example.com/']\n");
    let server = Running::start(&workspace, &[], &[]);
    assert_eq!(server.on_page("https://example.com").get("/v1/tools").0, 200);
    assert_eq!(server.on_page("https://evil.example").get("/v1/tools").0, 403);
    let mut command = workspace.command();
    let output = command.arg("serve").env("AILERON_SERVER_ORIGINS", "*").output().unwrap();
    let run = crate::workspace::Run::of(output);
    let expected = "error: $AILERON_SERVER_ORIGINS: expected pages like `https://example.com`";
    assert_eq!((run.code, run.stderr.starts_with(expected)), (2, true), "{}", run.stderr);
}

#[test]
fn a_limit_that_lets_nothing_through_is_refused_and_no_limit_is_taken() {
    let workspace = Workspace::with_tool();
    workspace.write("aileron.toml", "[server.limits]\nconnections = 0\n");
    let run = workspace.run(&["serve"]);
    let expected = "error: aileron.toml:2:15: invalid value: integer `0`, expected a nonzero u32\n";
    assert_eq!((run.code, run.stderr.as_str()), (2, expected));
    workspace.write(
        "aileron.toml",
        "[server.limits]\nlocal_requests_per_second = 0\nidle_minutes = 0\ngrace_seconds = 0\n",
    );
    let server = Running::start(&workspace, &[], &[]);
    assert_eq!(server.get("/v1/tools").0, 200);
}

#[test]
fn what_is_not_known_is_refused_with_what_was_meant() {
    let workspace = Workspace::with_tool();
    workspace.write("aileron.toml", "[server]\nadress = '127.0.0.1:1'\n");
    let run = workspace.run(&["serve"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.starts_with("error: aileron.toml:2:1: unknown field `adress`"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.trim_end().ends_with("did you mean `address`?"), "{}", run.stderr);
    workspace.write("aileron.toml", "");
    let mut command = workspace.command();
    let output = command.arg("serve").env("AILERON_SERVER_ADRESS", "127.0.0.1:1").output().unwrap();
    let run = crate::workspace::Run::of(output);
    let expected =
        "error: $AILERON_SERVER_ADRESS sets nothing; did you mean $AILERON_SERVER_ADDRESS?\n";
    assert_eq!((run.code, run.stderr.as_str()), (2, expected));
    let mut command = workspace.command();
    let output = command.arg("serve").env("AILERON_SEVER_ADDRESS", "127.0.0.1:1").output().unwrap();
    let run = crate::workspace::Run::of(output);
    let expected = expected.replace("SERVER_ADRESS", "SEVER_ADDRESS");
    assert_eq!((run.code, run.stderr), (2, expected));
}

#[test]
fn secrets_appear_nowhere() {
    let workspace = Workspace::with_tool();
    let secret = "a-secret-of-the-tests-0123456789";
    workspace.write(
        "aileron.toml",
        "[kb.embeddings]\nurl = 'https://ada:hidden-word@example.com/v1?key=hidden-word'\n",
    );
    let tokens = format!("ada {secret}");
    let mut command = workspace.command();
    let output = command.args(["serve", "--print-config"]).env("AILERON_TOKENS", &tokens).output();
    let printed = crate::workspace::Run::of(output.unwrap());
    assert!(printed.stdout.contains("https://***@example.com/v1?***"), "{}", printed.stdout);
    workspace.write("aileron.toml", "");
    let server = Running::start(&workspace, &[], &[("AILERON_TOKENS", &tokens)]);
    assert_eq!(server.signed_in(secret).get("/v1/tools").0, 200);
    let said = [
        printed.stdout,
        printed.stderr,
        server.screen(),
        server.signed_in("wrong-token-0123456789").get("/v1/tools").1,
        server.signed_in(secret).get("/nothing").1,
        server.rest(),
    ];
    for text in said {
        assert!(!text.contains(secret) && !text.contains("hidden-word"), "{text}");
    }
    let kept = std::fs::read_dir(workspace.path(".aileron")).unwrap().map(|entry| entry.unwrap());
    for file in kept.map(|entry| entry.path()).filter(|path| path.is_file()) {
        let bytes = std::fs::read(file).unwrap();
        assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()));
    }
}

#[test]
fn changed_tools_are_for_conversations_that_begin() {
    let workspace = Workspace::with_tool();
    let server = Running::start(&workspace, &["--watch"], &[]);
    server.screen();
    let version = |begun: &serde_json::Value| begun["registryVersion"].as_str().unwrap().to_owned();
    let begin = || server.post("/v1/conversations", &json!({ "mode": "text" })).1;
    let before = begin();
    workspace.replace("tools/greet-person/handler.js", "Hello", "Good day");
    server.until("registry 1.0.");
    let after = begin();
    assert_ne!(version(&before), version(&after));
    let greeting = |begun: &serde_json::Value| {
        let place = format!("/v1/conversations/{}/calls", begun["id"].as_str().unwrap());
        let args = json!({ "name": "Ada" });
        let call = json!({ "callId": "call-000001", "toolId": "greet_person", "args": args });
        let (_, made) = server.post(&place, &call);
        made["answers"][0]["response"]["data"]["greeting"].as_str().unwrap().to_owned()
    };
    assert_eq!(greeting(&before), "Hello, Ada!", "one that runs keeps its tools");
    assert_eq!(greeting(&after), "Good day, Ada!");
    workspace.replace("tools/greet-person/schema.json", "maxLength", "maxLenght");
    server.until("unknown keyword `maxLenght`");
    server.until("the tools stay as they were");
    assert_eq!(version(&begin()), version(&after));
}

/// Copies a shipped tool beside those that are there. Adds a tool atomically, because a watcher
/// would report an incomplete one.
fn add(workspace: &Workspace, tool: &str) {
    let from = repository().join("tools").join(tool);
    workspace.system("cp", &["-r", from.to_str().unwrap(), "added"]);
    workspace.system("mv", &["added", &format!("tools/{tool}")]);
}

#[test]
fn a_tool_that_is_added_has_the_engine_it_needs() {
    let workspace = Workspace::with_tool();
    let seed = repository().join("demo/knowledge");
    workspace.ok(&["kb", "ingest", seed.to_str().unwrap()]);
    let server = Running::start(&workspace, &["--watch"], &[]);
    add(&workspace, "kb-search");
    server.until("with 2 tools for new conversations");
    let (_, begun) = server.post("/v1/conversations", &json!({ "mode": "text" }));
    let place = format!("/v1/conversations/{}/calls", begun["id"].as_str().unwrap());
    let query = json!({ "query": "who runs the lighting review", "top_k": 1 });
    let call = json!({ "callId": "call-000001", "toolId": "kb_search", "args": query });
    let (_, made) = server.post(&place, &call);
    assert_eq!(made["answers"][0]["response"]["data"]["results"][0]["id"], "person:mira_holt");
}

#[test]
fn a_tool_whose_engine_cannot_be_made_is_not_taken_up() {
    let workspace = Workspace::with_tool();
    workspace.write("aileron.toml", "[calendar]\nengine = 'caldav'\n");
    let server = Running::start(&workspace, &["--watch"], &[]);
    add(&workspace, "calendar-propose-event");
    let said = server.until("the tools stay as they were");
    let expected = "error: `calendar_propose_event` needs `calendar`, which was not there when the \
                    server started: [calendar] cannot be used: expected `caldav.url`, the address \
                    of the server; mend that and start it again; the tools stay as they were";
    assert!(said.contains(expected), "{said}");
    let (_, tools) = server.get("/v1/tools");
    assert!(!tools.contains("calendar_propose_event"), "{tools}");
}

#[test]
fn a_second_signal_stops_at_once() {
    let workspace = Workspace::with_tool();
    workspace.write("aileron.toml", "[server.limits]\ngrace_seconds = 3600\n");
    let server = Running::start(&workspace, &[], &[]);
    server.screen();
    // Half a request holds up the end.
    let _half = server.half_a_request();
    server.kill("-INT");
    server.until("stopping: waiting for requests in flight");
    assert_eq!(server.signal("-INT"), Some(1));
}

/// Generous: `aileron-bench start` measures it. A start that hangs on something is found here.
#[test]
fn a_start_does_not_take_long() {
    let workspace = Workspace::with_tool();
    let began = std::time::Instant::now();
    let server = Running::start(&workspace, &[], &[]);
    server.screen();
    assert_eq!(server.get("/health").0, 200);
    assert!(began.elapsed() < Duration::from_secs(60));
}
