//! Hits and their order, over real shards.

use super::fixture::{Base, Vectors, record, tagged};
use super::*;
use crate::fuse::Exactness;

fn studio() -> Vec<Record> {
    vec![
        record("person:mira_holt", "Mira Holt", "Lead animator. Reviews every shot on Fridays."),
        record("person:ben_okafor", "Ben Okafor", "Runs the render farm and its queue."),
        record(
            "process:review",
            "Review process",
            "A review takes two days. Reviewers leave notes.",
        ),
        record(
            "project:aurora",
            "Aurora",
            "A short film in C++ tools and Café light, version 3.14.",
        ),
        record("doc:farm", "The Render-Farm", "How to book machines.\n\nThe queue is first come."),
        record("doc:tokyo", "東京都の案内", "東京都は日本の首都です。スタジオは水曜日に休みます。"),
        record("doc:seoul", "서울", "한국어를 공부합니다"),
        record("doc:arabic", "مرحبا", "أهلاً وسهلاً بكم في الاستوديو"),
        record("doc:hebrew", "שלום", "ברוכים הבאים לסטודיו"),
        record("doc:party", "Party", "We celebrate launches 🎉 with cake."),
    ]
}

#[test]
fn words_are_found_by_stem_case_and_accent() {
    let base = Base::of(studio());
    for (query, first) in [
        ("reviewing", "process:review"),
        ("AURORA cafe", "project:aurora"),
        ("c++", "project:aurora"),
        ("3.14", "project:aurora"),
        ("what does Ben run?", "person:ben_okafor"),
        ("okafor", "person:ben_okafor"),
        ("celebrate", "doc:party"),
    ] {
        assert_eq!(base.ids(query).first().map(String::as_str), Some(first), "{query}");
    }
}

#[test]
fn other_scripts_and_emoji_are_found() {
    let base = Base::of(studio());
    for (query, first) in [
        ("東京", "doc:tokyo"),
        ("首都", "doc:tokyo"),
        ("水", "doc:tokyo"),
        ("都", "doc:tokyo"),
        ("한국어", "doc:seoul"),
        ("الاستوديو", "doc:arabic"),
        ("اهلا", "doc:arabic"),
        ("הבאים", "doc:hebrew"),
        ("🎉", "doc:party"),
    ] {
        assert_eq!(base.ids(query), [first], "{query}");
    }
}

#[test]
fn misspelled_names_are_found_and_said_to_be() {
    let base = Base::of(studio());
    for query in ["Mira Hollt", "Mria Holt", "mira hlot", "Mirra"] {
        assert_eq!(base.ids(query).first().unwrap(), "person:mira_holt", "{query}");
    }
    let right = base.search("holt", &Filters::default(), 1).unwrap().remove(0);
    let wrong = base.search("hollt", &Filters::default(), 1).unwrap().remove(0);
    assert!(wrong.score < right.score, "{} {}", wrong.score, right.score);
    let word = &wrong.explanation.unwrap().words[0];
    assert_eq!((word.expansion, word.terms[0].word.as_str()), (Expansion::Spelling, "holt"));
    assert_eq!(base.ids("celebraet lunches"), ["doc:party"]);
    assert_eq!(base.ids("3.15"), Vec::<String>::new());
}

#[test]
fn a_word_that_exists_is_not_respelled() {
    let base =
        Base::of([record("a", "", "cart"), record("b", "", "card"), record("c", "", "cards")]);
    assert_eq!(base.ids("cart"), ["a"]);
    assert_eq!(base.ids("carx"), ["a", "b", "c"]);
}

#[test]
fn prefixes_stand_for_all_words_that_begin_so() {
    let base = Base::of(studio());
    let mut found = base.ids("rev*");
    found.sort();
    assert_eq!(found, ["person:mira_holt", "process:review"]);
    assert_eq!(base.ids("zzz*"), Vec::<String>::new());
    let hit = base.search("rev*", &Filters::default(), 1).unwrap().remove(0);
    let word = &hit.explanation.unwrap().words[0];
    assert_eq!(word.expansion, Expansion::Prefix);
    let mut words: Vec<&str> = word.terms.iter().map(|term| term.word.as_str()).collect();
    words.sort_unstable();
    assert_eq!(words, ["review", "reviewers", "reviews"]);
    assert!(hit.score < 1.0);
}

#[test]
fn phrases_must_occur_as_they_stand() {
    let base = Base::of(studio());
    assert_eq!(base.ids("\"the render farm\""), ["doc:farm", "person:ben_okafor"]);
    assert_eq!(base.ids("queue \"first come\""), ["doc:farm"]);
    assert_eq!(base.ids("\"日本の首都\""), ["doc:tokyo"]);
    assert_eq!(base.ids("\"review\""), ["process:review"]);
}

