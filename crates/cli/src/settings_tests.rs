//! Valid settings files, and the messages about invalid ones.

use aileron_capability::kb::{ReadPermission, Readers};
use aileron_orchestrator::yes_no::YesNo;

use super::*;

fn read(text: &str) -> Result<PathBuf, String> {
    let settings = Settings::read(text, Path::new("etc/aileron.toml"));
    settings.map(|settings| settings.store.path).map_err(|failure| failure.to_string())
}

#[test]
fn what_is_left_out_has_a_default() {
    for text in ["", "[store]\n", "# nothing\n"] {
        assert_eq!(read(text), Ok(PathBuf::from("etc/.aileron/aileron.db")), "{text}");
    }
}

#[test]
fn paths_are_seen_from_the_folder_of_the_file() {
    assert_eq!(read("[store]\npath = 'x.db'"), Ok(PathBuf::from("etc/x.db")));
    assert_eq!(read("store.path = '/x.db'"), Ok(PathBuf::from("/x.db")));
}

#[test]
fn faults_are_named_with_their_place() {
    for (text, expected) in [
        (
            "[stor]\n",
            "error: etc/aileron.toml:1:2: unknown field `stor`, expected one of `store`, `kb`, `calendar`, `images`, `models`, `build`, `handlers`, `http`, `text`, `prompt`, `policies`, `confirmation`, `server`, `auth`, `voice`, `log`; did you mean `store`?",
        ),
        (
            "\n[store]\n  pth = 'x'",
            "error: etc/aileron.toml:3:3: unknown field `pth`, expected `path`",
        ),
        (
            "[store]\npath = 1",
            "error: etc/aileron.toml:2:8: invalid type: integer `1`, expected path string",
        ),
        ("[store", "error: etc/aileron.toml:1:7: unclosed table, expected `]`"),
    ] {
        assert_eq!(read(text), Err(expected.to_owned()));
    }
}

#[test]
fn every_section_refuses_what_it_does_not_know() {
    for (text, expected) in [
        ("[handlers]\nisolation = 'vm'", "unknown variant `vm`, expected `thread` or `process`"),
        ("[handlers]\nmemory_mb = 0", "invalid value: integer `0`, expected a nonzero u32"),
        ("[http]\nallow = []", "unknown field `allow`"),
        (
            "[kb]\nurl = 'x'",
            "unknown field `url`, expected one of `path`, `seed`, `readers`, `embeddings`",
        ),
        (
            "[kb.embeddings]\nengine = 'magic'",
            "unknown variant `magic`, expected one of `static`, `none`, `minilm`, `openai`, `gemini`",
        ),
        (
            "[kb.readers]\nfinance = 'anyone'",
            "unknown field `finance`, expected one of `studio`, `personal`, `public`",
        ),
        (
            "[kb.readers]\npublic = 'everyone'",
            "aileron.toml:2:10: expected `anyone`, `signed-in` or `scope:<name>`, found \"everyone\"",
        ),
        ("[kb.readers]\npublic = 'scope:'", "found \"scope:\""),
        (
            "[calendar]\nengine = 'google'",
            "unknown variant `google`, expected one of `files`, `caldav`, `none`",
        ),
        (
            "[calendar]\nworking_hours = { start = '17:00', end = '09:00' }",
            "end after 17:00, found 09:00",
        ),
        ("[calendar]\ndays = ['monday']", "expected days among mon, tue"),
        ("[calendar.caldav]\npasword = 'X'", "unknown field `pasword`"),
        ("[calendar.link]\nkind = 'teams'", "unknown variant `teams`"),
        (
            "[images]\nengine = 'dalle'",
            "unknown variant `dalle`, expected one of `card`, `openai`, `gemini`, `none`",
        ),
        ("[images]\nmax_mb = 0", "invalid value: integer `0`, expected a nonzero u32"),
        ("[policies]\nbudget = {}", "unknown field `budget`"),
        ("[server.limits]\nconnections = 0", "integer `0`, expected a nonzero u32"),
        ("[server.limits]\nbody_kb = 0", "integer `0`, expected a nonzero u32"),
        ("[voice.limits]\nping_seconds = 0", "integer `0`, expected a nonzero u32"),
        (
            "[server]\norigins = ['https://example.com/', '*']",
            "aileron.toml:2:11: expected pages like `https://example.com` or `http://localhost:3000`, each by its name, found \"*\"",
        ),
        (
            "[server]\nhosts = ['agent.lan:8080']",
            "expected host names like `example.com`, without scheme and port, found \"agent.lan:8080\"",
        ),
        (
            "[policies.budgets.voice]\ntotla = 1",
            "aileron.toml:2:1: unknown field `totla`, expected `retrieval` or `total`",
        ),
        ("[policies.budgets.voice]\ntotal = -1", "aileron.toml:2:9: invalid value: integer `-1`"),
        (
            "[text]\n\nprovider = 'gmini'",
            "aileron.toml:3:12: there is no provider \"gmini\" that writes; expected auto, offline, gemini",
        ),
        (
            "[voice]\nprovider = 'gmini'",
            "aileron.toml:2:12: unknown variant `gmini`, expected one of `auto`, `offline`",
        ),
        (
            "[server]\naddress = 'example.com:80'",
            "aileron.toml:2:11: expected an address like `127.0.0.1:7272`, `localhost:7272` or `7272`, found \"example.com:80\"",
        ),
        ("[policies.loops]\nidentical = -1", "invalid value: integer `-1`, expected usize"),
    ] {
        let fault = read(text).unwrap_err();
        assert!(fault.contains(expected), "{text}: {fault}");
    }
}

