//! Hostile input: each ends in a diagnostic code, never in a panic, a hang or an incomplete file.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;

use crate::workspace::{Run, Workspace};

const SCHEMA: &str = "tools/greet-person/schema.json";

/// Checks a fresh tool after a change; the codes must be these and nothing may be written.
#[track_caller]
fn check(change: impl FnOnce(&Workspace), expected: &[&str]) {
    let workspace = Workspace::with_tool();
    change(&workspace);
    let run = workspace.run(&["build", "--format", "json"]);
    let mut codes = run.codes();
    codes.dedup();
    assert_eq!(codes, expected, "{}", run.stdout);
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    assert_eq!(workspace.path("tool_registry.json").exists(), run.code == 0);
}

/// Replaces the schema of the one parameter.
fn with_name(workspace: &Workspace, schema: &str) {
    let text = workspace.read(SCHEMA);
    let start = text.find("\"name\": {").unwrap() + "\"name\": ".len();
    let end = start + text[start..].find('}').unwrap() + 1;
    workspace.write(SCHEMA, format!("{}{schema}{}", &text[..start], &text[end..]));
}

#[test]
fn not_utf8() {
    check(|w| w.write("tools/greet-person/guide.md", b"# greet\xff\xfe"), &["AIL-F004"]);
    check(|w| w.write(SCHEMA, [0xff, 0xfe, b'{', 0, b'}', 0]), &["AIL-F004"]);
}

#[test]
fn a_byte_order_mark_is_a_warning() {
    check(|w| w.write(SCHEMA, format!("\u{feff}{}", w.read(SCHEMA))), &["AIL-F005"]);
}

#[test]
fn not_json() {
    for text in ["", "{", "[1,]", "{'a': 1}", "{} {}", "nul", "{\"a\": 1 // no\n}", "\u{0}"] {
        check(|w| w.write(SCHEMA, text), &["AIL-J001"]);
    }
}

#[test]
fn json_that_is_not_an_object() {
    for text in ["[]", "1", "\"x\"", "null"] {
        check(|w| w.write(SCHEMA, text), &["AIL-S002"]);
    }
}

#[test]
fn duplicate_keys() {
    check(
        |w| {
            w.replace(
                SCHEMA,
                "\"idempotent\": true,",
                "\"idempotent\": true, \"idempotent\": true,",
            );
        },
        &["AIL-J002"],
    );
}

#[test]
fn nesting_of_ten_thousand() {
    check(|w| w.write(SCHEMA, "[".repeat(10_000)), &["AIL-J003"]);
    check(
        |w| with_name(w, &format!("{}{}", "{\"not\":".repeat(10_000), "}".repeat(10_000))),
        &["AIL-J003"],
    );
    let deep = format!(
        "export function execute() {{ return {}{}; }}",
        "[".repeat(10_000),
        "]".repeat(10_000)
    );
    check(|w| w.write("tools/greet-person/handler.js", &deep), &["AIL-H003"]);
    check(|w| w.write("tools/greet-person/cases.json", "[".repeat(100_000)), &["AIL-J003"]);
}

#[test]
fn a_file_of_100_mb_is_refused_unread() {
    check(|w| fs::File::create(w.path(SCHEMA)).unwrap().set_len(100 << 20).unwrap(), &["AIL-F006"]);
}

#[test]
fn a_handler_of_5_mb() {
    let code = format!("export function execute() {{}}\n// {}", "x".repeat(5 << 20));
    check(|w| w.write("tools/greet-person/handler.js", &code), &["AIL-F006"]);
}

#[test]
fn links_in_circles_and_out_of_the_folder() {
    check(|w| symlink(w.path("tools/loop"), w.path("tools/loop")).unwrap(), &["AIL-F009"]);
    check(|w| symlink(w.path("tools"), w.path("tools/again")).unwrap(), &["AIL-F009"]);
    check(|w| symlink("/etc", w.path("tools/etc")).unwrap(), &["AIL-F009"]);
    let link = |w: &Workspace| {
        fs::remove_file(w.path("tools/greet-person/guide.md")).unwrap();
        symlink("/etc/passwd", w.path("tools/greet-person/guide.md")).unwrap();
    };
    check(link, &["AIL-D001", "AIL-F009"]);
    let through_a_folder = |w: &Workspace| {
        w.write("outside/secret.js", "export const secret = 1;");
        symlink(w.path("outside"), w.path("tools/_lib")).unwrap();
        let code = w.read("tools/greet-person/handler.js");
        w.write(
            "tools/greet-person/handler.js",
            format!("import {{ secret }} from '../_lib/secret.js';\n{code}"),
        );
    };
    check(through_a_folder, &["AIL-F009"]);
}

