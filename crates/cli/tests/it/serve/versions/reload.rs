//! Registries and rules change while the server runs: no request fails, and conversations keep their registry.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use serde_json::{Value, json};

use super::{begin, get, greet, id, settings, workspace};
use crate::serve::running::Running;

const EVERYBODY: &str = "[[server.assignment]]\nregistry = \"candidate\"\n";

fn reload(server: &Running) -> (u16, Value) {
    server.post("/v1/registries/reload", &json!({}))
}

#[test]
fn a_changed_rule_is_for_new_conversations_only() {
    let workspace = workspace();
    settings(&workspace, "");
    let server = Running::start(&workspace, &[], &[]);
    let old = begin(&server, &json!({ "mode": "text" }));
    settings(&workspace, EVERYBODY);
    let (status, report) = reload(&server);
    assert_eq!((status, &report["changed"], &report["rules"]), (200, &json!(true), &json!(1)));
    assert!(server.until("were read again").contains("changed=true"));
    assert_eq!(reload(&server).1["changed"], false);
    let new = begin(&server, &json!({ "mode": "text" }));
    assert_eq!(greet(&server, id(&old), "call-000001"), "Hello");
    assert_eq!(greet(&server, id(&new), "call-000001"), "Good evening");
    // By a signal, and with another build of the candidate.
    workspace.replace("candidate/greet-person/handler.js", "Good evening, ", "Good night, ");
    workspace.ok(&["build", "--tools", "candidate", "--out", "candidate.json"]);
    server.kill("-HUP");
    let told = server.until("new conversations have");
    assert!(told.contains("by 1 rule"), "{told}");
    let newest = begin(&server, &json!({ "mode": "text" }));
    assert_eq!(greet(&server, id(&newest), "call-000001"), "Good night");
    assert_eq!(greet(&server, id(&new), "call-000002"), "Good evening");
    let loaded = get(&server, "/v1/registries");
    assert_eq!(loaded["registries"].as_array().unwrap().len(), 3, "{loaded}");
}

#[test]
fn a_bad_change_is_refused_and_the_rules_before_stay() {
    let workspace = workspace();
    settings(&workspace, EVERYBODY);
    let server = Running::start(&workspace, &[], &[]);
    let before = begin(&server, &json!({ "mode": "text" }))["registryVersion"].clone();
    for (rules, fault) in [
        (
            "[[server.assignment]]\nregistry = \"candidat\"\n",
            "there is no registry \"candidat\"; did you mean `candidate`?",
        ),
        (
            "[[server.assignment]]\nregistry = \"candidate\"\npercent = 101\n",
            "expected a percentage from 0 to 100",
        ),
        (
            "[[server.assignment]]\nregistry = \"candidate\"\nusers = []\n",
            "expected at least one id in `users`",
        ),
        (
            "[[server.registries]]\nname = \"candidate\"\npath = \"tools\"\n",
            "expected each name once, found \"candidate\" again",
        ),
        (
            "[[server.registries]]\nname = \"gone\"\npath = \"gone.json\"\n",
            "registry `gone`: `gone.json` cannot be read",
        ),
        ("[[server.assignment", "aileron.toml:4:"),
    ] {
        settings(&workspace, rules);
        let (status, refused) = reload(&server);
        assert_eq!((status, &refused["error"]["code"]), (409, &json!("RELOAD_REFUSED")), "{rules}");
        let message = refused["error"]["message"].as_str().unwrap();
        assert!(message.contains(fault), "{message}");
        assert!(message.ends_with("the registries and rules stay as they were"), "{message}");
        assert!(server.until("are refused").contains("WARN"));
        assert_eq!(begin(&server, &json!({ "mode": "text" }))["registryVersion"], before);
    }
    server.kill("-HUP");
    assert!(server.until("stay as they were").contains("error: "));
    settings(&workspace, "[[server.assignment]]\nregistry = \"candidate\"\nusers = [\"ada\"]\n");
    let (_, report) = reload(&server);
    assert_eq!(
        report["warnings"],
        json!(["rule 1 matches nobody: nobody signs in, because authentication is off"])
    );
    assert_eq!(get(&server, "/v1/registries")["assignment"]["warnings"], report["warnings"]);
    assert_ne!(begin(&server, &json!({ "mode": "text" }))["registryVersion"], before);
}

/// Four clients begin conversations and make calls while the rules change 30 times.
#[test]
fn no_request_fails_while_the_rules_change() {
    let workspace = workspace();
    settings(&workspace, EVERYBODY);
    let server = Running::start(&workspace, &[], &[]);
    let (over, made) = (AtomicBool::new(false), AtomicUsize::new(0));
    let held = begin(&server, &json!({ "mode": "text" }));
    thread::scope(|scope| {
        for client in 0..4 {
            let (server, over, made) = (&server, &over, &made);
            scope.spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    let begun = begin(server, &json!({ "mode": "text" }));
                    let candidate = begun["registry"]["name"] == "candidate";
                    for call in 0..3 {
                        let said = greet(server, id(&begun), &format!("call-{client}-{call}-long"));
                        let expected = if candidate { "Good evening" } else { "Hello" };
                        assert_eq!(said, expected);
                    }
                    made.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for round in 0..30 {
            settings(&workspace, if round % 2 == 0 { "" } else { EVERYBODY });
            let (status, report) = reload(&server);
            assert_eq!((status, &report["changed"]), (200, &json!(true)), "{report}");
        }
        over.store(true, Ordering::Relaxed);
    });
    assert!(made.load(Ordering::Relaxed) > 10, "{made:?}");
    assert_eq!(greet(&server, id(&held), "call-at-the-end"), "Good evening");
    let registries = get(&server, "/v1/registries")["registries"].clone();
    assert_eq!(registries.as_array().unwrap().len(), 2, "{registries}");
}

/// `--watch` builds every folder again.
#[test]
fn a_watched_candidate_is_built_again() {
    let workspace = workspace();
    let rules = "[[server.registries]]\nname = \"live\"\npath = \"candidate\"\n\
                 [[server.assignment]]\nregistry = \"live\"\n";
    workspace.write("aileron.toml", rules);
    let server = Running::start(&workspace, &["--watch"], &[]);
    let old = begin(&server, &json!({ "mode": "text" }));
    workspace.replace("candidate/greet-person/handler.js", "Good evening, ", "Good night, ");
    let told = server.until("for new conversations");
    assert!(told.contains("registry `live` 1.0."), "{told}");
    let new = begin(&server, &json!({ "mode": "text" }));
    assert_eq!(greet(&server, id(&new), "call-000001"), "Good night");
    assert_eq!(greet(&server, id(&old), "call-000001"), "Good evening");
}
