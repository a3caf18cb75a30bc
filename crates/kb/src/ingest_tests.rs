//! Files into the knowledge base.

use std::sync::Arc;

use aileron_contract::kb::Namespace;
use tempfile::TempDir;

use super::*;
use crate::change::IndexStart;
use crate::embed::FixedTable;
use crate::{KnowledgeBase, Stats};

/// Records its notifications.
#[derive(Debug, Default)]
struct Notes(Vec<String>);

impl IngestObserver for Notes {
    fn refused(&mut self, refusal: &RejectedRecord) {
        let file = refusal.place.file.file_name().unwrap().to_string_lossy();
        self.0.push(format!("{file}:{:?}", refusal.place.line));
    }
}

struct Desk {
    files: TempDir,
    _folder: TempDir,
    kb: KnowledgeBase,
}

fn desk() -> Desk {
    let (files, folder) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let kb = KnowledgeBase::at(folder.path(), Some(Arc::new(FixedTable::new())));
    Desk { files, _folder: folder, kb }
}

impl Desk {
    fn write(&self, name: &str, text: &str) {
        fs::write(self.files.path().join(name), text).unwrap();
    }

    fn ingest(&self, gone: MissingRecords) -> IngestReport {
        let change = self.kb.begin(IndexStart::Continue).unwrap();
        run(change, &[self.files.path().to_owned()], gone, &mut Notes::default()).unwrap()
    }

    fn ids(&self) -> Vec<String> {
        let mut ids = Vec::new();
        let show = |record: aileron_contract::kb::Record| {
            ids.push(record.id);
            Ok(())
        };
        self.kb.each(show).unwrap();
        ids
    }

    fn stats(&self) -> Stats {
        self.kb.stats().unwrap()
    }
}

#[test]
fn an_ingest_takes_in_what_changed_and_says_so() {
    let desk = desk();
    let dated = |text: &str| format!("---\nlast_updated: 2026-01-01\n---\n{text}");
    desk.write("a.md", &dated("First text."));
    desk.write("b.md", &dated("Second text."));
    desk.write("c.pdf", "not a record");
    let first = IngestReport { added: 2, skipped: 1, ..IngestReport::default() };
    assert_eq!(desk.ingest(MissingRecords::Keep), first);
    desk.write("b.md", &dated("Third text."));
    let second = IngestReport { changed: 1, unchanged: 1, skipped: 1, ..IngestReport::default() };
    assert_eq!(desk.ingest(MissingRecords::Keep), second);
}

#[test]
fn records_that_a_folder_lost_are_reported_and_removed_only_when_asked() {
    let desk = desk();
    desk.write("a.md", "# Alpha\n\nFirst text.");
    desk.write("b.md", "# Beta\n\nSecond text.");
    desk.ingest(MissingRecords::Keep);
    fs::remove_file(desk.files.path().join("b.md")).unwrap();
    let kept = desk.ingest(MissingRecords::Keep);
    assert_eq!((kept.gone, kept.removed), (vec!["doc:b".to_owned()], 0));
    assert_eq!(desk.ids(), ["doc:a", "doc:b"]);
    let removed = desk.ingest(MissingRecords::Remove);
    assert_eq!((removed.gone, removed.removed), (vec!["doc:b".to_owned()], 1));
    assert_eq!(desk.ids(), ["doc:a"]);
}

#[test]
fn a_file_that_cannot_be_read_takes_nothing_away() {
    let desk = desk();
    desk.write("a.md", "# Alpha\n\nFirst text.");
    desk.write("b.md", "# Beta\n\nSecond text.");
    desk.ingest(MissingRecords::Keep);
    desk.write("b.md", "---\ntitle: [broken\n---\ntext");
    let found = desk.ingest(MissingRecords::Remove);
    assert_eq!((found.refused, found.removed, found.gone), (1, 0, vec![]));
    assert_eq!(desk.ids(), ["doc:a", "doc:b"]);
}

#[test]
fn a_rehearsal_reports_the_same_and_does_nothing() {
    let desk = desk();
    desk.write("a.md", "# Alpha\n\nFirst text.");
    let paths = [desk.files.path().to_owned()];
    let dry = run(desk.kb.rehearse().unwrap(), &paths, MissingRecords::Keep, &mut Notes::default())
        .unwrap();
    assert!(!desk.kb.folder().join("records.db").exists());
    assert_eq!(desk.ingest(MissingRecords::Keep), dry);
    desk.write("b.md", "# Beta\n\nSecond text.");
    let dry = run(desk.kb.rehearse().unwrap(), &paths, MissingRecords::Keep, &mut Notes::default())
        .unwrap();
    assert_eq!((dry.added, desk.stats().records), (1, 1));
}

#[test]
fn refusals_are_told_with_their_lines() {
    let desk = desk();
    desk.write("many.jsonl", "{\"id\":\"doc:x\",\"title\":\"X\",\"text\":\"one\"}\nnot json\n");
    let mut notes = Notes::default();
    let change = desk.kb.begin(IndexStart::Continue).unwrap();
    let paths = [desk.files.path().to_owned()];
    let report = run(change, &paths, MissingRecords::Keep, &mut notes).unwrap();
    assert_eq!((report.added, report.refused), (1, 1));
    assert_eq!(notes.0, ["many.jsonl:Some(2)"]);
}

#[test]
fn the_demo_is_taken_in_without_a_refusal() {
    let desk = desk();
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo/knowledge");
    let mut notes = Notes::default();
    let change = desk.kb.begin(IndexStart::Continue).unwrap();
    let report = run(change, &[demo], MissingRecords::Keep, &mut notes).unwrap();
    assert_eq!((notes.0, report.added), (vec![], 65));
    let ids = ["person:mira_holt".to_owned()];
    let fetched = desk.kb.read(&ids, &[Namespace::Studio]).unwrap();
    assert_eq!(fetched.records[0].title, "Mira Holt");
}
