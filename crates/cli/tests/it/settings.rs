//! `aileron.toml`, as the commands that read it see it.

use crate::records::filled;
use crate::workspace::Workspace;

/// A workspace whose store is where only the settings know.
fn moved(settings: &str) -> Workspace {
    let workspace = filled();
    workspace.write("etc/aileron.toml", settings);
    workspace.system("mv", &[".aileron/aileron.db", "etc/calls.db"]);
    workspace
}

#[test]
fn the_store_is_found_by_settings_and_option() {
    let workspace = moved("[store]\npath = \"calls.db\"\n");
    workspace.ok(&["--config", "etc/aileron.toml", "audit", "verify"]);
    workspace.ok(&["stats", "--config", "etc/aileron.toml"]);
    workspace.ok(&["audit", "verify", "--store", "etc/calls.db"]);
    workspace.write("aileron.toml", "store.path = 'etc/calls.db'");
    workspace.ok(&["audit", "verify"]);
}

#[test]
fn commands_that_know_tools_go_by_those_of_the_settings() {
    let workspace = Workspace::with_tool();
    workspace.system("mv", &["tools", "mine"]);
    workspace.ok(&["build", "--tools", "mine"]);
    let chat = ["chat", "hello", "--provider", "offline", "--memory"];
    let describe = ["describe", "--prompt", "text"];
    let commands: [&[&str]; 5] = [
        &["list"],
        &["describe", "greet_person"],
        &["call", "greet_person", r#"{"name":"Ada"}"#, "--memory"],
        &chat,
        &describe,
    ];
    for settings in ["tools = 'mine'", "tools = 'none'\nregistry = 'tool_registry.json'"] {
        workspace.write("aileron.toml", format!("[server]\n{settings}\n"));
        for command in commands {
            workspace.ok(command);
        }
        let run = workspace.run(&[&describe[..], &["--tools", "elsewhere"]].concat());
        assert_eq!(run.code, 1, "{}", run.stderr);
        assert!(run.stderr.contains("`elsewhere` does not exist"), "{}", run.stderr);
    }
    assert!(workspace.ok(&describe).stdout.contains("greet_person"));
}

#[test]
fn a_grammar_that_is_none_is_named_before_anything_is_said() {
    let workspace = Workspace::with_tool();
    workspace.write("aileron.toml", "[confirmation]\ngrammar = 'de.json'\n");
    let run = workspace.run(&["chat", "hello", "--provider", "offline", "--memory"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("confirmation.grammar: `de.json`: "), "{}", run.stderr);
}

#[test]
fn without_settings_the_default_is_named() {
    let run = Workspace::new().run(&["audit", "tail"]);
    assert_eq!(run.code, 2);
    let expected = "error: there is no store at .aileron/aileron.db; the first call makes it; \
                    if it is elsewhere, name it with --store, or as `path` of [store] in aileron.toml\n";
    assert_eq!(run.stderr, expected);
}

#[test]
fn a_key_that_is_not_known_is_refused_by_name() {
    let workspace = filled();
    workspace.write("aileron.toml", "[store]\npth = 'x'\n");
    let run = workspace.run(&["audit", "tail"]);
    let expected = "error: aileron.toml:2:1: unknown field `pth`, expected `path`\n";
    assert_eq!((run.code, run.stderr.as_str()), (2, expected));
}

#[test]
fn a_named_file_must_be_there() {
    let run = filled().run(&["stats", "--config", "none.toml"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.starts_with("error: `none.toml` cannot be read: "), "{}", run.stderr);
}
