//! The pipeline is the same for every provider, so it names none.

use std::fs;
use std::path::Path;

const PROVIDERS: &[&str] = &["openai", "gemini", "anthropic", "claude", "gpt"];

#[test]
fn the_crate_names_no_provider() {
    let mut found = Vec::new();
    look(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert!(found.is_empty(), "{found:#?}");
}

fn look(folder: &Path, found: &mut Vec<String>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            look(&path, found);
            continue;
        }
        let text = fs::read_to_string(&path).unwrap().to_lowercase();
        let names = PROVIDERS.iter().filter(|name| text.contains(**name));
        found.extend(names.map(|name| format!("{}: {name}", path.display())));
    }
}
