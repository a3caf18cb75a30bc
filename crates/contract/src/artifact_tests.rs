//! A reader that trusts nothing: format, hashes, order and version are checked.

use super::*;

fn tool(id: &str) -> Value {
    let modules =
        BTreeMap::from([("a/handler.js".to_owned(), "export function execute() {}".to_owned())]);
    let mut tool = json!({
        "toolId": id, "version": "1.0.0", "description": "Says hello.", "category": "utility",
        "sideEffects": "none", "idempotent": true, "requiresConfirmation": false,
        "allowedModes": ["text"], "latencyBudgetMs": 100,
        "jsonSchema": {"type": "object", "additionalProperties": false},
        "providerSchemas": {"mcp": {"name": id}},
        "summary": "Says hello.", "documentation": "# hello",
        "handler": {"kind": "javascript", "entry": "a/handler.js", "modules": modules,
                    "hash": code_hash("a/handler.js", &modules)}
    });
    tool["hash"] = json!(tool_hash(&mut tool));
    tool
}

fn artifact(ids: &[&str]) -> Value {
    let tools: Vec<_> = ids.iter().map(|id| tool(id)).collect();
    let hashes: Vec<ContentHash> =
        tools.iter().map(|tool| serde_json::from_value(tool["hash"].clone()).unwrap()).collect();
    let hash = content_hash(hashes.iter());
    json!({
        "version": version_of(&hash), "contentHash": hash, "formatVersion": 1,
        "gitCommit": null, "buildTimestamp": null, "tools": tools
    })
}

#[track_caller]
fn check_refused(value: &Value, expected: &str) {
    let message = Artifact::read(&value.to_string()).unwrap_err().to_string();
    assert!(message.contains(expected), "{message}");
}

#[test]
fn a_good_artifact_is_read_and_written_back_the_same() {
    let value = artifact(&["a", "b"]);
    let read = Artifact::read(&value.to_string()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), value);
    assert_eq!(read.tool("b").unwrap().id(), "b");
    assert!(read.tool("c").is_none());
}

#[test]
fn formatting_does_not_matter() {
    let pretty = serde_json::to_string_pretty(&artifact(&["a"])).unwrap();
    assert!(Artifact::read(&pretty).is_ok());
}

/// An artifact as a compiler writes it: a tool in each line.
fn lines(artifact: &Value) -> String {
    let mut header = artifact.clone();
    let tools = header.as_object_mut().unwrap().remove("tools").unwrap();
    let tools: Vec<_> = tools.as_array().unwrap().iter().map(crate::canonical::to_string).collect();
    let header = header.to_string();
    let header = header.strip_suffix('}').unwrap();
    format!("{header},\n  \"tools\": [\n{}\n  ]\n}}\n", tools.join(",\n"))
}

#[test]
fn a_tool_in_each_line_is_read_as_any_other_form() {
    let value = artifact(&["a", "b", "c"]);
    let text = lines(&value);
    assert!(Outline::of_lines(&text).is_some());
    assert_eq!(Artifact::read(&text), Artifact::read(&value.to_string()));
    assert!(Artifact::read(&lines(&artifact(&[]))).is_ok());
}

/// Every cut and every changed byte has the answer that the whole text has without regard to lines.
#[test]
fn a_damaged_line_is_refused_in_the_same_words() {
    let text = lines(&artifact(&["a", "b"]));
    let slowly = |text: &str| {
        let outline = Outline::read(text)?;
        let tools =
            outline.tools.iter().map(|tool| ArtifactTool::read(tool)).collect::<Result<_, _>>()?;
        outline.finish(tools)
    };
    for at in 0..text.len() {
        let damaged = [
            text[..at].to_owned(),
            format!("{}{}", &text[..at], &text[at + 1..]),
            format!("{}\n{}", &text[..at], &text[at..]),
            format!("{},{}", &text[..at], &text[at + 1..]),
        ];
        for text in damaged {
            assert_eq!(Artifact::read(&text), slowly(&text), "{text}");
        }
    }
}

#[test]
fn declarations_are_read_when_they_are_asked_for() {
    let read = Artifact::read(&artifact(&["a"]).to_string()).unwrap();
    assert_eq!(read.tools[0].declaration(Provider::Mcp), Some(json!({ "name": "a" })));
    assert_eq!(read.tools[0].declaration(Provider::Openai), None);
}

