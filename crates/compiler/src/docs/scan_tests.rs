//! Markdown of every shape is taken apart, and no text is too strange for it.

use proptest::prelude::*;

use super::*;

#[test]
fn headings_are_found_outside_of_code_and_quotes() {
    let outline = parse("# A `b`\n\n```\n# no\n```\n> # no\n\nTwo\n---\n### Three (x): ###\n");
    let headings: Vec<_> = outline.headings.iter().map(|h| (h.level, h.title.as_str())).collect();
    assert_eq!(headings, [(1, "A b"), (2, "Two"), (3, "Three (x):")]);
    assert_eq!(outline.headings[2].folded(), "three");
}

#[track_caller]
fn check_lead(text: &str, expected: Option<&str>) {
    let outline = parse(text);
    assert_eq!(outline.lead.map(|span| &text[span]), expected, "{text}");
}

#[test]
fn the_lead_is_the_paragraph_below_the_title() {
    check_lead("# a\n\nOne\ntwo.\n\nThree.", Some("One\ntwo."));
    check_lead("# a\nOne.", Some("One."));
    check_lead("One.\n\n# a\n\nTwo.", Some("Two."));
    check_lead("One.", Some("One."));
    check_lead("# a\n<!-- note -->\n\nOne.", Some("One."));
    check_lead("# a\n\n## b\n\nOne.", None);
    check_lead("# a\n\n> One.\n\nTwo.", None);
    check_lead("# a\n\n* * *\n\nOne.", Some("One."));
    check_lead("", None);
}

#[test]
fn sections_end_with_the_next_heading_of_their_level() {
    let text =
        "# a\n## Example:\n```json\n1\n```\n### Deep\n```json\n2\n```\n## Other\n```json\n3\n```\n";
    let fences: Vec<_> = parse(text).fences.into_iter().map(|f| (f.example, f.text)).collect();
    assert_eq!(fences, [(true, "1\n".into()), (true, "2\n".into()), (false, "3\n".into())]);
}

#[test]
fn a_fence_knows_where_its_text_stands() {
    let text = "- x\n\n  ```JSON lines\n  é1\n   2\n  ```\n";
    let fence = parse(text).fences.remove(0);
    assert_eq!((fence.language.as_str(), fence.text.as_str()), ("json", "é1\n 2\n"));
    let digit = fence.text.find('2').unwrap();
    assert_eq!(&text[fence.locate(&(digit..digit + 1))], "2");
    assert_eq!(&text[fence.locate(&(0..2))], "é");
    assert_eq!(fence.locate(&(0..9_999)).end, fence.span.end);
}

#[test]
fn names_know_the_entry_they_stand_below() {
    let text =
        "## Parameters\n- `a`, `b`: `c`\n  - `d`\n- x `e`\n\n### `f`\n- `g`\n## Other\n- `h`\n";
    let names = parse(text).names;
    let names: Vec<_> = names.iter().map(|n| (n.text.as_str(), n.parent)).collect();
    assert_eq!(names, [("a", None), ("b", None), ("d", Some(0)), ("f", None), ("g", Some(3))]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_text_can_be_taken_apart(
        pieces in prop::collection::vec(
            prop_oneof![
                Just("# "), Just("## Examples\n"), Just("## Parameters\n"), Just("```json\n"),
                Just("```\n"), Just("- "), Just("  "), Just("\t"), Just("> "), Just("`a`"),
                Just("`"), Just("| a | b |\n|-|-|\n"), Just("\n"), Just("é"), Just("{\"a\": 1}"),
                Just("<!-- "), Just("**"), Just("1. "), Just("\\"), Just("[x]: y"), Just("text"),
            ],
            0..60,
        ),
        noise in ".{0,40}",
    ) {
        let text = format!("{}{noise}", pieces.concat());
        let outline = parse(&text);
        let codes = outline.codes.iter().map(|code| code.span.clone());
        let headings = outline.headings.iter().map(|heading| heading.span.clone());
        for span in codes.chain(headings).chain(outline.lead.clone()) {
            prop_assert!(text.get(span).is_some());
        }
        for fence in &outline.fences {
            let whole = fence.locate(&(0..fence.text.len()));
            prop_assert!(whole.end <= text.len() && whole.start <= whole.end);
        }
    }
}
