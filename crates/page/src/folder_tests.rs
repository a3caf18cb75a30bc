//! A folder gives its files, and nothing outside it.

use std::fs;

use tempfile::TempDir;

use super::*;

fn folder() -> (TempDir, PageFolder) {
    let outer = tempfile::tempdir().unwrap();
    let dist = outer.path().join("dist");
    fs::create_dir_all(dist.join("assets")).unwrap();
    fs::write(dist.join("index.html"), "<title>page</title>").unwrap();
    fs::write(dist.join("assets/a.js"), "1").unwrap();
    fs::write(outer.path().join("secret"), "secret").unwrap();
    let folder = PageFolder::new(dist).unwrap();
    (outer, folder)
}

#[test]
fn a_file_is_read_again_after_a_change() {
    let (outer, folder) = folder();
    let before = folder.find("index.html").unwrap();
    fs::write(outer.path().join("dist/index.html"), "<title>other</title>").unwrap();
    let after = folder.find("index.html").unwrap();
    assert_eq!(after.identity.as_ref(), b"<title>other</title>");
    assert_ne!(before.fingerprint, after.fingerprint);
    assert_eq!(folder.find("assets/a.js").unwrap().content_type, "text/javascript; charset=utf-8");
}

#[test]
fn a_path_out_of_the_folder_finds_nothing() {
    let (outer, folder) = folder();
    std::os::unix::fs::symlink(outer.path().join("secret"), outer.path().join("dist/link"))
        .unwrap();
    let absolute = outer.path().join("secret").display().to_string();
    for path in [
        "../secret",
        "assets/../../secret",
        "./index.html",
        "link",
        "..\\secret",
        "assets",
        "",
        "/",
        "a\0b",
        absolute.as_str(),
    ] {
        assert_eq!(folder.find(path), None, "{path}");
    }
}

#[test]
fn a_folder_without_a_page_is_refused_with_the_command_that_builds_one() {
    let empty = tempfile::tempdir().unwrap();
    let refused = PageFolder::new(empty.path().to_owned()).unwrap_err().to_string();
    assert!(refused.contains("no index.html") && refused.contains("cargo xtask page"), "{refused}");
    let missing = PageFolder::new(empty.path().join("none")).unwrap_err().to_string();
    assert!(missing.contains("cannot be read as the folder of the page"), "{missing}");
}
