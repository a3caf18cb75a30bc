//! Documentation that is as it should be, and every way in which it is not.

use proptest::prelude::*;
use serde_json::json;

use super::sample::{Sample, parameters};

const FAMILY: &str = "AIL-D";

/// A guide with that body below its title and summary.
fn guide(body: &str) -> Sample {
    let named = "Takes `query`, `top_k` and `filters`.";
    let example = "## Examples\n\n```json\n{\"query\": \"x\"}\n```\n";
    let text = format!("# kb_search\n\n{named}\n\n{body}\n\n{example}");
    Sample::new().file("guide.md", &text)
}

/// A guide with that block as its only example.
fn example(block: &str) -> Sample {
    let text =
        format!("# kb_search\n\nUse `query`, `top_k`, `filters`.\n\n## Examples\n\n{block}\n");
    Sample::new().file("guide.md", &text)
}

fn two_files(doc: &str, summary: &str) -> Sample {
    Sample::new().without("guide.md").file("doc.md", doc).file("doc_summary.md", summary)
}

const DOC: &str = "# Search\n\nOf `query`, `top_k`, `filters`.\n\n## Summary\nx\n## Preconditions\nx\n\
    ## Postconditions\nx\n## Invariants\nx\n## Failure Modes\nx\n## Examples\n\
    ### One\n```json\n{\"query\": \"x\"}\n```\n## Common Mistakes (Do Not)\nx\n";

#[test]
fn a_good_guide_has_no_findings() {
    Sample::new().check(FAMILY, &[]);
}

#[test]
fn a_good_two_file_form_has_no_findings() {
    two_files(DOC, "Searches.\n").check(FAMILY, &[]);
}

#[test]
fn no_documentation_is_reported() {
    Sample::new().without("guide.md").check(
        FAMILY,
        &["D001 directory has no documentation: expected `guide.md` => write `guide.md`: the tool's id as title, a summary, parameters and examples"],
    );
    Sample::new().without("guide.md").file("Guide.md", "# kb_search").check(
        FAMILY,
        &["D001 directory has no documentation: expected `guide.md` => rename `Guide.md` to `guide.md`"],
    );
}

#[test]
fn both_forms_at_once_are_reported() {
    Sample::new().file("doc.md", DOC).check(
        FAMILY,
        &["D002 expected one form of documentation, found `guide.md` beside `doc.md` => keep `guide.md` and delete `doc.md`, or the other way round"],
    );
    Sample::new().file("doc.md", DOC).file("doc_summary.md", "x").check(
        FAMILY,
        &["D002 expected one form of documentation, found `guide.md` beside `doc_summary.md` and `doc.md` => keep `guide.md` and delete `doc_summary.md` and `doc.md`, or the other way round"],
    );
}

#[test]
fn half_of_the_two_file_form_is_reported_and_the_half_is_checked() {
    two_files(DOC, "x").without("doc_summary.md").check(
        FAMILY,
        &["D003 `doc_summary.md` is missing beside `doc.md` => write `doc_summary.md`, or move everything to `guide.md`"],
    );
    two_files(DOC, "").without("doc.md").check(
        FAMILY,
        &[
            "D003 `doc.md` is missing beside `doc_summary.md` => write `doc.md`, or move everything to `guide.md`",
            "D005 doc_summary.md expected a summary, found an empty file => say in at most 250 characters what the tool does and when to call it",
        ],
    );
}

#[test]
fn the_title_is_the_tools_id() {
    let good = "\n\nSearches by `query`, `top_k`, `filters`.\n\n## Examples\n```json\n{\"query\": \"x\"}\n```\n";
    let titled = |title: &str| Sample::new().file("guide.md", &format!("{title}{good}"));
    titled("# `kb_search`").check(FAMILY, &[]);
    titled("kb_search\n=========").check(FAMILY, &[]);
    titled("# Search").check(
        FAMILY,
        &["D004 guide.md:1 expected the title `# kb_search`, found `# Search` => write `# kb_search` as the first line"],
    );
    titled("# Search").check_places(FAMILY, &["# Search"]);
    titled("## kb_search").check(
        FAMILY,
        &["D004 guide.md:1 expected the title `# kb_search`, found `## kb_search` => write `# kb_search` as the first line"],
    );
    Sample::new().file("guide.md", "Search by `query`, `top_k`, `filters`.").check(
        FAMILY,
        &[
            "D004 guide.md expected the title `# kb_search`, found no heading => write `# kb_search` as the first line",
            "D012 guide.md expected an example call, found no `json` block under an Examples heading => add a fenced `json` block with an argument object under `## Examples`",
        ],
    );
}

