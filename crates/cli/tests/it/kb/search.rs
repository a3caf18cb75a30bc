//! The output of a search.

use serde_json::{Value, json};

use super::{demo, found, small};
use crate::workspace::Workspace;

#[test]
fn hits_are_shown_with_their_snippets() {
    let run = demo().ok(&["kb", "search", "lighting lead", "--type", "person", "-k", "2"]);
    snapbox::assert_data_eq!(run.stdout, snapbox::file!["../snapshots/kb_search.txt"]);
    assert_eq!(run.stderr, "");
}

#[test]
fn every_score_is_explained() {
    let workspace = demo();
    let explain = |query: &str| {
        workspace.ok(&["kb", "search", query, "--type", "person", "-k", "1", "--explain"]).stdout
    };
    let shown = [
        explain("who is the lighting lead"),
        explain("Mira Hotl"),
        explain("light* Bremerhaven"),
        explain("Mira Holt"),
        explain("person:mira_holt"),
    ];
    snapbox::assert_data_eq!(shown.join("\n"), snapbox::file!["../snapshots/kb_explain.txt"]);
}

/// The rule that `--explain` spells out.
fn by_the_rule(explanation: &Value) -> f64 {
    let number = |name: &str| explanation[name].as_f64().unwrap_or(0.0);
    let (words, weight) = (number("bm25_share"), number("cosine_weight"));
    let relevance = (words + weight * number("cosine").max(0.0)) / (1.0 + weight);
    match explanation["exactness"].as_str().unwrap() {
        "none" => 0.9 * relevance,
        "title" => 0.9 + 0.09 * relevance,
        "id" => 1.0,
        other => panic!("{other}"),
    }
}

#[test]
fn the_rule_that_is_shown_is_the_one_that_scores() {
    let workspace = demo();
    for query in ["who is the lighting lead", "Mira Holt", "person:mira_holt", "farm*"] {
        for words in [&[][..], &["--words"]] {
            let args = ["kb", "search", query, "--explain", "-k", "20", "--format", "json"];
            let run = workspace.ok(&[&args[..], words].concat()).json();
            for hit in run["results"].as_array().unwrap() {
                let (score, rule) =
                    (hit["score"].as_f64().unwrap(), by_the_rule(&hit["explanation"]));
                assert!((score - rule).abs() < 1e-6, "{query}: {score} {rule}");
            }
        }
    }
}

#[test]
fn json_has_all_but_the_text() {
    let workspace = demo();
    let run = workspace.ok(&["kb", "search", "Mira Holt", "-k", "1", "--format", "json"]).json();
    assert_eq!((&run["query"], &run["ranking"]), (&json!("Mira Holt"), &json!("hybrid")));
    let hit = &run["results"][0];
    assert_eq!(hit["id"], "person:mira_holt");
    assert_eq!(hit["url"], "https://example.com/people/mira-holt");
    assert_eq!((&hit["metadata"]["extension"], &hit["text"]), (&json!(214), &Value::Null));
    let snippet = hit["snippet"].as_str().unwrap();
    let words: Vec<&str> = hit["matches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|range| {
            let at = |side: usize| usize::try_from(range[side].as_u64().unwrap()).unwrap();
            &snippet[at(0)..at(1)]
        })
        .collect();
    assert_eq!(words[..2], ["Mira", "Holt"]);
}

#[test]
fn matches_are_marked_where_colour_is_wanted() {
    let workspace = small();
    let plain = workspace.ok(&["kb", "search", "machine"]).stdout;
    assert!(plain.contains("How to get access to the machines."), "{plain}");
    let marked = workspace.ok(&["kb", "search", "machine", "--color", "always"]).stdout;
    assert!(marked.contains("the \u{1b}[1m\u{1b}[33mmachines\u{1b}[0m."), "{marked:?}");
}

#[test]
fn all_namespaces_are_searched_unless_one_is_named() {
    let workspace = demo();
    let query = "Nora's birthday";
    assert!(found(&workspace, &[query]).contains(&"person:nora_feld".to_owned()));
    let args = ["kb", "search", query, "-n", "studio", "-n", "public", "-k", "65"];
    let run = workspace.ok(&[&args[..], &["--format", "json"]].concat()).json();
    let hits = run["results"].as_array().unwrap();
    let count = |name: &str| hits.iter().filter(|hit| hit["namespace"] == name).count();
    assert!(count("studio") > 0 && count("public") > 0);
    assert_eq!(count("personal"), 0);
}

#[test]
fn nothing_found_is_said_kindly_and_is_no_failure() {
    let workspace = demo();
    let run = workspace.ok(&["kb", "search", "light", "--type", "spaceship"]);
    let expected = "No record here has the type \"spaceship\". Types that exist: doc, link, person, \
                    process, project.\n\
                    nothing was found for \"light\"; leave out a filter to see more\n";
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", expected));
    let run = workspace.ok(&["kb", "search", "lighting lead", "--min-score", "0.99"]);
    assert!(
        run.stderr.starts_with("Nothing relevant was found: the best score is 0."),
        "{}",
        run.stderr
    );
    let run = workspace.ok(&["kb", "search", "xyzzy", "--words", "--format", "json"]);
    assert_eq!(run.json()["results"], json!([]));
    let expected = "nothing was found for \"xyzzy\"; `aileron kb stats` says what there is\n\
                    ranked by words alone\n";
    assert_eq!(run.stderr, expected);
}

#[test]
fn strange_queries_get_an_answer_or_a_clear_refusal() {
    let workspace = demo();
    let long = "lighting review ".repeat(640);
    for query in
        [long.as_str(), "🎬", "مراجعة الإضاءة", "'; DROP TABLE record; --", "AND OR NOT", "\"", "*"]
    {
        let run = workspace.run(&["kb", "search", query]);
        assert!(run.code == 0 || run.code == 2, "{query}: {}", run.stderr);
        assert!(!run.stderr.contains("panicked"), "{query}: {}", run.stderr);
    }
    let run = workspace.run(&["kb", "search", "  "]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    let args = ["kb", "search", "x", "--since", "2026-02-01", "--until", "2026-01-01"];
    let run = workspace.run(&args);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("expected start to be before end"), "{}", run.stderr);
}

#[test]
fn without_a_knowledge_base_it_says_how_to_make_one() {
    let workspace = Workspace::new();
    for args in [
        &["kb", "search", "x"][..],
        &["kb", "get", "x"],
        &["kb", "stats"],
        &["kb", "export"],
        &["kb", "remove", "x"],
    ] {
        let run = workspace.run(args);
        let expected =
            "error: there is no knowledge base at .aileron/kb; make one with `aileron kb ingest`\n";
        assert_eq!((run.code, run.stderr.as_str()), (2, expected), "{args:?}");
    }
    assert!(!workspace.path(".aileron").exists());
}