#[test]
fn declarations_that_are_none_are_refused() {
    for (bad, expected) in [
        (json!("x"), "invalid type: string \"x\", expected a map"),
        (json!({ "nobody": {} }), "unknown variant `nobody`"),
    ] {
        let mut value = artifact(&["a"]);
        value["tools"][0]["providerSchemas"] = bad;
        value["tools"][0]["hash"] = json!(tool_hash(&mut value["tools"][0]));
        check_refused(&value, expected);
    }
}

#[test]
fn build_time_and_commit_are_outside_of_the_hash() {
    let mut value = artifact(&["a"]);
    value["gitCommit"] = json!("abc1234");
    value["buildTimestamp"] = json!("2026-11-15T00:00:00Z");
    assert!(Artifact::read(&value.to_string()).is_ok());
}

#[test]
fn another_format_is_refused() {
    let mut value = artifact(&["a"]);
    value["formatVersion"] = json!(2);
    check_refused(&value, "expected `formatVersion` 1, found 2; use the aileron that built it");
    check_refused(&json!({}), "found none");
    check_refused(&json!([]), "found none");
}

#[test]
fn what_is_not_json_is_refused() {
    let message = Artifact::read("{").unwrap_err().to_string();
    assert!(message.starts_with("expected a tool registry in JSON"), "{message}");
}

#[test]
fn a_changed_tool_is_named() {
    let mut value = artifact(&["a", "b"]);
    value["tools"][1]["requiresConfirmation"] = json!(true);
    check_refused(&value, "tool `b` was changed after the build");
}

#[test]
fn a_field_nobody_knows_breaks_the_hash() {
    let mut value = artifact(&["a"]);
    value["tools"][0]["extra"] = json!(1);
    check_refused(&value, "tool `a` was changed after the build");
}

#[test]
fn changed_code_is_noticed_even_with_a_matching_tool_hash() {
    let mut value = artifact(&["a"]);
    value["tools"][0]["handler"]["modules"]["a/handler.js"] = json!("evil()");
    value["tools"][0]["hash"] = json!(tool_hash(&mut value["tools"][0]));
    check_refused(&value, "the handler of `a` was changed after the build");
}

#[test]
fn code_of_a_worker_is_covered_with_its_packages() {
    let modules = BTreeMap::from([("a/handler.py".to_owned(), "def execute(): ...".to_owned())]);
    let packages = Packages {
        manifest: "../pyproject.toml".to_owned(),
        lock: "uv.lock".to_owned(),
        lock_hash: ContentHash::of_bytes(b"locked"),
    };
    let code = WorkerCode::new("a/handler.py".to_owned(), modules, Some(packages));
    let handler = Handler::Python(code);
    assert_eq!((handler.runtime(), handler.is_trusted()), ("python", true));
    let with = |handler: Value| {
        let mut tool = tool("a");
        tool["handler"] = handler;
        tool["hash"] = json!(tool_hash(&mut tool));
        ArtifactTool::read(&tool.to_string())
    };
    let written = json!(handler);
    assert_eq!(with(written.clone()).unwrap().handler, handler);
    let mut relocked = written.clone();
    relocked["packages"]["lockHash"] = json!(ContentHash::of_bytes(b"other"));
    let fault = with(relocked).unwrap_err().to_string();
    assert!(fault.contains("the handler of `a` was changed after the build"), "{fault}");
    let mut contained = written;
    contained["contained"] = json!(true);
    assert!(matches!(with(contained), Err(ArtifactError::BadShape(_))));
}

#[test]
fn a_missing_tool_breaks_the_content_hash() {
    let mut value = artifact(&["a", "b"]);
    value["tools"].as_array_mut().unwrap().pop();
    check_refused(&value, "the registry was changed after the build");
}

#[test]
fn version_and_order_are_checked() {
    let mut value = artifact(&["a"]);
    value["version"] = json!("1.0.00000000");
    check_refused(&value, "expected version 1.0.");
    check_refused(&artifact(&["b", "a"]), "`a` is out of place");
    check_refused(&artifact(&["a", "a"]), "`a` is out of place");
}

#[test]
fn the_hash_of_code_covers_names_and_texts() {
    let modules = |name: &str, text: &str| BTreeMap::from([(name.to_owned(), text.to_owned())]);
    let hash = code_hash("a/handler.rs", &modules("a/handler.rs", "fn a() {}"));
    assert_ne!(hash, code_hash("a/handler.rs", &modules("a/handler.rs", "fn b() {}")));
    assert_ne!(hash, code_hash("b/handler.rs", &modules("b/handler.rs", "fn a() {}")));
}

#[test]
fn line_ends_and_byte_order_marks_are_no_part_of_a_source() {
    assert_eq!(source_text("\u{feff}a\r\nb\n"), "a\nb\n");
}
