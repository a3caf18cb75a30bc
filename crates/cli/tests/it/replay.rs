//! `aileron audit replay`: a recorded conversation against other registries.

use crate::workspace::Workspace;

const ADA: &str = r#"{"name":"Ada"}"#;

/// A workspace with two recorded calls of a conversation: one that ran, one that was refused.
fn recorded() -> Workspace {
    let workspace = Workspace::with_tool();
    workspace.ok(&["build", "--out", "then.json"]);
    workspace.ok(&["call", "greet_person", ADA, "--conversation", "c"]);
    workspace.run(&["call", "greet_person", "{}", "--conversation", "c"]);
    workspace
}

#[test]
fn the_same_registry_decides_the_same() {
    let workspace = recorded();
    for source in [&["--registry", "then.json"][..], &[]] {
        let run = workspace.ok(&[&["audit", "replay", "c"], source].concat());
        assert_eq!(run.stdout, "");
        let version = workspace.ok(&["list", "--format", "json"]).json()["version"].clone();
        let version = version.as_str().unwrap();
        assert_eq!(
            run.stderr,
            format!(
                "2 calls of registry {version} against {version}: 0 decided otherwise, 0 in doubt\n"
            )
        );
    }
}

#[test]
fn what_is_decided_otherwise_is_shown_then_and_now() {
    let workspace = recorded();
    workspace.replace("tools/greet-person/schema.json", "[\"text\", \"voice\"]", "[\"voice\"]");
    let run = workspace.run(&["audit", "replay", "c"]);
    assert_eq!(run.code, 1);
    assert_eq!(
        run.stdout,
        "record 1, turn 1, greet_person: differs\n  then   let through (completed)\n  \
         now    refused by mode (MODE_RESTRICTED): `greet_person` works in voice only, and this conversation is held in text\n\
         record 2, turn 2, greet_person: differs\n  then   refused by arguments (VALIDATION): the arguments do not fit: \
         `name` is required (refused:arguments)\n  now    refused by mode (MODE_RESTRICTED): \
         `greet_person` works in voice only, and this conversation is held in text\n"
    );
    assert!(run.stderr.ends_with(": 2 decided otherwise, 0 in doubt\n"), "{}", run.stderr);
    let report = workspace.run(&["audit", "replay", "c", "--format", "json"]).json();
    assert_eq!(report["calls"][0]["then"]["decision"], "run");
    assert_eq!(report["calls"][0]["now"]["error"], "MODE_RESTRICTED");
    assert_eq!(report["calls"][1]["differs"], true);
}

#[test]
fn no_handler_is_needed_and_none_runs() {
    let workspace = recorded();
    workspace.system("rm", &["tools/greet-person/handler.js"]);
    workspace.ok(&["new", "other-tool", "--handler", "rust", "--tools", "native"]);
    workspace.system("cp", &["native/other-tool/handler.rs", "tools/greet-person/handler.rs"]);
    let run = workspace.ok(&["audit", "replay", "c"]);
    assert!(run.stderr.ends_with(": 0 decided otherwise, 0 in doubt\n"), "{}", run.stderr);
}

#[test]
fn what_the_record_hides_is_named_as_a_doubt() {
    let workspace = Workspace::with_tool();
    let schema = "tools/greet-person/schema.json";
    workspace.replace(schema, "  \"idempotent\"", "  \"redact\": [\"/name\"],\n  \"idempotent\"");
    workspace.ok(&["call", "greet_person", ADA, "--conversation", "c"]);
    let run = workspace.ok(&["audit", "replay", "c"]);
    assert_eq!(
        run.stdout,
        "record 1, turn 1, greet_person: same\n  then   let through (completed)\n  now    let through\n  \
         doubt  arguments are redacted in the record; only the rest of them was judged\n"
    );
}

#[test]
fn policies_of_the_settings_decide() {
    let workspace = recorded();
    workspace.write("aileron.toml", "[policies.budgets.text]\nretrieval = 0\ntotal = 0\n");
    let run = workspace.run(&["audit", "replay", "c"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("now    refused by budgets (BUDGET_EXCEEDED): "), "{}", run.stdout);
}

#[test]
fn what_cannot_be_replayed_is_wrong_usage() {
    let workspace = recorded();
    workspace.replace("then.json", "Hello, ", "Hi, ");
    for (args, expected) in [
        (
            &["none"][..],
            "error: there are no records of \"none\"; `aileron audit tail` shows the newest\n",
        ),
        (&["c", "--registry", "then.json"], "error: `then.json` cannot be used: "),
        (&["c", "--store", "none.db"], "error: there is no store at none.db; "),
    ] {
        let run = workspace.run(&[&["audit", "replay"], args].concat());
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}");
        assert!(run.stderr.starts_with(expected), "{args:?}: {}", run.stderr);
    }
}
