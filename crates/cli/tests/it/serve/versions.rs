//! Several registries at once: who gets which, over every door; the rules change while the server runs.

mod bad_input;
mod reload;

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::{Message, connect};

use super::running::Running;
use crate::workspace::Workspace;

const ADA: &str = "ada-a-token-of-the-tests";
const BOB: &str = "bob-a-token-of-the-tests";
const EVE: &str = "eve-a-token-of-the-tests";

const TOKENS: &str = "ada ada-a-token-of-the-tests operator; bob bob-a-token-of-the-tests claim:org=acme; \
                      eve eve-a-token-of-the-tests";

/// A folder with two toolsets: `tools`, and `candidate.json`, which greets in other words and can also part.
fn workspace() -> Workspace {
    let workspace = Workspace::with_tool();
    workspace.ok(&["new", "greet-person", "--tools", "candidate"]);
    workspace.ok(&["new", "part-person", "--tools", "candidate"]);
    workspace.replace("candidate/greet-person/handler.js", "Hello, ", "Good evening, ");
    workspace.ok(&["build", "--tools", "candidate", "--out", "candidate.json"]);
    workspace
}

/// Settings with the candidate and these rules.
fn settings(workspace: &Workspace, rules: &str) {
    let registry = "[[server.registries]]\nname = \"candidate\"\npath = \"candidate.json\"\n";
    workspace.write("aileron.toml", format!("{registry}{rules}"));
}

/// Greets by a name that is the id of the call, so that no call repeats another; returns the first words.
fn greet(server: &Running, id: &str, call: &str) -> String {
    let body = json!({ "callId": call, "toolId": "greet_person", "args": { "name": call } });
    let (status, made) = server.post(&format!("/v1/conversations/{id}/calls"), &body);
    assert_eq!(status, 200, "{made}");
    let greeting = made["answers"][0]["response"]["data"]["greeting"].as_str();
    let greeting = greeting.unwrap_or_else(|| panic!("{made}"));
    greeting.split(',').next().unwrap().to_owned()
}

/// Begins a conversation with this body; returns its view.
fn begin(server: &Running, body: &Value) -> Value {
    let (status, begun) = server.post("/v1/conversations", body);
    assert_eq!(status, 201, "{begun}");
    begun
}

fn id(conversation: &Value) -> &str {
    conversation["id"].as_str().unwrap()
}

fn get(server: &Running, path: &str) -> Value {
    let (status, text) = server.get(path);
    assert_eq!(status, 200, "{text}");
    serde_json::from_str(&text).unwrap()
}

