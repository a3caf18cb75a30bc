//! The build script finds native handlers of a further folder, which `AILERON_NATIVE_TOOLS` names.

use std::fs;
use std::path::{Path, PathBuf};

use aileron_compiler::{Options, compile_folder};
use aileron_contract::Artifact;

use crate::toolset::text;

#[path = "../../find.rs"]
mod find;

const HANDLER: &str = include_str!("../../../../crates/cli/src/scaffold/handler.rs.in");

fn own() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn write_handler(folder: &Path, directory: &str) {
    fs::create_dir_all(folder.join(directory)).unwrap();
    fs::write(folder.join(directory).join("handler.rs"), HANDLER).unwrap();
}

#[test]
fn tools_of_both_folders_are_found_and_the_further_one_wins() {
    let further = tempfile::tempdir().unwrap();
    write_handler(further.path(), "greet-person");
    write_handler(further.path(), "kb-get");
    write_handler(further.path(), "_shared");
    let found = find::find(&[own(), further.path().to_owned()]).unwrap();
    let of = |id: &str| found.iter().filter(|it| it.tool.as_str() == id).collect::<Vec<_>>();
    let alone = find::find(&[own()]).unwrap();
    assert_eq!(found.len(), alone.len() + 1);
    assert_eq!(of("greet_person").len(), 1);
    assert!(of("kb_get")[0].path.starts_with(further.path()));
    assert!(of("kb_search")[0].path.starts_with(own()));
}

/// A binary accepts a handler only with the hash that the compiler records for the same sources.
#[test]
fn the_hash_is_the_one_of_the_registry() {
    let compiled = compile_folder(&own(), &Options::default(), &|_, _| {});
    let artifact = Artifact::read(&text(&compiled)).unwrap();
    let found = find::find(&[own()]).unwrap();
    let handler = found.iter().find(|it| it.tool.as_str() == "kb_get").unwrap();
    assert_eq!(artifact.tool("kb_get").unwrap().handler.hash().as_str(), handler.hash);
}

#[test]
fn a_folder_that_does_not_exist_is_named() {
    let error = find::find(&[PathBuf::from("/nowhere/at/all")]).unwrap_err();
    assert!(error.to_string().starts_with("`/nowhere/at/all` cannot be read"), "{error}");
}
