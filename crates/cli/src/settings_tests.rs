//! What a file may say, and what is said about one that is wrong.

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
        ("[stor]\n", "error: etc/aileron.toml:1:2: unknown field `stor`, expected `store`"),
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
