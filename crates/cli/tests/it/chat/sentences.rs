//! How the offline agent behaves, to be read: sentences in, tools and answers out, over the demo's
//! knowledge base and the shipped tools. `SNAPSHOTS=overwrite` writes down what it does.

use std::process::Command;

use super::demo;
use crate::workspace::Workspace;

const SENTENCES: &str = include_str!("sentences.txt");

/// The end of the heading of a conversation in voice mode.
const VOICE: &str = " (voice)";

/// Letters of ids and moments.
const ID: &str = "abcdefghijklmnopqrstuvwxyz0123456789-TZ:";
const MOMENT: &str = "0123456789-T:+Z";
/// Letters of paths, and those of a date as a question has it: `Tue 17 Nov 2026, 10:00 to 10:30 (UTC), `.
const PATH: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./";
const DATE: &str = "MonTueWdhFriSatJbvAugcepDyNOlR0123456789 ,:()UTC";
const DAYS: &[&str] = &["Mon", "Tues", "Wednes", "Thurs", "Fri", "Satur", "Sun"];

#[test]
fn sentences_are_answered_as_written_down() {
    let workspace = demo();
    let conversations = SENTENCES.split("# ").skip(1);
    let held: Vec<String> = conversations.map(|lines| held(&workspace, lines)).collect();
    let expected = snapbox::file!["../snapshots/offline_sentences.txt"];
    snapbox::assert_data_eq!(held.join("\n"), expected.raw());
}

/// One conversation, as somebody at a pipe sees it.
fn held(workspace: &Workspace, conversation: &str) -> String {
    let (heading, lines) = conversation.split_once('\n').unwrap();
    let mode = if heading.ends_with(VOICE) { "voice" } else { "text" };
    workspace.write("lines.txt", format!("{}\n", lines.trim_end()));
    let aileron = env!("CARGO_BIN_EXE_aileron");
    let script =
        format!("{aileron} chat --provider offline --memory --mode {mode} < lines.txt 2>&1");
    let output =
        Command::new("sh").args(["-c", &script]).current_dir(workspace.path(".")).output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    let shown = shown.lines().skip(1).filter(|line| !line.starts_with("  … ")).map(steady);
    format!("# {heading}\n{}\n", shown.collect::<Vec<_>>().join("\n"))
}

/// A line without what differs from run to run: times, ids, and results that are made of them.
fn steady(line: &str) -> String {
    let result = line.split_once(": {").filter(|_| line.starts_with("  "));
    if let Some((tool, _)) = result {
        return format!("{tool}: {{…}}");
    }
    let marks = [("draft-", ID), ("img_", ID), ("\"20", MOMENT), ("file://", PATH), ("\", ", DATE)];
    let line =
        marks.iter().fold(line.to_owned(), |line, (mark, letters)| masked(&line, mark, letters));
    if let Some(start) = ["It is ", "Booked: "].iter().find(|start| line.starts_with(**start)) {
        return format!("{start}…");
    }
    match line.split_once(". ") {
        Some((number, time)) if DAYS.iter().any(|day| time.starts_with(day)) => {
            format!("{number}. …")
        }
        _ => line,
    }
}

/// The text without the run of these letters that follows a mark.
fn masked(text: &str, mark: &str, letters: &str) -> String {
    let mut parts = text.split(mark);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let rest = part.trim_start_matches(|letter| letters.contains(letter));
        format!("{text}{mark}…{rest}")
    })
}