#[test]
fn a_guide_without_summary_is_reported() {
    for body in ["## Parameters\n\nx", "- a list\n\nx", "```text\nx\n```\nx", "", "| a |\n|-|\n"] {
        let found =
            Sample::new().file("guide.md", &format!("# kb_search\n\n{body}")).findings(FAMILY);
        assert_eq!(found[0].message, "expected a paragraph right below the title, found none");
        assert_eq!(found[0].rule.code, "AIL-D005", "{body}");
    }
}

#[test]
fn summaries_are_counted_in_characters_with_white_space_folded() {
    let long = |count: usize| format!("{}\n  {}", "é".repeat(100), "ü".repeat(count - 101));
    let body = "\n\n`query` `top_k` `filters`\n\n## Examples\n```json\n{\"query\": \"x\"}\n```";
    let of =
        |count| Sample::new().file("guide.md", &format!("# kb_search\n\n{}{body}", long(count)));
    of(250).check(FAMILY, &[]);
    of(251).check(
        FAMILY,
        &["D006 guide.md:3 summary has 251 characters, expected at most 250 => keep what the tool does and when to call it; move the rest to a separate section"],
    );
    of(251).check_places(FAMILY, &[&long(251)]);
    let found = two_files(DOC, &format!("\n{}\n", long(300))).findings(FAMILY);
    assert_eq!(found[0].message, "summary has 300 characters, expected at most 250");
    assert_eq!(found[0].position().line, 2);
}

#[test]
fn every_missing_section_is_named() {
    let doc = "# Search `query` `top_k` `filters`\n\n## summary:\n## Precondtions\n### Invariants\n\
        ## Examples\n```json\n{\"query\": \"x\"}\n```\n```text\n## Failure Modes\n```\n## Other\n";
    two_files(doc, "x").check(
        FAMILY,
        &[
            "D007 doc.md section `## Common Mistakes` is missing => write it, with `## Common Mistakes` as its heading",
            "D007 doc.md section `## Failure Modes` is missing => write it, with `## Failure Modes` as its heading",
            "D007 doc.md section `## Postconditions` is missing => write it, with `## Postconditions` as its heading",
            "D007 doc.md:4 section `## Preconditions` is missing => did you mean line 4, `## Precondtions`?",
            "D007 doc.md:5 section `## Invariants` is missing => did you mean line 5, `### Invariants`?",
        ],
    );
}

#[test]
fn examples_that_are_not_json_are_pointed_into() {
    let broken = example("```json\n{\n  \"query\": \"x\",\n}\n```");
    broken.check(
        FAMILY,
        &["D008 guide.md:10 example cannot be read: expected JSON: trailing comma => correct it, or fence a block that is no argument object as `jsonc` or `text`"],
    );
    broken.check_places(FAMILY, &["}"]);
    example("- item\n\n  ```json\n  {\n    \"query\": nope\n  }\n  ```")
        .check_places(FAMILY, &["o"]);
    example("```json\n```").check(
        FAMILY,
        &["D008 guide.md:7 example cannot be read: expected JSON: EOF while parsing a value => correct it, or fence a block that is no argument object as `jsonc` or `text`"],
    );
    let deep = format!("```json\n{}\n```", "[".repeat(5_000));
    let found = example(&deep).findings(FAMILY);
    assert_eq!(found[0].message, "example cannot be read: JSON is nested deeper than 127 levels");
}

#[test]
fn a_key_that_stands_twice_in_an_example_is_reported() {
    let twice = example("```json\n{\"query\": \"x\", \"query\": \"y\"}\n```");
    twice.check(
        "AIL-J002",
        &["J002 guide.md:8 key `query` stands twice in an example => keep one of the two"],
    );
    twice.check_places("AIL-J002", &["\"query\""]);
}

#[test]
fn examples_that_do_not_fit_are_reported_fault_by_fault() {
    let wrong = example(
        "```json\n{\n  \"top_k\": 11,\n  \"filters\": { \"typ\": \"person\" },\n  \"extra\": 1\n}\n```",
    );
    wrong.check(
        FAMILY,
        &[
            "D009 guide.md:8 example does not fit `parameters`: `query` is required => correct the example, or the schema if the example is right",
            "D009 guide.md:9 example does not fit `parameters` at `/top_k`: expected at most 10, found 11 => correct the example, or the schema if the example is right",
            "D009 guide.md:10 example does not fit `parameters` at `/filters`: unknown property `typ` => did you mean `type`?",
            "D009 guide.md:11 example does not fit `parameters`: unknown property `extra` => correct the example, or the schema if the example is right",
        ],
    );
    wrong.check_places(FAMILY, &["{", "11", "\"typ\"", "\"extra\""]);
    let pointers: Vec<_> = wrong.findings(FAMILY).into_iter().map(|f| f.pointer.unwrap()).collect();
    assert_eq!(pointers, ["", "/top_k", "/filters/typ", "/extra"]);
}