#[test]
fn people_and_organisations_get_the_registry_of_the_first_rule() {
    let workspace = workspace();
    settings(
        &workspace,
        "[[server.assignment]]\nregistry = \"candidate\"\nusers = [\"ada\"]\n\
         [[server.assignment]]\nregistry = \"candidate\"\nclaim = \"org\"\nvalues = [\"acme\"]\n",
    );
    let server = Running::start(&workspace, &[], &[("AILERON_TOKENS", TOKENS)]);
    let screen = server.screen();
    for words in [
        "registry   candidate: 1.0.",
        "tools      candidate: 2: greet_person, part_person",
        "assignment rule 1: `candidate` if the person is \"ada\"",
        "assignment rule 2: `candidate` if the claim `org` is \"acme\"",
    ] {
        assert!(screen.contains(words), "{words:?} in {screen}");
    }
    for (token, name, reason) in [
        (ADA, "candidate", "rule 1: the person is named"),
        (BOB, "candidate", "rule 2: the claim `org` matches"),
        (EVE, "default", "no rule matches, so it is the default registry"),
    ] {
        let person = server.signed_in(token);
        let (status, begun) = person.post("/v1/conversations", &json!({ "mode": "text" }));
        assert_eq!((status, &begun["registry"]["name"]), (201, &json!(name)), "{begun}");
        assert_eq!(begun["registry"]["reason"], reason);
        let offers = begun["instructions"].as_str().unwrap().contains("part_person");
        assert_eq!(offers, name == "candidate");
        let own: Value = serde_json::from_str(&person.get("/v1/registries/explain").1).unwrap();
        assert_eq!((&own["registry"], &own["reason"]), (&json!(name), &json!(reason)));
        assert_eq!(own["registryVersion"], begun["registryVersion"]);
    }
    // A person learns nothing of the rules, an operator everything.
    let list = |token| -> Value {
        serde_json::from_str(&server.signed_in(token).get("/v1/registries").1).unwrap()
    };
    assert_eq!(list(EVE)["assignment"], Value::Null);
    assert!(!list(EVE).to_string().contains("conversations"), "{}", list(EVE));
    assert_eq!(server.signed_in(EVE).get("/v1/registries/explain?user=bob").0, 403);
    assert_eq!(server.signed_in(EVE).post("/v1/registries/reload", &json!({})).0, 403);
    let all = list(ADA);
    assert_eq!(all["assignment"]["rules"].as_array().unwrap().len(), 2);
    let counts = |name: &str| {
        let registries = all["registries"].as_array().unwrap();
        let found = registries.iter().find(|it| it["names"] == json!([name])).unwrap();
        found["conversations"].as_u64().unwrap()
    };
    assert_eq!((counts("candidate"), counts("default")), (2, 1));
    let other = server.signed_in(ADA).get("/v1/registries/explain?user=zoe&claims=org=acme").1;
    let other: Value = serde_json::from_str(&other).unwrap();
    assert_eq!(other["rules"][0]["why"], "the person is not one of them");
    assert_eq!(other["rules"][1]["matches"], true);
    let told = workspace.ok(&["registries", "explain", "--user", "zoe", "--claim", "org=acme"]);
    assert!(
        told.stdout.ends_with("registry: candidate (rule 2: the claim `org` matches)\n"),
        "{}",
        told.stdout
    );
}

/// Speaks to the built-in voice until it is ready, or refused.
fn voice(server: &Running, start: &Value) -> Value {
    let (mut socket, _) = connect(format!("ws://{}/v1/voice", server.address())).unwrap();
    socket.send(Message::text(start.to_string())).unwrap();
    loop {
        let message = socket.read().unwrap();
        let Message::Text(text) = message else { continue };
        return serde_json::from_str(&text).unwrap();
    }
}

#[test]
fn a_request_may_name_its_registry_at_every_door() {
    let workspace = workspace();
    settings(&workspace, "[[server.assignment]]\nregistry = \"candidate\"\nrequested = true\n");
    let server = Running::start(&workspace, &[], &[]);
    let named = begin(&server, &json!({ "mode": "text", "registry": "candidate" }));
    let unnamed = begin(&server, &json!({ "mode": "text" }));
    let candidate = &named["registryVersion"];
    assert_ne!(candidate, &unnamed["registryVersion"]);
    assert_eq!(greet(&server, id(&named), "call-000001"), "Good evening");
    assert_eq!(greet(&server, id(&unnamed), "call-000001"), "Hello");
    // By chat, where the name counts for the first message only.
    for registry in ["candidate", "default"] {
        let said =
            json!({ "id": "written", "message": "Hello", "stream": false, "registry": registry });
        let (status, answered) = server.post("/api/chat", &said);
        assert_eq!(status, 200, "{answered}");
        let written = get(&server, "/v1/conversations/written");
        assert_eq!(&written["registryVersion"], candidate);
        assert_eq!(written["registry"]["reason"], "rule 1: the request names it");
    }
    // By voice.
    let ready = voice(&server, &json!({ "type": "start", "registry": "candidate" }));
    assert_eq!((&ready["type"], &ready["registryVersion"]), (&json!("ready"), candidate));
    assert!(ready["tools"].to_string().contains("part_person"), "{ready}");
    let ready = voice(&server, &json!({ "type": "start" }));
    assert_eq!(ready["registryVersion"], unnamed["registryVersion"]);
    let refused = voice(&server, &json!({ "type": "start", "registry": "red" }));
    assert_eq!(refused["code"], "unknown_registry", "{refused}");
    // Names that are unknown or not allowed.
    let (status, refused) =
        server.post("/v1/conversations", &json!({ "mode": "text", "registry": "red" }));
    assert_eq!((status, &refused["error"]["code"]), (404, &json!("UNKNOWN_REGISTRY")));
    assert_eq!(refused["error"]["offered"], json!(["candidate", "default"]));
    let said = json!({ "message": "Hello", "stream": false, "registry": "red" });
    assert_eq!(server.post("/api/chat", &said).0, 404);
    settings(&workspace, "");
    assert_eq!(server.post("/v1/registries/reload", &json!({})).0, 200);
    let (status, refused) =
        server.post("/v1/conversations", &json!({ "mode": "text", "registry": "candidate" }));
    assert_eq!((status, &refused["error"]["code"]), (403, &json!("REGISTRY_NOT_ALLOWED")));
    let refused = voice(&server, &json!({ "type": "start", "registry": "candidate" }));
    assert_eq!(refused["code"], "registry_not_allowed", "{refused}");
}

