//! The files that an ingest reads, those that it skips, and its report.

use std::fs;

use serde_json::json;

use super::{FOLDER, demo, exported, found, small, with_files};
use crate::workspace::{Run, Workspace};

/// The figures of a report.
fn figures(run: &Run) -> [u64; 4] {
    let report = run.json();
    ["added", "changed", "unchanged", "removed"].map(|name| report[name].as_u64().unwrap())
}

fn ingest(workspace: &Workspace, args: &[&str]) -> Run {
    workspace.run(&[&["kb", "ingest", "--format", "json"], args].concat())
}

#[test]
fn a_second_ingest_finds_everything_unchanged() {
    let workspace = with_files();
    let first = ingest(&workspace, &["knowledge"]);
    assert_eq!((first.code, figures(&first)), (0, [65, 0, 0, 0]));
    let second = ingest(&workspace, &["knowledge"]);
    assert_eq!((second.code, figures(&second)), (0, [0, 0, 65, 0]));
    let stats = workspace.ok(&["kb", "stats", "--format", "json"]).json();
    assert_eq!((&stats["records"], &stats["generation"]), (&json!(65), &json!(1)));
}

#[test]
fn text_and_html_files_are_records() {
    let workspace = Workspace::new();
    workspace.write("notes/parking-rules.txt", "Cars are parked behind the hall.\r\n");
    let page = "<html><head><title>Canteen &ndash; opening hours</title><style>p{}</style></head>\
                <body><h1>Canteen</h1><p>Soup from <b>noon</b>.<script>no()</script></p></body></html>";
    workspace.write("notes/canteen.html", page);
    workspace.write("notes/empty.htm", "<p> <!-- nothing --></p>");
    let run = ingest(&workspace, &["notes"]);
    assert_eq!((run.code, figures(&run)), (1, [2, 0, 0, 0]));
    assert!(run.stdout.contains("expected a page with words, found none"), "{}", run.stdout);
    let get = |id: &str| {
        workspace.ok(&["kb", "get", id, "--format", "json"]).json()["records"][0].clone()
    };
    let text = get("doc:parking-rules");
    assert_eq!(
        (&text["title"], &text["text"], &text["source_type"]),
        (&json!("parking rules"), &json!("Cars are parked behind the hall."), &json!("text"))
    );
    let page = get("doc:canteen");
    assert_eq!(
        (&page["title"], &page["text"], &page["source_type"]),
        (&json!("Canteen – opening hours"), &json!("# Canteen\n\nSoup from noon."), &json!("html"))
    );
    assert_eq!(found(&workspace, &["soup"])[0], "doc:canteen");
}

#[test]
fn the_report_for_people_goes_to_stderr() {
    let run = with_files().ok(&["kb", "ingest", "knowledge"]);
    assert_eq!(run.stdout, "");
    let expected = "65 added, 0 changed, 0 unchanged, 0 removed, in [..] ms\n";
    snapbox::assert_data_eq!(run.stderr, snapbox::Data::text(expected));
}

#[test]
fn only_what_changed_is_reported_as_changed() {
    let workspace = demo();
    workspace.replace("knowledge/people/mira_holt.md", "Hamburg", "Bremen");
    assert_eq!(figures(&ingest(&workspace, &["knowledge"])), [0, 1, 64, 0]);
    let page = workspace.ok(&["kb", "get", "person:mira_holt"]).stdout;
    assert!(page.contains("Bremen"), "{page}");
}

#[test]
fn a_dry_run_reports_and_does_nothing() {
    let workspace = with_files();
    let dry = ingest(&workspace, &["knowledge", "--dry-run"]);
    assert_eq!(figures(&dry), [65, 0, 0, 0]);
    assert!(!workspace.path(".aileron").exists());
    let told = workspace.ok(&["kb", "ingest", "knowledge", "--dry-run"]).stderr;
    assert!(told.starts_with("would be: 65 added, "), "{told}");
    workspace.ok(&["kb", "ingest", "knowledge"]);
    fs::remove_file(workspace.path("knowledge/people/mira_holt.md")).unwrap();
    let before = exported(&workspace);
    let dry = ingest(&workspace, &["knowledge", "--dry-run", "--prune"]);
    assert_eq!(figures(&dry), [0, 0, 64, 1]);
    assert_eq!(exported(&workspace), before);
}