#[test]
fn a_folder_without_permission() {
    let workspace = Workspace::with_tool();
    let run = as_nobody(
        &workspace,
        "chmod 755 . tools && chmod 000 tools/greet-person",
        &["check", "--format", "json"],
    );
    let Some(run) = run else { return };
    assert_eq!(run.codes(), ["AIL-F003"], "{}", run.stdout);
}

#[test]
fn an_output_folder_that_is_read_only() {
    let workspace = Workspace::with_tool();
    let run = as_nobody(
        &workspace,
        "chmod -R a+rX . && mkdir out && chmod 555 out",
        &["build", "--out", "out/tool_registry.json", "--format", "json"],
    );
    let Some(run) = run else { return };
    assert_eq!((run.code, run.codes()), (1, vec!["AIL-F012".to_owned()]));
    assert!(fs::read_dir(workspace.path("out")).unwrap().next().is_none());
}

/// Runs the command as a user without rights, where the system lets us.
fn as_nobody(workspace: &Workspace, before: &str, args: &[&str]) -> Option<Run> {
    workspace.system("sh", &["-c", before]);
    let root = fs::metadata(workspace.path("."))
        .map(|meta| std::os::unix::fs::MetadataExt::uid(&meta))
        .unwrap()
        == 0;
    let mut command = workspace.command();
    if root {
        command.uid(65_534).gid(65_534);
    }
    match command.args(args).output() {
        Ok(output) => Some(Run::of(output)),
        Err(error) => {
            println!("skipped: another user cannot run the command: {error}");
            None
        }
    }
}

#[test]
fn an_output_path_that_is_a_folder() {
    let workspace = Workspace::with_tool();
    fs::create_dir(workspace.path("out")).unwrap();
    let run = workspace.run(&["build", "--out", "out", "--format", "json"]);
    assert_eq!((run.code, run.codes()), (1, vec!["AIL-F012".to_owned()]));
}

#[test]
fn two_directories_for_one_tool() {
    let copy = |w: &Workspace| {
        for file in ["schema.json", "guide.md", "cases.json", "handler.js"] {
            w.write(
                &format!("tools/greet_person/{file}"),
                w.read(&format!("tools/greet-person/{file}")),
            );
        }
    };
    check(copy, &["AIL-F007", "AIL-F008"]);
}

#[test]
fn names_with_path_tricks() {
    for name in ["..evil", "a\\b", "C:", "con.json", "%2e%2e", "a\u{202e}b"] {
        let workspace = Workspace::with_tool();
        workspace.write(&format!("tools/{name}/schema.json"), "{}");
        let codes = workspace.run(&["check", "--format", "json"]).codes();
        assert!(
            name.starts_with('.') || codes.contains(&"AIL-F007".to_owned()),
            "{name}: {codes:?}"
        );
    }
    check(
        |w| w.replace(SCHEMA, "\"greet_person\"", "\"../../etc/passwd\""),
        &["AIL-S007", "AIL-S009"],
    );
}

#[test]
fn names_that_are_not_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let name = std::ffi::OsStr::from_bytes(b"a\xff");
    check(|w| fs::create_dir(w.path("tools").join(name)).unwrap(), &["AIL-F003"]);
    check(|w| fs::write(w.path("tools/greet-person").join(name), "").unwrap(), &["AIL-F003"]);
}

#[test]
fn references_to_elsewhere() {
    for reference in [
        "https://example.com/schema.json",
        "http://localhost:1/x",
        "file:///etc/passwd",
        "../../other.json",
        "//host/x",
    ] {
        check(
            |w| with_name(w, &format!("{{\"$ref\": \"{reference}\"}}")),
            &["AIL-L007", "AIL-A005"],
        );
    }
}

