//! Where calls are kept, and what happens where they cannot be.

use std::fs;
use std::process::Command;

use rusqlite::Connection;
use rusqlite::types::Value;

use super::{ADA, with_handler};
use crate::workspace::{Run, Workspace};

#[test]
fn the_store_is_made_with_its_folder() {
    let workspace = Workspace::with_tool();
    workspace.ok(&["call", "greet_person", ADA]);
    workspace.ok(&["call", "greet_person", ADA, "--store", "deep/er/calls.db"]);
    for path in [".aileron/aileron.db", "deep/er/calls.db", "deep/er/confirmation.key"] {
        assert!(workspace.path(path).is_file(), "{path}");
    }
    workspace.ok(&["audit", "verify", "--store", "deep/er/calls.db"]);
}

#[test]
fn memory_leaves_nothing() {
    let workspace = Workspace::with_tool();
    workspace.ok(&["call", "greet_person", ADA, "--memory"]);
    assert!(!workspace.path(".aileron").exists());
}

#[test]
fn a_store_that_cannot_be_is_wrong_configuration() {
    let workspace = Workspace::with_tool();
    workspace.write("file", "x");
    workspace.write("other.db", "not a database, but longer than a header of one would be, by far");
    fs::create_dir(workspace.path("folder")).unwrap();
    for (store, expected) in [
        ("file/calls.db", "error: the folder of `file/calls.db` cannot be made: "),
        ("other.db", "error: other.db is not an Aileron store: "),
        ("folder", "error: "),
    ] {
        let run = workspace.run(&["call", "greet_person", ADA, "--store", store]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{store}");
        assert!(run.stderr.contains(expected), "{store}: {}", run.stderr);
    }
}

/// The call, with a shell's limits on what may be written.
fn limited(workspace: &Workspace, limits: &str) -> Run {
    let aileron = env!("CARGO_BIN_EXE_aileron");
    let script = format!("{limits}; exec {aileron} call greet_person '{ADA}'");
    let mut command = Command::new("sh");
    Run::of(command.args(["-c", &script]).current_dir(workspace.path(".")).output().unwrap())
}

#[test]
fn a_store_that_cannot_be_written_makes_no_call() {
    let workspace = Workspace::with_tool();
    workspace.ok(&["call", "greet_person", ADA]);
    let full = limited(&workspace, "trap '' XFSZ; ulimit -f 0");
    assert_eq!((full.code, full.stdout.as_str()), (2, ""), "{}", full.stderr);
    assert!(full.stderr.contains("error: the store cannot be written: "), "{}", full.stderr);
}

#[test]
fn a_store_that_may_only_be_read_makes_no_call() {
    let workspace = Workspace::with_tool();
    workspace.ok(&["call", "greet_person", ADA]);
    let file = workspace.path(".aileron/aileron.db");
    let mut permissions = fs::metadata(&file).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&file, permissions).unwrap();
    if fs::OpenOptions::new().write(true).open(&file).is_ok() {
        println!("skipped: this user may write every file");
        return;
    }
    let run = workspace.run(&["call", "greet_person", ADA]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{}", run.stderr);
    assert!(run.stderr.contains("error: the store cannot be written: "), "{}", run.stderr);
    workspace.ok(&["call", "greet_person", ADA, "--dry-run"]);
}

#[test]
fn a_rate_limit_holds_from_one_call_to_the_next() {
    let limit = r#""rateLimit": {"calls": 1, "windowMs": 600000, "per": "user"},"#;
    let workspace = Workspace::with_tool();
    let schema = "tools/greet-person/schema.json";
    workspace.replace(schema, "  \"idempotent\"", &format!("  {limit}\n  \"idempotent\""));
    let call = |user: &str| workspace.run(&["call", "greet_person", ADA, "--user", user]);
    assert_eq!(call("ada").json()["ok"], true);
    assert_eq!(call("ada").json()["error"]["type"], "RATE_LIMIT");
    assert_eq!(call("bob").json()["ok"], true);
    let dry = workspace.run(&["call", "greet_person", ADA, "--user", "ada", "--dry-run"]);
    assert!(dry.stdout.contains("rate_limit"), "{}", dry.stdout);
}

/// Every row of every table of the store.
fn rows(workspace: &Workspace) -> Vec<String> {
    let store = Connection::open(workspace.path(".aileron/aileron.db")).unwrap();
    let texts = |sql: &str| -> Vec<String> {
        let mut statement = store.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let tables = texts("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
    let mut all = Vec::new();
    for table in tables {
        let mut statement = store.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns = statement.column_count();
        let row = |row: &rusqlite::Row<'_>| {
            (0..columns).map(|at| row.get::<_, Value>(at)).collect::<Result<Vec<_>, _>>()
        };
        let rows = statement.query_map([], row).unwrap();
        all.extend(rows.map(|row| format!("{table} {:?}", row.unwrap())));
    }
    all
}

#[test]
fn a_dry_run_changes_no_row_of_the_store() {
    let code = "export const execute = () => ({ ok: true, data: { greeting: '' }, \
                intents: [{ type: 'START_VOICE_SESSION' }] });";
    let workspace = with_handler(code, "");
    workspace.ok(&["call", "greet_person", ADA, "--conversation", "mine", "--user", "ada"]);
    let before = rows(&workspace);
    assert!(before.iter().any(|row| row.starts_with("conversations ")), "{before:?}");
    for more in [
        &["--conversation", "fresh"][..],
        &["--conversation", "mine", "--user", "ada"],
        &["--conversation", "mine", "--user", "ada", "--mode", "voice"],
        &[],
    ] {
        let dry = workspace.ok(&[&["call", "greet_person", ADA, "--dry-run"], more].concat());
        assert!(dry.stdout.starts_with("would run with "), "{more:?}: {}", dry.stdout);
        assert_eq!(rows(&workspace), before, "{more:?}");
    }
    workspace.ok(&["call", "greet_person", ADA, "--conversation", "fresh", "--user", "ada"]);
}
