//! `aileron kb`: over the demo folder and over folders made to go wrong.

mod commands;
mod demo;
mod documentation;
mod durability;
mod ingest;
mod refusals;
mod search;
mod tools;
mod watch;

use std::fs;
use std::path::Path;

use crate::workspace::{Workspace, repository};

/// Where the knowledge base of a workspace is when nothing is set.
const FOLDER: &str = ".aileron/kb";

/// A workspace with the demo's files, none of them taken in.
fn with_files() -> Workspace {
    let workspace = Workspace::new();
    copy(&repository().join("demo/knowledge"), &workspace.path("knowledge"));
    workspace
}

/// A workspace whose knowledge base is the demo.
fn demo() -> Workspace {
    let workspace = with_files();
    workspace.ok(&["kb", "ingest", "knowledge"]);
    workspace
}

/// A workspace with one small record.
fn small() -> Workspace {
    let workspace = Workspace::new();
    workspace.write("notes/farm.md", "# Render farm\n\nHow to get access to the machines.\n");
    workspace.ok(&["kb", "ingest", "notes"]);
    workspace
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copy(&path, &target),
            false => assert!(fs::copy(&path, &target).is_ok()),
        }
    }
}

/// The ids that a search finds, best first.
pub(crate) fn found(workspace: &Workspace, args: &[&str]) -> Vec<String> {
    let run = workspace.ok(&[&["kb", "search", "--format", "json"], args].concat());
    let results = run.json()["results"].as_array().unwrap().clone();
    results.iter().map(|hit| hit["id"].as_str().unwrap().to_owned()).collect()
}

/// All records as they are exported.
fn exported(workspace: &Workspace) -> String {
    workspace.ok(&["kb", "export"]).stdout
}
