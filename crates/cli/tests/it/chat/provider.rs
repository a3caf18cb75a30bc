//! The choice of the text provider by options, settings and keys, and the errors of a wrong choice.

use serde_json::json;

use super::model::{Model, Reply};
use super::{chat, demo};
use crate::workspace::{Run, Workspace};

#[test]
fn what_cannot_be_is_said_before_anything_is_sent() {
    let workspace = demo();
    for (args, expected) in [
        (&["--provider", "bing"][..], "there is no provider \"bing\" that writes"),
        (
            &["--provider", "gemini"],
            "gemini needs a key in the environment variable GEMINI_API_KEY",
        ),
        (&["--provider", "openai_chat"], "no model of openai_chat is named"),
    ] {
        let run = chat(&workspace, &[&["hi", "--memory"], args].concat(), "");
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}");
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
}

#[test]
fn a_provider_that_is_not_there_is_a_sentence() {
    let workspace = demo();
    workspace.write(
        "aileron.toml",
        "[text]\nprovider = 'openai_chat'\nmodel = 'llama'\nbase_url = 'http://127.0.0.1:1/v1'\n",
    );
    let run = chat(&workspace, &["hi", "--memory"], "");
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("error: The model could not be reached."), "{}", run.stderr);
}

#[test]
fn an_address_is_enough_and_is_sent_no_key_of_a_provider() {
    let workspace = Workspace::with_tool();
    let model = Model::start([Reply::Says("Hello from here.")]);
    let mut command = workspace.command();
    command.args(["chat", "hi", "--memory"]).env("GEMINI_API_KEY", "a-key-of-gemini");
    command.env("OPENAI_API_KEY", "a-key-of-openai");
    command.env("AILERON_TEXT_MODEL", "llama3").env("AILERON_TEXT_BASE_URL", model.url());
    let run = Run::of(command.output().unwrap());
    assert_eq!((run.code, run.stdout.as_str()), (0, "Hello from here.\n"), "{}", run.stderr);
    assert!(run.stderr.starts_with("openai_chat: llama3\n"), "{}", run.stderr);
    let asked = model.asked();
    assert_eq!(asked.body["model"], "llama3");
    assert!(!asked.head.contains("a-key-of"), "{}", asked.head);
}

#[test]
fn length_and_reasoning_are_asked_for_as_the_settings_say() {
    let workspace = Workspace::with_tool();
    let model = Model::start([Reply::Says("Yes.")]);
    let more = "max_output_tokens = 77\nreasoning = 'low'\n";
    workspace.write("aileron.toml", model.settings() + more);
    assert_eq!(chat(&workspace, &["hi", "--memory"], "").code, 0);
    let asked = model.asked().body;
    assert_eq!((&asked["max_tokens"], &asked["reasoning_effort"]), (&json!(77), &json!("low")));
    let field = "[text.openai_chat]\nlength_field = 'max_completion_tokens'\nusage = 'not_asked'\n";
    workspace.write("aileron.toml", model.settings() + more + field);
    assert_eq!(chat(&workspace, &["hi", "--memory"], "").code, 0);
    let asked = model.asked().body;
    assert_eq!((&asked["max_completion_tokens"], asked.get("max_tokens")), (&json!(77), None));
    assert_eq!(asked.get("stream_options"), None);
}

#[test]
fn anthropic_is_spoken_to_in_the_version_of_the_settings() {
    let workspace = Workspace::with_tool();
    let refusal = json!({ "type": "error", "error": { "type": "x", "message": "no" } });
    let model = Model::start([Reply::Refuses(400, refusal)]);
    let settings = model.settings().replace("openai_chat", "anthropic");
    let more = "key = 'MINE'\n[text.anthropic]\nversion = '2023-06-01'\nauth = 'api_key'\n";
    workspace.write("aileron.toml", settings + more);
    let mut command = workspace.command();
    command.args(["chat", "hi", "--memory"]).env("MINE", "my-key");
    assert_eq!(Run::of(command.output().unwrap()).code, 1);
    let head = model.asked().head;
    for line in ["anthropic-version: 2023-06-01\r\n", "x-api-key: my-key\r\n"] {
        assert!(head.contains(line), "{line}: {head}");
    }
    assert!(!head.contains("authorization"), "{head}");
}

