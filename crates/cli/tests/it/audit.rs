//! `aileron audit` over a store that others write.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use aileron_contract::{AuditRecord, ErrorType};
use aileron_store::Store;
use serde_json::{Value, json};

use crate::records::{self, call, complete, evening, filled, open, refuse, sql};
use crate::workspace::{Run, Workspace};

/// The numbers of the records that a command prints as JSON lines.
fn numbers(run: &Run) -> Vec<u64> {
    let records = run.stdout.lines().map(|line| serde_json::from_str::<AuditRecord>(line).unwrap());
    records.map(|record| record.seq).collect()
}

#[test]
fn tail_prints_aligned_lines() {
    let run = filled().ok(&["audit", "tail"]);
    snapbox::assert_data_eq!(run.stdout, snapbox::file!["snapshots/audit_tail.txt"]);
    assert_eq!(run.stderr, "");
}

#[test]
fn tail_has_colour_only_when_asked_for_or_on_a_terminal() {
    let workspace = filled();
    assert!(!workspace.ok(&["audit", "tail"]).stdout.contains('\u{1b}'));
    let coloured = workspace.ok(&["audit", "tail", "--color", "always"]).stdout;
    assert!(coloured.contains("\u{1b}[32mcompleted\u{1b}[0m"), "{coloured}");
    assert!(!coloured.contains("\u{1b}[31mfind"), "{coloured}");
}

