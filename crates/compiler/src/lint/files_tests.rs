//! Discovery over folders that are not as they should be.

use super::*;
use crate::tree::Memory;

fn discovered(files: &[&str]) -> (Vec<String>, Vec<String>) {
    let mut tree = Memory::new("tools");
    for path in files {
        tree.insert(*path, "{}");
    }
    let mut found = Vec::new();
    let directories = discover(&tree, &mut found);
    for directory in &directories {
        list(&tree, directory, &mut found);
    }
    let found = found.iter().map(|f| {
        format!("{} {} {}", f.rule.code, f.source.path, f.help.clone().unwrap_or_default())
    });
    (directories, found.collect())
}

#[test]
fn tools_are_the_directories_without_underscore_or_dot() {
    let (directories, found) = discovered(&[
        "b/schema.json",
        "a/schema.json",
        "_lib/x.js",
        ".git/x",
        "README.md",
        "a/handler.js",
    ]);
    assert_eq!(directories, ["a", "b"]);
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn an_empty_folder_is_reported() {
    let (_, found) = discovered(&["README.md"]);
    assert!(found[0].starts_with("AIL-F002 tools "), "{found:?}");
}

#[test]
fn names_that_cannot_be_tools_are_reported_with_a_better_one() {
    let (_, found) = discovered(&["KB_Search/schema.json", "2fa/schema.json", "ÄÖ/schema.json"]);
    assert_eq!(
        found,
        [
            "AIL-F007 tools/2fa rename it to `fa`, or start its name with `_` if it is no tool",
            "AIL-F007 tools/KB_Search rename it to `kb-search`, or start its name with `_` if it is no tool",
            "AIL-F007 tools/ÄÖ rename it, or start its name with `_` if it is no tool",
        ]
    );
}

#[test]
fn two_directories_for_one_tool_are_reported() {
    let (_, found) = discovered(&["kb-search/schema.json", "kb_search/schema.json"]);
    assert!(found.iter().any(|f| f.starts_with("AIL-F008 tools/kb_search")), "{found:?}");
}

#[test]
fn misspelt_files_are_pointed_out() {
    let (_, found) = discovered(&["a/schema.jsn", "a/case.json", "a/notes.txt", "a/helpers.js"]);
    assert_eq!(
        found,
        [
            "AIL-F010 tools/a/case.json did you mean `cases.json`?",
            "AIL-F010 tools/a/notes.txt move it out of the tool's directory",
            "AIL-F010 tools/a/schema.jsn did you mean `schema.json`?",
            "AIL-F011 tools/a write one (`aileron new` makes a whole tool), or start the directory's name with `_` if it is no tool",
        ]
    );
}