#[test]
fn examples_in_lists_and_quotes_are_pointed_into() {
    example("1. First:\n\n   ```json\n   {\n     \"query\": \"\"\n   }\n   ```")
        .check_places(FAMILY, &["\"\""]);
    example("> ```json\n> {\n>   \"query\": 5\n> }\n> ```").check_places(FAMILY, &["5"]);
    example("```json\n{ \"query\": \"é\", \"top_k\": 0 }\n```").check_places(FAMILY, &["0"]);
}

#[test]
fn a_response_is_told_apart_by_its_fence() {
    let response = "```json\n{ \"ok\": true }\n```";
    let help = "every `json` block under Examples is an argument object; fence a response as `jsonc` or `text`";
    example(response).check(
        FAMILY,
        &[
            &format!(
                "D009 guide.md:8 example does not fit `parameters`: `query` is required => {help}"
            ),
            &format!(
                "D009 guide.md:8 example does not fit `parameters`: unknown property `ok` => {help}"
            ),
        ],
    );
    let fine = "```json\n{ \"query\": \"x\" }\n```\n";
    example(&format!("{fine}\n```jsonc\n{{ \"ok\": true }}\n```")).check(FAMILY, &[]);
    example(&format!("{fine}\n```\nnot json\n```\n\n    indented")).check(FAMILY, &[]);
    example(&format!("{fine}\n## Watch Out\n```json\nnot json\n```")).check(FAMILY, &[]);
    example(&format!("### Deeper\n{fine}\n```JSON title=x\nnot json\n```"))
        .check_places(FAMILY, &["o"]);
}

#[test]
fn names_in_the_parameters_section_must_exist() {
    guide("## Parameters\n\n- `quary` (required): words\n- **`top_k`**: fine\n").check(
        FAMILY,
        &["D010 guide.md:7 `quary` is named as a parameter, but `parameters` have no such property => did you mean `query`?"],
    );
    guide("## Parameters\n\n- `quary`: words").check_places(FAMILY, &["`quary`"]);
    guide("## Parameters\n\n- `filters.tgas`: words\n- `filters.tags[].name`: words").check(
        FAMILY,
        &[
            "D010 guide.md:7 `filters.tgas` is named as a parameter, but `parameters` have no such property => did you mean `filters.tags`?",
            "D010 guide.md:8 `filters.tags[].name` is named as a parameter, but `parameters` have no such property => write the name as `parameters` spell it, or remove the entry",
        ],
    );
}

#[test]
fn nested_entries_may_leave_out_their_parent() {
    guide("## Parameters\n\n- `filters`: conditions\n  - `type`: one of\n    - `person`: somebody\n    - `doc`\n  - `tags`\n    - `new`\n").check(FAMILY, &[]);
    guide("## Parameters\n\n### `filters`\n\n- `type`: kind\n").check(FAMILY, &[]);
    guide("## Parameters\n\n- `filters`: conditions\n  - `typ`: kind\n").check(
        FAMILY,
        &["D010 guide.md:8 `typ` is named as a parameter, but `parameters` have no such property => did you mean `type`?"],
    );
    guide("## Parameters\n\n- `filter`: conditions\n  - `type`: kind\n").check(
        FAMILY,
        &["D010 guide.md:7 `filter` is named as a parameter, but `parameters` have no such property => did you mean `filters`?"],
    );
}

#[test]
fn tables_and_pairs_of_names_are_read() {
    guide("## Parameters\n\n| name | use |\n|-|-|\n| `query` | `x` |\n| `topk` | y |\n").check(
        FAMILY,
        &["D010 guide.md:10 `topk` is named as a parameter, but `parameters` have no such property => did you mean `top_k`?"],
    );
    guide("## Arguments\n\n- `query`, `start` and `end`: words\n- `top_k`: `word`\n")
        .check_places(FAMILY, &["`start`", "`end`"]);
}

#[test]
fn codes_that_name_no_parameter_are_left_alone() {
    guide("## Parameters\n\n- `\"person\"`\n- `true`\n- `5`\n- Use `foo` here\n- `a b`\n\n`bar` is text.\n\n## Watch Out\n\n- `kb_get` is faster\n").check(FAMILY, &[]);
}

#[test]
fn open_parameters_may_hold_anything() {
    let open = json!({"type": "object", "additionalProperties": false, "properties": {
        "query": {"type": "string", "description": "x"}, "filters": {"type": "object", "description": "x"},
        "top_k": {"description": "x"}}});
    guide("## Parameters\n\n- `filters.anything.at.all`\n- `filters`\n  - `whatever`\n")
        .with(json!({"parameters": open}))
        .check(FAMILY, &[]);
}