#[test]
fn a_table_may_set_some_of_its_keys() {
    let text = "[policies.budgets.voice]\nretrieval = 1\n[policies.budgets.text]\ntotal = 20\n\
                [policies.deadlines.text]\n[policies.results.voice]\n";
    let policies = Settings::read(text, Path::new("x")).unwrap().policies;
    let shipped = Config::default();
    assert_eq!((policies.budgets.voice.retrieval, policies.budgets.voice.total), (1, 3));
    assert_eq!((policies.budgets.text.retrieval, policies.budgets.text.total), (5, 20));
    assert_eq!((policies.deadlines, policies.results), (shipped.deadlines, shipped.results));
}

#[test]
fn an_address_may_be_a_port_alone() {
    for text in ["address = 7410", "address = '7410'", "address = 'localhost:7410'"] {
        let settings = Settings::read(&format!("[server]\n{text}"), Path::new("x")).unwrap();
        assert_eq!(settings.server.address.to_string(), "127.0.0.1:7410", "{text}");
    }
}

#[test]
fn the_knowledge_base_is_kept_and_read_as_the_file_says() {
    let text = "[kb]\npath = 'records'\n[kb.readers]\nstudio = 'scope:team'\n[models]\npath = 'm'";
    let settings = Settings::read(text, Path::new("etc/aileron.toml")).unwrap();
    assert_eq!(settings.models.path, Path::new("etc/m"));
    let kb = settings.kb;
    assert_eq!(kb.path, Path::new("etc/records"));
    let studio = ReadPermission::Scope("team".to_owned());
    assert_eq!(kb.readers, Readers { studio, ..Readers::default() });
}

#[test]
fn the_engine_is_set_up_as_the_file_says() {
    let text = "[handlers]\nisolation = 'process'\nmemory_mb = 16\ncpu_ms = 20\nthreads = 3";
    let options = Settings::read(text, Path::new("x")).unwrap().handlers.options().unwrap();
    assert_eq!((options.limits.memory_bytes, options.threads), (16 << 20, 3));
    assert_eq!(options.limits.cpu, std::time::Duration::from_millis(20));
    let usual = Settings::default().handlers.options().unwrap();
    assert_eq!(usual, aileron_sandbox::Options::default());
    assert_eq!(Settings::default().http.options().unwrap(), Default::default());
}

/// The page as data: the keys it shows, and their values.
fn documented() -> serde_json::Value {
    let page = include_str!("../../../docs/settings.md");
    let (_, rest) = page.split_once("```toml\n").unwrap();
    let (block, _) = rest.split_once("```").unwrap();
    toml::from_str(block).unwrap()
}

#[test]
fn the_page_shows_every_key_with_its_default() {
    assert_eq!(documented(), serde_json::to_value(Settings::default()).unwrap());
}

#[test]
fn a_grammar_is_read_from_its_file_or_said_to_be_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("aileron.toml");
    let grammar = |text: &str| {
        fs::write(folder.path().join("de.json"), text).unwrap();
        let settings = Settings::read("[confirmation]\ngrammar = 'de.json'", &file).unwrap();
        let grammar = settings.confirmation.grammar();
        grammar.map(|grammar| grammar.hear("ja")).map_err(|failure| failure.to_string())
    };
    let german = r#"{"yes":["ja"],"no":["nein"],"refusals":[],"unclear":[],"openers":[],"fillers":[],"hesitations":[]}"#;
    assert_eq!(grammar(german), Ok(YesNo::Yes));
    let wrong = grammar("{}").unwrap_err();
    assert!(wrong.contains("de.json`: expected a file of phrases: missing field `yes`"), "{wrong}");
    let none = Settings::read("[confirmation]\ngrammar = 'fr.json'", &file).unwrap();
    assert!(none.confirmation.grammar().unwrap_err().to_string().contains("fr.json"));
    assert_eq!(Settings::default().confirmation.grammar().unwrap().hear("yes"), YesNo::Yes);
}