fn noted(base: &Base, query: &str) -> (Vec<String>, Vec<SearchNote>) {
    let found = base.results(query, &Filters::default(), 10).unwrap();
    (found.hits.into_iter().map(|hit| hit.record.id).collect(), found.notes)
}

fn not_found(phrase: &str) -> SearchNote {
    SearchNote::PhraseNotFound { phrase: phrase.to_owned() }
}

#[test]
fn a_phrase_that_does_not_occur_is_taken_as_its_words_and_said_to_be() {
    let base = Base::of(studio());
    for phrase in ["farm render", "the farm's render queue"] {
        let (found, notes) = noted(&base, &format!("\"{phrase}\""));
        assert_eq!(found, base.ids(phrase), "{phrase}");
        assert!(found.contains(&"doc:farm".to_owned()), "{phrase}");
        assert_eq!(notes, [not_found(phrase)]);
    }
    // A title does not run into the text below it.
    assert_eq!(noted(&base, "\"Aurora A\"").1, [not_found("Aurora A")]);
    // A phrase that occurs still has to.
    let (found, notes) = noted(&base, "\"first come\" \"first served\"");
    assert_eq!((found, notes), (vec!["doc:farm".to_owned()], vec![not_found("first served")]));
    let (found, notes) = noted(&base, "\"render farm\" \"leave notes\"");
    assert_eq!(notes, [SearchNote::PhrasesApart]);
    assert!(found.contains(&"process:review".to_owned()), "{found:?}");
    assert_eq!(noted(&base, "\"render farm\"").1, []);
}

#[test]
fn a_phrase_is_looked_for_among_what_the_filters_leave() {
    let mut records = studio();
    records[1].tags = vec!["ops".to_owned()];
    let base = Base::of(records);
    let found = base.results("\"book machines\"", &tagged(&["ops"]), 10).unwrap();
    assert_eq!(found.notes, [not_found("book machines")]);
}

#[test]
fn only_the_beginning_of_a_long_query_is_searched_and_said_to_be() {
    let base = Base::of(studio());
    let text = format!("{} aurora", "render farm, ".repeat(400));
    let (found, notes) = noted(&base, &text);
    assert!(
        found.contains(&"doc:farm".to_owned()) && !found.contains(&"project:aurora".to_owned())
    );
    let cut = SearchNote::QueryCut { characters: query::LONGEST, words: query::MOST_WORDS };
    assert_eq!(notes, [cut]);
    assert_eq!(noted(&base, &text[..3_000]).1, []);
}

#[test]
fn hits_that_score_too_low_are_left_out_and_the_best_score_is_told() {
    let base = Base::of(studio());
    let search = |text, min_score| {
        let filters = Filters::default();
        let (namespaces, detail) = (&Namespace::ALL, Detail::Hits);
        let request =
            SearchQuery { text, namespaces, filters: &filters, top_k: 5, min_score, detail };
        base.searcher().search(&request).unwrap()
    };
    let query = "penguin migration over the antarctic in a film of the last century";
    let all = search(query, Some(0.0));
    assert_eq!((all.hits.len(), all.notes), (1, vec![]));
    let best = all.hits[0].score;
    let none = search(query, None);
    let note = SearchNote::BelowMinScore { best, min_score: ON_TOPIC_BY_WORDS.score };
    assert_eq!((none.hits, none.notes), (vec![], vec![note]));
    let same = search(query, Some(best));
    assert_eq!((same.hits, same.notes), (all.hits, vec![]));
    assert_eq!(search("person:mira_holt", Some(1.0)).hits.len(), 1);
    // An on-topic query also returns weaker hits, unless a minimum score is given.
    let all = search("render farm queue", None);
    let best = search("render farm queue", Some(all.hits[0].score));
    assert_eq!((best.hits.len(), &best.hits[0]), (1, &all.hits[0]));
    assert!(all.hits.len() > 1);
}

#[test]
fn a_type_that_does_not_exist_is_answered_with_those_that_do() {
    let mut records = studio();
    records[0].kind = "person".to_owned();
    records[1].namespace = Namespace::Public;
    let base = Base::of(records);
    let search = |kind: &str| {
        let filters = Filters { kind: Some(kind.to_owned()), ..Filters::default() };
        base.results("mira", &filters, 5).unwrap()
    };
    let found = search("people");
    let known = vec!["document".to_owned(), "person".to_owned()];
    let note = SearchNote::UnknownType { kind: "people".to_owned(), known };
    assert_eq!((found.hits.len(), found.notes), (0, vec![note]));
    assert_eq!((search("Person").hits.len(), search("Person").notes), (1, vec![]));
    assert_eq!(search("document").notes, []);
}