#[test]
fn parameters_that_are_named_nowhere_are_a_warning() {
    let text = "# kb_search\n\nSearch with `query: \"x\"` and `filters.type`.\n\n## Parameters\n\n## Examples\n```json\n{\"query\": \"x\", \"top_k\": 1}\n```\n";
    Sample::new().file("guide.md", text).check(
        FAMILY,
        &["D011 guide.md:5 parameter `top_k` is named nowhere in the documentation => say what it is for, with its name in backticks: `` `top_k` ``"],
    );
}

#[test]
fn a_tool_without_examples_is_a_warning() {
    let text = "# kb_search\n\nTakes `query`, `top_k`, `filters`.\n\n## Examples\n\nNone.\n";
    Sample::new().file("guide.md", text).check(
        FAMILY,
        &["D012 guide.md:5 expected an example call, found no `json` block under an Examples heading => add a fenced `json` block with an argument object under `## Examples`"],
    );
    let none = json!({"type": "object", "additionalProperties": false, "properties": {}});
    Sample::new().file("guide.md", text).with(json!({"parameters": none})).check(FAMILY, &[]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_guide_is_checked_without_a_crash(
        pieces in prop::collection::vec(
            prop_oneof![
                Just("# kb_search\n\n"), Just("## Examples\n"), Just("## Parameters\n"),
                Just("```json\n"), Just("```\n"), Just("- `filters`\n"), Just("  - `type`\n"),
                Just("> "), Just("`a.b[].c`"), Just("| `x` | b |\n|-|-|\n| `y` | z |\n"),
                Just("\n"), Just("é"), Just("{\"query\": 1"), Just("}"), Just("{\"query\": \"\"}"),
                Just("[1, {\"a\": 2}]\n"), Just("text"), Just("1. "), Just("\t"),
            ],
            0..40,
        ),
        noise in ".{0,40}",
    ) {
        let text = format!("{}{noise}", pieces.concat());
        for finding in Sample::new().file("guide.md", &text).findings("AIL") {
            let place = finding.span.clone().unwrap_or_default();
            prop_assert!(place.end <= finding.source.text.len(), "{finding:?}");
        }
    }
}

#[test]
fn an_example_may_leave_out_what_has_a_default() {
    let mut parameters = parameters();
    parameters["required"] = json!(["query", "top_k"]);
    parameters["properties"]["top_k"]["default"] = json!(5);
    let cases = r#"[{ "name": "a", "args": { "query": "x" }, "expect": { "ok": true } },
      { "name": "b", "args": { "query": "x" }, "expect": { "ok": false, "error": { "type": "VALIDATION" } } }]"#;
    let sample = guide("").with(json!({ "parameters": parameters })).file("cases.json", cases);
    sample.check(FAMILY, &[]);
    sample.check(
        "AIL-C",
        &["C003 cases.json:2 case \"b\" expects `VALIDATION`, but its arguments fit `parameters` => tighten the schema, or expect what the handler answers"],
    );
    parameters["required"] = json!(["query", "filters"]);
    guide("").with(json!({ "parameters": parameters })).check(
        FAMILY,
        &["D009 guide.md:10 example does not fit `parameters`: `filters` is required => correct the example, or the schema if the example is right"],
    );
}

#[test]
fn values_in_nested_bullets_are_no_parameters() {
    guide("## Parameters\n\n- `query`: words such as\n  - `lighting`\n  - `budget_2026`: all\n- Good values:\n  - `recent`\n")
        .check(FAMILY, &[]);
}

#[test]
fn a_parameter_is_named_in_bold_or_in_a_heading_too() {
    let text = "# kb_search\n\nSearches.\n\n## Parameters\n\n- **query**: words\n- **top_k** (optional): how many\n\n### filters\n\nConditions.\n\n## Examples\n```json\n{\"query\": \"x\"}\n```\n";
    Sample::new().file("guide.md", text).check(FAMILY, &[]);
}

#[test]
fn every_rule_of_these_families_explains_itself() {
    use crate::lint::{cases, expressions, metadata};
    let families = [super::RULES, cases::RULES, expressions::RULES, metadata::RULES];
    let rules: Vec<_> = families.into_iter().flatten().collect();
    for rule in &rules {
        let text = rule.explanation;
        let first = text.lines().next().unwrap_or_default().trim();
        assert!(first.ends_with('.'), "{rule}: {first:?}");
        let sections: Vec<_> = text.lines().filter_map(|l| l.trim().strip_prefix("## ")).collect();
        let sections: Vec<_> =
            sections.into_iter().filter(|s| ["Why", "Example", "Fix"].contains(s)).collect();
        assert_eq!(sections, ["Why", "Example", "Fix"], "{rule}");
    }
    let codes: std::collections::BTreeSet<_> = rules.iter().map(|rule| rule.code).collect();
    let names: std::collections::BTreeSet<_> = rules.iter().map(|rule| rule.name).collect();
    assert_eq!((codes.len(), names.len(), rules.len()), (34, 34, 34));
}
