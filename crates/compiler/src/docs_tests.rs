//! Parsing of documentation, in both forms.

use super::*;
use crate::tree::Memory;

fn read_files(files: &[(&str, &str)]) -> (Option<Documentation>, Vec<&'static str>) {
    let mut tree = Memory::new("tools");
    for (name, text) in files {
        tree.insert(format!("a/{name}"), *text);
    }
    let names = files.iter().map(|(name, _)| (*name).to_owned()).collect();
    let mut found = Vec::new();
    let folder = Source::new("tools/a", "");
    let documentation = read(&tree, "a", &names, &folder, &mut found);
    (documentation, found.iter().map(|finding| finding.rule.code).collect())
}

#[test]
fn a_guide_gives_summary_and_text() {
    let (read, found) =
        read_files(&[("guide.md", "\r\n# a\r\n\r\nFirst\r\n  line.\r\n\r\n## B\r\n\r\n")]);
    let read = read.unwrap();
    assert_eq!(read.form, DocsForm::Guide);
    assert_eq!(read.summary, "First line.");
    assert_eq!(read.text, "# a\n\nFirst\n  line.\n\n## B\n");
    assert_eq!(read.source.path, "tools/a/guide.md");
    assert!(found.is_empty());
}

#[test]
fn the_two_file_form_gives_the_summary_of_one_and_the_text_of_the_other() {
    let (read, found) = read_files(&[("doc.md", "# A\n"), ("doc_summary.md", "One\ntwo.\n")]);
    let read = read.unwrap();
    assert_eq!(read.form, DocsForm::TwoFiles);
    assert_eq!((read.summary.as_str(), read.text.as_str()), ("One two.", "# A\n"));
    assert_eq!(read.source.path, "tools/a/doc.md");
    assert_eq!(read.summary_source.unwrap().path, "tools/a/doc_summary.md");
    assert!(found.is_empty());
}

#[test]
fn a_guide_wins_over_the_other_form() {
    let (read, found) = read_files(&[("doc.md", "# A\n"), ("guide.md", "# a\n\nSummary.")]);
    assert_eq!(read.unwrap().summary, "Summary.");
    assert_eq!(found, ["AIL-D002"]);
}

#[test]
fn a_file_that_cannot_be_read_is_not_called_missing() {
    let mut tree = Memory::new("tools");
    tree.insert("a/guide.md", [0xff, 0xfe]);
    let mut found = Vec::new();
    let names = ["guide.md".to_owned()].into();
    assert!(read(&tree, "a", &names, &Source::new("tools/a", ""), &mut found).is_none());
    let codes: Vec<_> = found.iter().map(|finding| finding.rule.code).collect();
    assert_eq!(codes, ["AIL-F004"]);
}

#[test]
fn an_empty_guide_has_neither_summary_nor_text() {
    let (read, found) = read_files(&[("guide.md", " \n\n")]);
    let read = read.unwrap();
    assert_eq!((read.summary.as_str(), read.text.as_str()), ("", ""));
    assert_eq!(found, ["AIL-D005"]);
}
