//! `aileron providers`: the models, what they can do, and which key is found.

use serde_json::{Value, json};

use crate::workspace::Workspace;

fn listed(workspace: &Workspace) -> Vec<Value> {
    let mut command = workspace.command();
    command.args(["providers", "--format", "json"]);
    command.env("ANTHROPIC_API_KEY", "sk-secret").env_remove("OPENAI_API_KEY");
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!text.contains("sk-secret"), "{text}");
    serde_json::from_str::<Value>(&text).unwrap()["models"].as_array().unwrap().clone()
}

#[test]
fn each_model_has_its_abilities_and_its_key() {
    let models = listed(&Workspace::new());
    let row = |usage: &str, provider: &str| {
        let found = models.iter().find(|row| row["use"] == usage && row["provider"] == provider);
        found.cloned().unwrap_or_else(|| panic!("no {usage} of {provider}"))
    };
    let anthropic = row("text", "anthropic");
    assert_eq!(anthropic["model"], "claude-sonnet-5-5");
    assert_eq!(
        (&anthropic["keyVariable"], &anthropic["keyFound"]),
        (&json!("ANTHROPIC_API_KEY"), &json!(true))
    );
    assert_eq!(row("text", "openai")["keyFound"], false);
    let live = row("voice", "gemini");
    assert!(live["can"].as_array().unwrap().contains(&json!("calls in the background")), "{live}");
    assert_eq!(live["ends"], Value::Null);
}

#[test]
fn the_settings_decide_and_an_announced_end_is_shown() {
    let workspace = Workspace::new();
    workspace.write(
        "aileron.toml",
        "[text]\nprovider = \"openai\"\nmodel = \"gpt-4.1\"\nkey = \"MY_KEY\"\n",
    );
    let models = listed(&workspace);
    let openai = models.iter().find(|row| row["use"] == "text" && row["provider"] == "openai");
    let expected = json!({
        "use": "text", "provider": "openai", "protocol": "OpenAI Responses", "model": "gpt-4.1",
        "keyVariable": "MY_KEY", "keyFound": false, "can": ["text", "calls"], "ends": "2027-01-14",
    });
    assert_eq!(openai, Some(&expected));
    let table = workspace.ok(&["providers"]).stdout;
    assert!(table.contains("gpt-4.1") && table.contains("ends 2027-01-14"), "{table}");
}
