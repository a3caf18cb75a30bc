//! The walk over real folders: order, links, pipes, closed doors.

use tempfile::TempDir;

use super::*;
use crate::load::{Survey, survey};

fn folder(files: &[&str]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for file in files {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "text").unwrap();
    }
    folder
}

/// The results of a walk, one word and a path each.
fn walk(folder: &TempDir, paths: &[&str]) -> Vec<String> {
    let paths: Vec<PathBuf> = paths.iter().map(|path| folder.path().join(path)).collect();
    let root = format!("{}/", folder.path().display());
    let line = |found| match found {
        WalkEntry::File { path, .. } => format!("file {}", path.display()),
        WalkEntry::Refused(refusal) => format!("refused {refusal}"),
        WalkEntry::Skipped(path) => format!("skipped {}", path.display()),
    };
    FileWalk::new(&paths).map(|found| line(found).replace(&root, "")).collect()
}

#[test]
fn files_come_sorted_without_hidden_ones() {
    let folder =
        folder(&["b.md", "a/z.csv", "a/b.pdf", "a.md", ".git/x.md", "a/.hidden.md", "c/d/e.json"]);
    let expected = ["skipped a/b.pdf", "file a/z.csv", "file a.md", "file b.md", "file c/d/e.json"];
    assert_eq!(walk(&folder, &[""]), expected);
    assert_eq!(survey(&[folder.path().to_owned()]), Survey { files: 4, bytes: 16 });
}

#[test]
fn named_paths_are_read_in_their_order_even_if_hidden() {
    let folder = folder(&["b.md", "a.md", ".git/x.md"]);
    assert_eq!(
        walk(&folder, &["b.md", ".git", "a.md"]),
        ["file b.md", "file .git/x.md", "file a.md"]
    );
}

#[test]
fn named_paths_have_to_be_readable() {
    let folder = folder(&["x.pdf"]);
    let expected = [
        format!("refused x.pdf: expected a file whose name ends in {ENDINGS}, found another one"),
        "refused gone.md: expected a file or folder, found nothing".to_owned(),
    ];
    assert_eq!(walk(&folder, &["x.pdf", "gone.md"]), expected);
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_loops_are_not() {
    use std::os::unix::fs::symlink;
    let folder = folder(&["a/x.md", "b/y.md"]);
    let link = |to: &str, at: &str| symlink(to, folder.path().join(at)).unwrap();
    link("..", "a/up");
    link("../b", "a/twin");
    link("../a/x.md", "b/linked.md");
    link("nowhere.md", "b/broken.md");
    link("self.md", "b/self.md");
    let found = walk(&folder, &[""]);
    let expected = ["file a/twin/y.md", "skipped a/up", "file a/x.md", "skipped b"];
    let (files, refused): (Vec<&String>, _) =
        found.iter().partition(|line| !line.starts_with("refused"));
    assert_eq!(
        files,
        ["file a/twin/linked.md", expected[0], expected[1], expected[2], expected[3]]
    );
    let refused: Vec<&String> = refused;
    assert_eq!(refused.len(), 2);
    assert_eq!(
        refused[0],
        "refused a/twin/broken.md: expected a file or folder, found a broken link"
    );
    assert!(
        refused[1].starts_with("refused a/twin/self.md: expected a file or folder, found none")
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_is_refused_and_not_waited_for() {
    let folder = TempDir::new().unwrap();
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("x.md")).status();
    if !made.is_ok_and(|status| status.success()) {
        return println!("skipped: no mkfifo here");
    }
    assert_eq!(
        walk(&folder, &[""]),
        ["refused x.md: expected a file, found a pipe, a socket or a device"]
    );
}

#[cfg(unix)]
#[test]
fn a_closed_folder_is_refused_and_the_rest_is_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder(&["a/x.md", "b.md"]);
    let closed = folder.path().join("a");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    let may_read_all = fs::read_dir(&closed).is_ok();
    let found = walk(&folder, &[""]);
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    if may_read_all {
        return println!("skipped: this user may read every folder");
    }
    assert_eq!(found.len(), 2);
    assert!(found[0].starts_with("refused a: the folder could not be read"), "{found:?}");
    assert_eq!(found[1], "file b.md");
}