#[test]
fn a_defect_of_a_handler_and_its_console_are_shown() {
    let workspace = Workspace::with_tool();
    let handler = "export function execute() {\n  console.warn('so far');\n  nowhere();\n}\n";
    workspace.write("tools/greet-person/handler.js", handler);
    for json in [false, true] {
        let call = Reply::Calls("greet_person", json!({ "name": "Ada" }));
        let model = Model::start([call, Reply::Says("That did not work.")]);
        workspace.write("aileron.toml", model.settings());
        let more: &[&str] = if json { &["--json"] } else { &[] };
        let run = chat(&workspace, &[&["greet Ada", "--memory"], more].concat(), "");
        assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
        let (said, expected) = match json {
            true => (&run.stdout, ["\"message\":\"so far\"", "\"type\":\"defect\""]),
            false => (&run.stderr, ["  log warning: so far", "  defect of greet_person: "]),
        };
        for words in expected.into_iter().chain(["nowhere"]) {
            assert!(said.contains(words), "{words}: {said}");
        }
    }
}

#[test]
fn prompts_of_the_project_are_used_and_missing_ones_named() {
    let workspace = demo();
    workspace.write("my/core.md", "# Me\n\nBe a pirate.\n");
    workspace.write("aileron.toml", "[prompt]\npath = 'my'\ntools = 'summary'\n");
    let run = workspace.ok(&["describe", "--prompt", "text"]);
    assert!(run.stdout.starts_with("# Me\n\nBe a pirate.\n\n# How You Write"), "{}", run.stdout);
    assert!(run.stdout.contains("- **describe_tool** (utility): "), "{}", run.stdout);
    workspace.write("aileron.toml", "[prompt]\npath = 'none'\n");
    let run = workspace.run(&["describe", "--prompt", "text"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("`none` cannot be used: expected a folder"), "{}", run.stderr);
}

#[test]
fn what_the_model_reads_is_printed_with_its_cost() {
    let workspace = demo();
    let run = workspace.ok(&["describe", "--prompt", "voice"]);
    assert!(
        run.stdout.contains("Limits in voice: at most 3 calls in one turn, 2 of them retrieval.")
    );
    assert!(run.stderr.contains("voice-behavior"), "{}", run.stderr);
    assert!(run.stderr.contains("all, estimated"), "{}", run.stderr);
    let json = workspace.ok(&["describe", "--prompt", "text", "--format", "json"]).json();
    let names: Vec<_> =
        json["parts"].as_array().unwrap().iter().map(|part| &part["name"]).collect();
    assert_eq!(names, ["core", "text-behavior", "tools", "loop", "now"]);
    assert!(json["declarations"]["tokens"].as_u64().unwrap() > 100);
    let run = workspace.run(&["describe"]);
    assert_eq!(run.code, 2);
}

#[test]
fn declarations_are_counted_as_the_provider_of_the_settings_is_sent_them() {
    let workspace = Workspace::with_tool();
    for (mode, settings, expected) in [
        ("text", "", "geminiJsonSchema"),
        ("text", "[text]\nprovider = 'offline'", "geminiJsonSchema"),
        ("text", "[text]\nprovider = 'anthropic'", "anthropic"),
        ("text", "[text]\nbase_url = 'http://127.0.0.1:1/v1'", "openai"),
        ("voice", "", "geminiJsonSchema"),
        ("voice", "[voice]\nprovider = 'openai'", "openaiRealtime"),
        (
            "voice",
            "[voice]\nprovider = 'gemini'\n[voice.gemini]\ndeclarations = 'native'",
            "geminiNative",
        ),
    ] {
        workspace.write("aileron.toml", settings);
        let mut command = workspace.command();
        for key in ["GEMINI_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"] {
            command.env_remove(key);
        }
        command.args(["describe", "--prompt", mode, "--format", "json"]);
        let described = Run::of(command.output().unwrap()).json();
        assert_eq!(described["declarations"]["target"], expected, "{settings}");
    }
}