#[test]
fn tags_and_metadata_are_searched() {
    let mut records = studio();
    records[0].tags = vec!["Night Shift".to_owned()];
    records[1].metadata = serde_json::from_str(r#"{"desk": {"phone": "4711"}}"#).unwrap();
    let base = Base::of(records);
    assert_eq!(base.ids("night shift"), ["person:mira_holt"]);
    assert_eq!(base.ids("\"night shift\""), ["person:mira_holt"]);
    assert_eq!(base.ids("phone 4711"), ["person:ben_okafor"]);
    assert_eq!(base.filtered("mira", &tagged(&["NIGHT shift"])), ["person:mira_holt"]);
}

#[test]
fn a_hit_in_a_long_text_says_where_its_passage_is() {
    let text = "Grüße an alle.\n\nThe queue is slow.\n\nnothing";
    let base = Base::of([record("long", "", text), record("short", "", "A queue.")]);
    let hits = base.search("queue", &Filters::default(), 5).unwrap();
    let passage = |id: &str| hits.iter().find(|hit| hit.record.id == id).unwrap().passage;
    let expected = PassageRange { offset: 16, length: 20, total: text.chars().count() };
    assert_eq!(passage("long"), Some(expected));
    assert_eq!(passage("short"), None);
}

#[test]
fn stop_words_count_when_there_is_nothing_else() {
    let base =
        Base::of([record("a", "The Who", "A band."), record("b", "Other", "The end of it.")]);
    assert_eq!(base.ids("the who"), ["a", "b"]);
    assert_eq!(base.ids("who"), ["a"]);
    assert_eq!(base.ids("of it"), ["b"]);
}

#[test]
fn an_id_comes_first_then_titles_then_the_rest() {
    let mut records = studio();
    records.push(record("aurora", "Notes", "Nothing else."));
    records.push(record("x", "Something", "aurora aurora aurora aurora"));
    let base = Base::of(records);
    let hits = base.search("aurora", &Filters::default(), 10).unwrap();
    let found: Vec<(&str, Exactness)> = hits
        .iter()
        .map(|hit| (hit.record.id.as_str(), hit.explanation.as_ref().unwrap().exactness))
        .collect();
    let expected =
        [("aurora", Exactness::Id), ("project:aurora", Exactness::Title), ("x", Exactness::None)];
    assert_eq!(found, expected);
    assert_eq!(hits[0].score, 1.0);
    assert!((0.9..0.99).contains(&hits[1].score) && hits[2].score < 0.9);
    assert_eq!(base.ids("  person:mira_holt ").first().unwrap(), "person:mira_holt");
    assert_eq!(base.ids("THE RENDER FARM!").first().unwrap(), "doc:farm");
}

#[test]
fn an_id_without_words_is_found() {
    let base = Base::of([record("!!!", "Marks", "Text")]);
    assert_eq!(base.ids("!!!"), ["!!!"]);
}

#[test]
fn a_query_without_words_is_refused() {
    let base = Base::of(studio());
    for query in ["", "  \n", "\"\"", "()&&||", "*", "—"] {
        let error = base.search(query, &Filters::default(), 5).unwrap_err();
        assert!(matches!(error, SearchError::EmptyQuery), "{query}");
    }
    let error = base.search("", &Filters::default(), 5).unwrap_err();
    assert_eq!(error.to_string(), "expected a query with at least one word, found none");
}

#[test]
fn a_record_is_found_once_by_its_best_passage() {
    let text = "queue\n\nThe queue is long, the queue is slow: queue.\n\nnothing\n\nqueue again";
    let base =
        Base::of([record("a", "", text), record("b", "", "one queue among many other words")]);
    let hits = base.search("queue slow", &Filters::default(), 10).unwrap();
    assert_eq!(hits.iter().map(|hit| hit.record.id.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(hits[0].snippet.text, "The queue is long, the queue is slow: queue.");
}

#[test]
fn equal_scores_go_by_id() {
    let ids = ["d", "b", "c", "a", "e"];
    let base = Base::of(ids.map(|id| record(id, "Same", "the same words")));
    let top: Vec<String> = base
        .search("words", &Filters::default(), 2)
        .unwrap()
        .into_iter()
        .map(|hit| hit.record.id)
        .collect();
    assert_eq!(top, ["a", "b"]);
    assert_eq!(base.ids("words"), ["a", "b", "c", "d", "e"]);
}

#[test]
fn any_number_of_hits_may_be_asked_for() {
    for vectors in [Vectors::With, Vectors::Without] {
        let base = Base::new(studio(), 2, vectors, &[]);
        let hits = base.search("render review", &Filters::default(), usize::MAX).unwrap();
        assert!((3..=10).contains(&hits.len()));
    }
}

#[test]
fn meaning_finds_what_words_do_not() {
    let base = Base::new(studio(), 2, Vectors::With, &[]);
    let query = "farmyards";
    assert_eq!(Base::of(studio()).ids(query), Vec::<String>::new());
    let hits = base.search(query, &Filters::default(), 10).unwrap();
    assert_eq!(hits[0].record.id, "doc:farm");
    let explanation = hits[0].explanation.clone().unwrap();
    assert_eq!((explanation.bm25, explanation.cosine_weight), (0.0, 0.4));
    assert!(explanation.cosine.unwrap() > 0.2);
    assert!(hits[0].snippet.matches.is_empty());
}

#[test]
fn scores_fall_and_are_what_the_rule_says() {
    for vectors in [Vectors::With, Vectors::Without] {
        let base = Base::new(studio(), 1, vectors, &[]);
        for query in ["review", "render farm queue", "Mira Hollt", "studio rev* film", "Aurora"] {
            let hits = base.search(query, &Filters::default(), 10).unwrap();
            assert!(hits.is_sorted_by(|a, b| a.score >= b.score), "{query}");
            for hit in hits {
                let told = hit.explanation.unwrap();
                let cosine = told.cosine.unwrap_or(0.0);
                let score =
                    crate::fuse::score(told.bm25_share, cosine, told.cosine_weight, told.exactness);
                assert_eq!((hit.score, told.score), (score, score));
                assert!((told.bm25 / told.bm25_full - told.bm25_share).abs() < 1e-6);
                let sum: f32 = told.words.iter().map(|word| word.bm25).sum();
                assert!((sum - told.bm25).abs() < 1e-5);
                assert!(hit.score > 0.0 && hit.score <= 1.0);
            }
        }
    }
}

#[test]
fn a_model_that_did_not_make_the_vectors_is_refused() {
    let base = Base::of(studio());
    let embedder = fixture::Letters::new();
    let searcher = Searcher { embedder: Some(&embedder), ..base.searcher() };
    let filters = Filters::default();
    let request = SearchQuery {
        text: "x",
        namespaces: &Namespace::ALL,
        filters: &filters,
        top_k: 1,
        min_score: None,
        detail: Detail::Hits,
    };
    let error = searcher.search(&request).unwrap_err();
    assert!(matches!(error, SearchError::Model { expected: 64, found: None, .. }), "{error}");
}

#[test]
fn an_empty_base_has_nothing_and_says_so_without_error() {
    let base = Base::of([]);
    assert_eq!(base.ids("anything"), Vec::<String>::new());
    assert_eq!(base.search("review", &Filters::default(), 0).unwrap(), []);
}

#[test]
fn hostile_queries_find_or_do_not_but_never_fail() {
    let base = Base::new(studio(), 2, Vectors::With, &[]);
    let long = "render farm ".repeat(900);
    let many: String = (0..1_500).map(|n| format!("w{n}x ")).collect();
    let prefixes: String = (0..200).map(|n| format!("r{n}* re* ")).collect();
    let slips: String = (0..200).map(|n| format!("zzqx{} ", "y".repeat(n % 30))).collect();
    for query in [
        "'; DROP TABLE records; --",
        "a\0b",
        "\u{202e}txet desrever",
        "\"unclosed phrase render",
        "title:render AND -farm^10 OR [a TO b]",
        "👩‍👩‍👧‍👦 render",
        long.as_str(),
        many.as_str(),
        prefixes.as_str(),
        slips.as_str(),
    ] {
        let hits = base.search(query, &Filters::default(), 5).unwrap();
        assert!(hits.iter().all(|hit| hit.score <= 1.0));
    }
    assert!(long.len() > 10_000);
    assert_eq!(base.ids(&long).first().unwrap(), "doc:farm");
}

#[test]
fn naughty_strings_are_queries_and_records() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/corpora/naughty-strings/blns.json");
    let Ok(text) = std::fs::read_to_string(file) else {
        eprintln!("skipped: no corpus of naughty strings beside the repository");
        return;
    };
    let strings: Vec<String> = serde_json::from_str(&text).unwrap();
    let records = strings.iter().enumerate().map(|(n, text)| record(&format!("n:{n}"), text, text));
    let base = Base::new(records, 3, Vectors::With, &[]);
    for text in &strings {
        match base.search(text, &Filters::default(), 3) {
            Ok(hits) => assert!(!hits.is_empty(), "{text:?}"),
            Err(error) => assert!(matches!(error, SearchError::EmptyQuery), "{text:?}: {error}"),
        }
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]
    #[test]
    fn any_query_is_answered(query in proptest::prelude::any::<String>(), words in "[a-z\"* ]{0,40}") {
        thread_local!(static BASE: Base = Base::new(studio(), 2, Vectors::With, &[]));
        BASE.with(|base| {
            for text in [&query, &words] {
                let found = base.search(text, &Filters::default(), 3);
                assert!(matches!(found, Ok(_) | Err(SearchError::EmptyQuery)));
            }
        });
    }
}