#[test]
fn what_is_gone_is_named_and_removed_only_when_asked() {
    let workspace = demo();
    fs::remove_file(workspace.path("knowledge/people/mira_holt.md")).unwrap();
    let kept = workspace.ok(&["kb", "ingest", "knowledge"]);
    let said = "1 no longer in their files, kept; --prune removes them: person:mira_holt\n";
    assert!(kept.stderr.starts_with(said), "{}", kept.stderr);
    let kept = ingest(&workspace, &["knowledge"]);
    assert_eq!(kept.json()["gone"], json!(["person:mira_holt"]));
    assert_eq!(workspace.run(&["kb", "get", "person:mira_holt"]).code, 0);
    let pruned = ingest(&workspace, &["knowledge", "--prune"]);
    assert_eq!(figures(&pruned), [0, 0, 64, 1]);
    assert_eq!(workspace.run(&["kb", "get", "person:mira_holt"]).code, 1);
}

#[test]
fn nothing_to_read_is_wrong_usage() {
    let workspace = Workspace::new();
    for args in [
        &["kb", "ingest"][..],
        &["kb", "ingest", "--prune"],
        &["kb", "ingest", "--watch", "--rebuild"],
        &["kb", "ingest", "x", "--rebuild", "--dry-run"],
        &["kb", "ingest", "x", "--watch", "--dry-run"],
        &["kb"],
        &["kb", "get"],
        &["kb", "search"],
        &["kb", "search", "x", "--top-k", "0"],
        &["kb", "search", "x", "--namespace", "finance"],
        &["kb", "search", "x", "--since", "yesterday"],
    ] {
        let run = workspace.run(args);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}: {}", run.stderr);
    }
    assert!(!workspace.path(".aileron").exists());
}

#[test]
fn a_path_that_is_not_there_is_refused_by_name() {
    let workspace = small();
    let run = ingest(&workspace, &["notes", "nowhere"]);
    assert_eq!((run.code, &run.json()["refusals"][0]["file"]), (1, &json!("nowhere")));
    assert_eq!(figures(&run), [0, 0, 1, 0]);
}

#[test]
fn another_model_needs_a_rebuild_and_says_so() {
    let workspace = small();
    workspace.write("aileron.toml", "[kb.embeddings]\nengine = 'none'\n");
    let run = workspace.run(&["kb", "ingest", "notes"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("run `aileron kb ingest --rebuild`"), "{}", run.stderr);
    let run = workspace.ok(&["kb", "ingest", "--rebuild"]);
    let expected = "index of 1 record made again with no embeddings in [..] ms\n";
    snapbox::assert_data_eq!(run.stderr, snapbox::Data::text(expected));
    let run = workspace.ok(&["kb", "search", "access", "--format", "json"]);
    assert_eq!(run.json()["ranking"], "words");
    assert!(run.stderr.starts_with("ranked by words alone: the index has no vectors"));
    workspace.write("aileron.toml", "");
    let rebuilt = ingest(&workspace, &["notes", "--rebuild"]);
    assert_eq!(figures(&rebuilt), [0, 0, 1, 0]);
    assert_eq!(workspace.ok(&["kb", "search", "access"]).stderr, "");
}

#[test]
fn a_rebuild_needs_something_to_rebuild() {
    let workspace = Workspace::new();
    let run = workspace.run(&["kb", "ingest", "--rebuild"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("make one with `aileron kb ingest`"), "{}", run.stderr);
    assert!(!workspace.path(".aileron").exists());
}

#[test]
fn a_second_writer_is_told_to_wait() {
    let workspace = small();
    let lock = fs::File::create(workspace.path(FOLDER).join("writer.lock")).unwrap();
    lock.try_lock().unwrap();
    for args in [&["kb", "ingest", "notes"][..], &["kb", "remove", "doc:farm"]] {
        let run = workspace.run(args);
        assert_eq!(run.code, 1);
        let expected = "error: another process is writing to .aileron/kb; wait until it is done\n";
        assert_eq!(run.stderr, expected);
    }
    assert_eq!(found(&workspace, &["access"]), ["doc:farm"]);
    drop(lock);
    workspace.ok(&["kb", "ingest", "notes"]);
}

#[test]
fn the_folder_is_that_of_the_settings_or_of_the_option() {
    let workspace = small();
    workspace.write("etc/aileron.toml", "[kb]\npath = 'base'\n");
    workspace.ok(&["kb", "ingest", "notes", "--config", "etc/aileron.toml"]);
    assert!(workspace.path("etc/base/records.db").exists());
    workspace.ok(&["kb", "ingest", "notes", "--kb", "other"]);
    assert_eq!(found(&workspace, &["access", "--kb", "other"]), ["doc:farm"]);
}