#[test]
fn registries_may_be_flags() {
    let workspace = workspace();
    workspace.ok(&["build", "--out", "stable.json"]);
    let args = [
        "--registry",
        "stable.json",
        "--registry",
        "blue=candidate.json",
        "--registry",
        "green=candidate",
    ];
    let server = Running::start(&workspace, &args, &[]);
    let screen = server.screen();
    assert!(screen.contains("from `stable.json`"), "{screen}");
    assert!(screen.contains("warning    the registries blue and green are the same"), "{screen}");
    let names: Vec<_> = get(&server, "/v1/registries")["registries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|registry| registry["names"].clone())
        .collect();
    assert!(
        names.contains(&json!(["blue", "green"])) && names.contains(&json!(["default"])),
        "{names:?}"
    );
}

/// A percentage gives every server and the command the same answer, also after a restart.
#[test]
fn two_servers_and_a_restart_agree() {
    let workspace = workspace();
    settings(&workspace, "[[server.assignment]]\nregistry = \"candidate\"\npercent = 40\n");
    let servers = [Running::start(&workspace, &[], &[]), Running::start(&workspace, &[], &[])];
    let mut given = Vec::new();
    for number in 0..40 {
        let (id, server) = (format!("conversation-{number}"), &servers[number % 2]);
        let other = &servers[(number + 1) % 2];
        let said = json!({ "id": id, "message": "Hello", "stream": false });
        assert_eq!(server.post("/api/chat", &said).0, 200);
        let pinned = get(other, &format!("/v1/conversations/{id}"));
        let path = format!("/v1/registries/explain?conversation={id}");
        assert_eq!(pinned["registryVersion"], get(other, &path)["registryVersion"]);
        given.push((id, pinned["registryVersion"].clone()));
    }
    let versions: std::collections::BTreeSet<_> =
        given.iter().map(|(_, version)| version.as_str().unwrap()).collect();
    assert_eq!(versions.len(), 2, "both registries are used: {given:?}");
    for server in servers {
        assert_eq!(server.signal("-TERM"), Some(0));
    }
    // Without the candidate, its conversations go on with it, from the folder beside the store.
    workspace.write("aileron.toml", "");
    let server = Running::start(&workspace, &[], &[]);
    for (id, version) in &given {
        let said = json!({ "id": id, "message": "Hello again", "stream": false });
        assert_eq!(server.post("/api/chat", &said).0, 200);
        assert_eq!(&get(&server, &format!("/v1/conversations/{id}"))["registryVersion"], version);
    }
    let loaded = get(&server, "/v1/registries");
    let earlier =
        loaded["registries"].as_array().unwrap().iter().find(|it| it["names"] == json!([]));
    assert!(earlier.unwrap()["conversations"].as_u64().unwrap() > 0, "{loaded}");
}

/// The figures of both versions, from the metrics and from the audit log.
#[test]
fn figures_carry_the_version() {
    let workspace = workspace();
    settings(&workspace, "[[server.assignment]]\nrequested = true\n");
    let server = Running::start(&workspace, &[], &[]);
    let mut versions = Vec::new();
    for registry in ["default", "candidate"] {
        let begun = begin(&server, &json!({ "mode": "text", "registry": registry }));
        for number in 0..8 {
            greet(&server, id(&begun), &format!("call-0000{number}-{registry}"));
        }
        versions.push(begun["registryVersion"].as_str().unwrap().to_owned());
    }
    let metrics = server.accepting("text/plain").get("/metrics").1;
    for version in &versions {
        let labels =
            format!("tool=\"greet_person\",tool_version=\"1.0.0\",registry_version=\"{version}\"");
        assert!(
            metrics.contains(&format!("aileron_version_calls_total{{{labels}}} 8")),
            "{metrics}"
        );
        let begun =
            format!("aileron_conversations_begun_total{{registry_version=\"{version}\"}} 1");
        assert!(metrics.contains(&begun), "{metrics}");
    }
    assert_eq!(server.signal("-TERM"), Some(0));
    let stats = workspace.ok(&["stats", "--by", "version", "--format", "json"]).json();
    assert_eq!(stats["versions"], json!(versions));
    assert_eq!(stats["rows"][0]["calls"], 8);
    let compared = &stats["comparison"]["tools"][0];
    assert_eq!(
        (&compared["toolId"], &compared["successRate"]["shows"]),
        (&json!("greet_person"), &json!("notShown"))
    );
    assert_eq!(compared["p95Ms"], Value::Null, "eight calls show no 95th percentile");
    let text = workspace.ok(&["stats", "--by", "version"]).stdout;
    assert!(
        text.contains("no difference shown") && text.contains("too few calls to tell"),
        "{text}"
    );
    let short = versions[0].rsplit('.').next().unwrap();
    let turned = workspace.ok(&["stats", "--by", "version", "--compare", &versions[1], short]);
    assert!(turned.stdout.contains(&format!("{} against {}", versions[0], versions[1])));
    let unknown = workspace.run(&["stats", "--by", "version", "--compare", "1.0.zzz", short]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.stderr.contains("expected a registry version of the records"),
        "{}",
        unknown.stderr
    );
}

/// Each registry has its own Node.js workers, and a conversation continues with those of its registry.
#[test]
fn node_handlers_of_two_registries_run_side_by_side() {
    let workspace = workspace();
    for folder in ["tools", "candidate"] {
        let schema = format!("{folder}/greet-person/schema.json");
        workspace.replace(&schema, "\"toolId\"", "\"runtime\": \"node\",\n  \"toolId\"");
    }
    let settings = "[[server.registries]]\nname = \"candidate\"\npath = \"candidate\"\n\
                    [[server.assignment]]\nrequested = true\n";
    workspace.write("aileron.toml", settings);
    let server = Running::start(&workspace, &[], &[]);
    let old = begin(&server, &json!({ "mode": "text", "registry": "default" }));
    let new = begin(&server, &json!({ "mode": "text", "registry": "candidate" }));
    assert_eq!(greet(&server, id(&old), "call-000001"), "Hello");
    assert_eq!(greet(&server, id(&new), "call-000001"), "Good evening");
    assert_eq!(server.signal("-TERM"), Some(0));
    // The candidate changes; the conversation loads the one it began with.
    workspace.replace("candidate/greet-person/handler.js", "Good evening, ", "Good night, ");
    let server = Running::start(&workspace, &[], &[]);
    assert_eq!(greet(&server, id(&new), "call-000002"), "Good evening");
    let newest = begin(&server, &json!({ "mode": "text", "registry": "candidate" }));
    assert_eq!(greet(&server, id(&newest), "call-000001"), "Good night");
}
