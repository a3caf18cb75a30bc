//! Public collections of bad input. They are not part of the repository; if they are missing, the
//! tests say so and pass.

use std::fs;
use std::path::{Path, PathBuf};

use aileron_contract::{Arguments, CallId};
use serde_json::{Value, json};

use super::Target;
use crate::stage::{call, word};

fn corpus(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora").join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    #[allow(clippy::print_stdout, reason = "the notice of a test that does not run")]
    {
        println!("skipped: {} is not there", folder.display());
    }
    None
}

/// Files named `y_` are JSON, `n_` are not, `i_` depend on the parser. A transport passes text, so
/// invalid UTF-8 never reaches this point.
#[tokio::test]
async fn json_that_is_none_is_refused_and_json_that_is_one_is_read() {
    let Some(folder) = corpus("json-parsing") else { return };
    let mut target = Target::new("json-parsing").await;
    for path in fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let name = path.file_name().unwrap().to_str().unwrap();
        let [_, open, absent] = target.send_text(&text).await;
        assert_eq!(absent, "NOT_FOUND", "{name}");
        let is_object = text.trim_start().starts_with('{');
        let is_repeated = name.contains("duplicated_key");
        match name.split('_').next().unwrap() {
            "y" if is_object && !is_repeated => assert_eq!(open, "ok", "{name}"),
            "y" | "n" => assert_eq!(open, "VALIDATION", "{name}"),
            _ => assert!(matches!(open, "ok" | "VALIDATION"), "{name}: {open}"),
        }
    }
    assert!(target.sent > 300, "{}", target.sent);
    target.check().await;
}

#[tokio::test]
async fn naughty_strings_are_strings() {
    let Some(folder) = corpus("naughty-strings") else { return };
    let strings = fs::read_to_string(folder.join("blns.json")).unwrap();
    let strings: Vec<String> = serde_json::from_str(&strings).unwrap();
    let mut target = Target::new("naughty").await;
    for text in &strings {
        let args = json!({ "text": text, text: true });
        let answer = target.send("open", Arguments::parse(&args.to_string())).await;
        assert_eq!(serde_json::to_value(&*answer).unwrap()["data"], args, "{text:?}");
        assert_eq!(word(&*target.send(text, Arguments::default()).await), "NOT_FOUND");
        // As argument text it is JSON at best by accident, and an object never.
        assert_eq!(word(&*target.send("strict", Arguments::parse(text)).await), "VALIDATION");
    }
    assert!(strings.len() > 400);
    target.check().await;
}

#[tokio::test]
async fn naughty_ids_come_back_as_they_were() {
    let Some(folder) = corpus("naughty-strings") else { return };
    let strings = fs::read_to_string(folder.join("blns.json")).unwrap();
    let strings: Vec<Value> = serde_json::from_str(&strings).unwrap();
    let target = Target::new("naughty-ids").await;
    for id in strings.iter().filter_map(Value::as_str).filter(|id| CallId::new(*id).is_ok()) {
        target.conversation.begin_turn(aileron_orchestrator::TurnInput::Written).await.unwrap();
        let answers = target.conversation.call(vec![call(id, "strict", json!({}))]).await;
        assert_eq!(answers[0].meta().call_id.as_str(), id);
    }
    target.stage.store.verify_audit().unwrap();
}