#[test]
fn tail_prints_the_newest() {
    let workspace = filled();
    let tail = |count| numbers(&workspace.ok(&["audit", "tail", "-n", count, "--format", "json"]));
    assert_eq!(tail("2"), [5, 6]);
    assert_eq!(tail("0"), [0; 0]);
    assert_eq!(tail("100"), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn tail_and_export_take_the_same_filters() {
    let workspace = filled();
    for (filter, expected) in [
        (&["--since", "2027-01-15T08:00:05Z"][..], &[5, 6][..]),
        (&["--until", "2027-01-15T09:00:02+01:00"], &[1]),
        (&["--since", "3d", "--tool", "none"], &[]),
        (&["--conversation", "evening"], &[4, 5]),
        (&["--tool", "kb_search"], &[1, 2, 3]),
        (&["--user", "ada"], &[1, 2, 3, 6]),
        (&["--outcome", "refused"], &[3, 6]),
        (&["--outcome", "refused:loops"], &[3]),
        (&["--outcome", "completed", "--user", "ada"], &[1, 2]),
        (&["--outcome", "timed_out"], &[5]),
    ] {
        let tail = [&["audit", "tail", "--format", "json"], filter].concat();
        let export = [&["audit", "export"], filter].concat();
        for args in [tail, export] {
            assert_eq!(numbers(&workspace.ok(&args)), expected, "{args:?}");
        }
    }
}

#[test]
fn a_filter_that_nothing_passes_says_so() {
    let workspace = filled();
    for command in [&["audit", "tail"][..], &["audit", "export"], &["stats"]] {
        let run = workspace.ok(&[command, &["--tool", "none"]].concat());
        assert_eq!(run.stdout, "");
        assert_eq!(run.stderr, "no record fits; leave out a filter to see more\n");
    }
}

#[test]
fn an_empty_log_says_so() {
    let workspace = Workspace::new();
    drop(open(&workspace));
    for command in [&["audit", "tail"][..], &["audit", "export"], &["stats"]] {
        let run = workspace.ok(command);
        assert_eq!(run.stdout, "");
        assert_eq!(run.stderr, "there are no records yet; each call leaves one\n");
    }
    let stats = workspace.ok(&["stats", "--format", "json"]).json();
    assert_eq!((&stats["tools"], &stats["totals"]["calls"]), (&json!([]), &json!(0)));
    assert_eq!(workspace.ok(&["audit", "verify", "--format", "json"]).json()["records"], 0);
}

#[test]
fn show_prints_one_record_whole() {
    let workspace = filled();
    let run = workspace.ok(&["audit", "show", "1"]);
    snapbox::assert_data_eq!(run.stdout.as_str(), snapbox::file!["snapshots/audit_show.txt"]);
    assert_eq!(workspace.ok(&["audit", "show", "call-1"]).stdout, run.stdout);
    let json = workspace.ok(&["audit", "show", "1", "--format", "json"]).json();
    assert_eq!((&json["toolId"], &json["resultBytes"]), (&json!("kb_search"), &json!(29)));
}

#[test]
fn show_says_what_was_left_out_and_tames_names() {
    let workspace = filled();
    let large = workspace.ok(&["audit", "show", "4"]).stdout;
    assert!(large.contains("\nresult        left out: 5002 bytes\n"), "{large}");
    let odd = workspace.ok(&["audit", "show", "6"]).stdout;
    assert!(odd.contains("\ntool          kb_\\u{1b}[31mfind (no such tool)\n"), "{odd}");
}

#[test]
fn show_asks_back_when_a_call_id_is_not_enough() {
    let workspace = filled();
    let store = open(&workspace);
    refuse(&store, evening(call("kb_get", 1)), "mode", ErrorType::ModeRestricted);
    drop(store);
    let run = workspace.run(&["audit", "show", "call-1"]);
    let expected = "error: call \"call-1\" has several records; show one of 1, 7\n";
    assert_eq!((run.code, run.stderr.as_str()), (2, expected));
    for word in ["99", "0", "call-99"] {
        let run = workspace.run(&["audit", "show", word]);
        assert_eq!(run.code, 2);
        assert!(run.stderr.starts_with(&format!("error: there is no record {word:?}")));
    }
}

#[test]
fn verify_prints_count_base_and_head() {
    let run = filled().ok(&["audit", "verify"]);
    snapbox::assert_data_eq!(run.stdout, snapbox::file!["snapshots/audit_verify.txt"]);
    assert!(run.stderr.starts_with("the chain is whole"), "{}", run.stderr);
}

#[test]
fn verify_counts_from_what_was_pruned() {
    let workspace = filled();
    let store = open(&workspace);
    store.prune_audit(records::START + 3000).wait().unwrap();
    drop(store);
    let verdict = workspace.ok(&["audit", "verify", "--format", "json"]).json();
    assert_eq!((&verdict["ok"], &verdict["records"]), (&json!(true), &json!(4)));
    assert_eq!((&verdict["base"]["seq"], &verdict["head"]["seq"]), (&json!(2), &json!(6)));
}

#[test]
fn verify_names_the_first_broken_record() {
    let workspace = filled();
    let tamper = "DROP TRIGGER audit_is_never_changed;
                  UPDATE audit SET body = replace(body, 'flaps', 'slats') WHERE seq IN (3, 6)";
    sql(&workspace).execute_batch(tamper).unwrap();
    let run = workspace.run(&["audit", "verify"]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    let named = "audit record 3 is broken: its content hashes to ";
    assert!(run.stdout.starts_with(named), "{}", run.stdout);
    let run = workspace.run(&["audit", "verify", "--format", "json"]);
    assert_eq!((run.code, &run.json()["broken"]["seq"]), (1, &json!(3)));
}

#[test]
fn an_exported_record_carries_its_proof() {
    let run = filled().ok(&["audit", "export"]);
    let mut previous = None;
    for line in run.stdout.lines() {
        let mut record: Value = serde_json::from_str(line).unwrap();
        let hash = record.as_object_mut().unwrap().remove("hash").unwrap();
        assert_eq!(hash, json!(aileron_contract::ContentHash::of_value(&record)));
        assert!(previous.is_none_or(|previous| previous == record["previous"]));
        previous = Some(hash);
    }
    assert_eq!(run.stdout.lines().count(), 6);
}

#[test]
fn export_writes_a_file_that_was_not_there() {
    let workspace = filled();
    let to_stdout = workspace.ok(&["audit", "export"]).stdout;
    let run = workspace.ok(&["audit", "export", "--out", "log.jsonl"]);
    assert_eq!(run.stderr, "6 records written to log.jsonl\n");
    assert_eq!((run.stdout.as_str(), workspace.read("log.jsonl")), ("", to_stdout));
    for taken in ["log.jsonl", ".aileron/aileron.db"] {
        let again = workspace.run(&["audit", "export", "--out", taken]);
        assert_eq!(again.code, 2);
        assert!(again.stderr.contains("exists already; name another file"), "{}", again.stderr);
    }
    workspace.ok(&["audit", "verify"]);
}

#[test]
fn an_export_that_fails_leaves_no_file() {
    let workspace = filled();
    let tamper = "DROP TRIGGER audit_is_never_changed; UPDATE audit SET body = '{' WHERE seq = 3";
    sql(&workspace).execute_batch(tamper).unwrap();
    let run = workspace.run(&["audit", "export", "--out", "log.jsonl"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.starts_with("error: the store is damaged: "), "{}", run.stderr);
    assert!(!workspace.path("log.jsonl").exists());
}

#[test]
fn a_file_that_is_no_store_is_wrong_usage() {
    let workspace = Workspace::new();
    workspace.write("text.db", "tools: kb_search\n".repeat(100));
    workspace.write("empty.db", "");
    drop(open(&workspace));
    sql(&workspace).pragma_update(None, "user_version", 99).unwrap();
    for (store, why) in [
        ("none.db", "error: there is no store at none.db; the first call makes it"),
        ("text.db", "error: text.db is not an Aileron store: expected an SQLite database"),
        ("empty.db", "error: empty.db is not an Aileron store: "),
        (".", "error: . is not an Aileron store: expected a file, found a folder"),
        (".aileron/aileron.db", "error: .aileron/aileron.db has format 99"),
    ] {
        for command in [&["audit", "tail"][..], &["audit", "verify"], &["stats"]] {
            let run = workspace.run(&[command, &["--store", store]].concat());
            assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{store}");
            assert!(run.stderr.starts_with(why), "{}", run.stderr);
        }
    }
    assert!(!workspace.path("none.db").exists());
}

#[test]
fn wrong_words_are_wrong_usage() {
    let workspace = filled();
    for (args, why) in [
        (&["--since", "yesterday"][..], "expected a moment such as 2027-01-15T08:00:00Z"),
        (&["--since", "1h", "--until", "2h"], "--since must be before --until"),
        (&["--outcome", "lost"], "an outcome must be completed"),
        (&["--conversation", ""], "a conversation id must be"),
        (&["--user", "\u{1b}"], "a user id must be"),
        (&["-n", "many"], "invalid value"),
        (&["--follow", "--until", "1h"], "cannot be used with"),
    ] {
        let run = workspace.run(&[&["audit", "tail"], args].concat());
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}");
        assert!(run.stderr.contains(why), "{}", run.stderr);
    }
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    let workspace = filled();
    for args in [&["audit", "export"][..], &["audit", "tail", "--follow"]] {
        let mut child = workspace.command().args(args).stdout(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        // The command may have printed before the pipe was closed.
        refuse(&open(&workspace), call("kb_get", 70), "mode", ErrorType::ModeRestricted);
        assert_eq!(child.wait().unwrap().code(), Some(0), "{args:?}");
    }
}

/// A `tail --follow` and the lines it prints.
struct Follow {
    child: Child,
    lines: Receiver<String>,
}

impl Follow {
    fn start(workspace: &Workspace, args: &[&str]) -> Self {
        let mut command = workspace.command();
        command.args(["audit", "tail", "--follow"]).args(args);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            stdout.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Self { child, lines }
    }

    fn next(&self) -> String {
        self.lines.recv_timeout(Duration::from_secs(60)).expect("no line came")
    }

    /// Presses Ctrl-C and says how the command ended.
    fn interrupt(mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Follow {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn follow_sees_what_another_process_appends_until_ctrl_c() {
    let workspace = filled();
    let follow = Follow::start(&workspace, &["-n", "1"]);
    assert!(follow.next().starts_with("RECORD  TIME "));
    assert!(follow.next().starts_with("     6  2027-01-15T08:00:06.000Z  morning "));
    let store = open(&workspace);
    complete(&store, call("kb_get", 7), 9, json!(1));
    assert!(follow.next().starts_with("     7  2027-01-15T08:00:07.000Z  morning "));
    complete(&store, call("kb_get", 8), 9, json!(1));
    assert!(follow.next().starts_with("     8  "));
    assert_eq!(follow.interrupt(), Some(0));
}

#[test]
fn follow_passes_what_does_not_fit() {
    let workspace = filled();
    let filter = ["--conversation", "evening", "--format", "json", "-n", "1"];
    let follow = Follow::start(&workspace, &filter);
    let seq = |line: String| serde_json::from_str::<AuditRecord>(&line).unwrap().seq;
    assert_eq!(seq(follow.next()), 5);
    let store = open(&workspace);
    complete(&store, call("kb_get", 7), 9, json!(1));
    complete(&store, evening(call("kb_get", 8)), 9, json!(1));
    assert_eq!(seq(follow.next()), 8);
    assert_eq!(follow.interrupt(), Some(0));
}
