//! Manifests on disk: up to the folder of the project and not above.

use std::fs;
use std::path::Path;

use super::*;
use crate::tree::Folder;

fn manifest(root: &Path, tools: &str) -> Option<String> {
    let folder = Folder::open(&root.join(tools)).unwrap();
    nearest(&folder, "t", NODE_MANIFESTS, &mut Vec::new()).map(|manifest| manifest.path)
}

fn project(files: &[&str]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for file in files {
        let path = root.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "{}").unwrap();
    }
    root
}

#[test]
fn a_manifest_is_found_up_to_the_settings_of_the_project() {
    let root = project(&["package.json", "app/aileron.toml", "app/deep/tools/t/schema.json"]);
    assert_eq!(manifest(root.path(), "app/deep/tools"), None);
    fs::write(root.path().join("app/package.json"), "{}").unwrap();
    assert_eq!(manifest(root.path(), "app/deep/tools").as_deref(), Some("../../package.json"));
}

#[test]
fn a_manifest_is_found_up_to_the_repository() {
    let root = project(&["package.json", ".git/HEAD", "app/deep/tools/t/schema.json"]);
    assert_eq!(manifest(root.path(), "app/deep/tools").as_deref(), Some("../../../package.json"));
}

#[test]
fn without_either_the_folder_of_the_tools_counts() {
    let root = project(&["package.json", "app/tools/t/schema.json"]);
    assert_eq!(manifest(root.path(), "app/tools"), None);
    fs::write(root.path().join("app/package.json"), "{}").unwrap();
    assert_eq!(manifest(root.path(), "app/tools").as_deref(), Some("../package.json"));
    fs::write(root.path().join("app/tools/package.json"), "{}").unwrap();
    assert_eq!(manifest(root.path(), "app/tools").as_deref(), Some("package.json"));
    fs::write(root.path().join("app/tools/t/package.json"), "{}").unwrap();
    assert_eq!(manifest(root.path(), "app/tools").as_deref(), Some("t/package.json"));
}