#[test]
fn references_that_never_end() {
    check(
        |w| with_name(w, r##"{"$ref": "#/properties/name", "description": "Name"}"##),
        &["AIL-A006"],
    );
}

#[test]
fn recursion_is_cut_where_a_target_needs_it() {
    let tree = r##"{"description": "Name", "$ref": "#/$defs/node"}"##;
    let change = |w: &Workspace| {
        with_name(w, tree);
        w.replace(SCHEMA, "\"required\": [\"name\"],", r##""$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}},"##);
        w.replace(
            "tools/greet-person/guide.md",
            "{ \"name\": \"Ada\" }",
            "{ \"name\": { \"next\": {} } }",
        );
        w.write(
            "tools/greet-person/cases.json",
            r#"[{"name": "a", "args": {"name": {"next": {"next": {}}}}, "expect": {"ok": true}}]"#,
        );
    };
    check(change, &["AIL-P004"]);
}

#[test]
fn patterns_that_explode() {
    check(
        |w| {
            with_name(
                w,
                r#"{"type": "string", "description": "Name", "pattern": "(a{1000}){1000}"}"#,
            );
        },
        &["AIL-A007"],
    );
    check(
        |w| {
            with_name(
                w,
                r#"{"type": "string", "description": "Name", "pattern": "^([A-Za-z]+)+$"}"#,
            );
        },
        &["AIL-A008"],
    );
    check(
        |w| with_name(w, r#"{"type": "string", "description": "Name", "pattern": "("}"#),
        &["AIL-A007"],
    );
}

#[test]
fn an_empty_tools_folder_and_none_at_all() {
    let workspace = Workspace::new();
    assert_eq!(workspace.run(&["build", "--format", "json"]).codes(), ["AIL-F001"]);
    fs::create_dir(workspace.path("tools")).unwrap();
    assert_eq!(workspace.run(&["build", "--format", "json"]).codes(), ["AIL-F002"]);
    workspace.write("plain", "x");
    assert_eq!(
        workspace.run(&["build", "--tools", "plain", "--format", "json"]).codes(),
        ["AIL-F003"]
    );
}

#[test]
fn naughty_strings_in_every_text() {
    let file = crate::workspace::repository().join("../shared/corpora/naughty-strings/blns.json");
    let Ok(text) = fs::read_to_string(&file) else {
        println!("skipped: {} is not there", file.display());
        return;
    };
    let strings: Vec<String> = serde_json::from_str(&text).unwrap();
    let workspace = Workspace::with_tool();
    let original = workspace.read(SCHEMA);
    for (number, string) in strings.iter().enumerate() {
        let quoted = serde_json::to_string(string).unwrap();
        let schema = original
            .replace("\"Greets a person by name.\"", &quoted)
            .replace("greet_person", &format!("t{number}"));
        workspace.write(&format!("tools/t{number}/schema.json"), schema);
        workspace.write(&format!("tools/t{number}/guide.md"), format!("# t{number}\n\n{string}\n"));
        workspace.write(
            &format!("tools/t{number}/handler.js"),
            format!("export const x = {quoted};\nexport function execute() {{}}\n"),
        );
    }
    let run = workspace.run(&["check", "--format", "json"]);
    assert!(run.code == 1 && !run.stderr.contains("panicked"), "{}", run.stderr);
    assert!(run.json()["summary"]["warnings"].as_u64().unwrap() > 500);
}

#[test]
fn broken_json_of_every_kind() {
    let folder = crate::workspace::repository().join("../shared/corpora/json-parsing");
    let Ok(entries) = fs::read_dir(&folder) else {
        println!("skipped: {} is not there", folder.display());
        return;
    };
    let workspace = Workspace::new();
    let mut names = Vec::new();
    for (number, entry) in entries.map(Result::unwrap).enumerate() {
        let name = entry.file_name().into_string().unwrap();
        if name.ends_with(".json") {
            workspace
                .write(&format!("tools/t{number}/schema.json"), fs::read(entry.path()).unwrap());
            names.push((format!("tools/t{number}/schema.json"), name));
        }
    }
    let report = workspace.run(&["check", "--format", "json"]).json();
    let findings = report["diagnostics"].as_array().unwrap();
    let syntax = |file: &str| {
        let own = findings.iter().filter(|finding| finding["file"] == file);
        own.filter_map(|finding| finding["code"].as_str())
            .any(|code| ["AIL-J001", "AIL-J003", "AIL-F004"].contains(&code))
    };
    for (file, name) in names {
        match name.as_bytes()[0] {
            b'y' => assert!(!syntax(&file), "{name} is JSON"),
            b'n' => assert!(syntax(&file), "{name} is not JSON"),
            _ => {}
        }
    }
}
