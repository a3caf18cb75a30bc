//! Artifacts are stored as a whole, found by version, and removed when no conversation needs them.

use super::*;

fn hash(text: &str) -> ContentHash {
    ContentHash::of_bytes(text.as_bytes())
}

fn version(text: &str) -> String {
    format!("1.0.{}", &digits(hash(text).as_str())[..SHOWN])
}

#[test]
fn an_artifact_is_found_by_its_version() {
    let folder = tempfile::tempdir().unwrap();
    let artifacts = Artifacts::beside(&folder.path().join("aileron.db"));
    assert!(artifacts.find(&version("a")).unwrap().is_empty());
    assert!(!artifacts.has_others(&BTreeSet::new()));
    for text in ["a", "b", "a"] {
        artifacts.keep(&hash(text), text).unwrap();
    }
    let found = artifacts.find(&version("a")).unwrap();
    assert_eq!(found.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), ["a"]);
    assert!(artifacts.has_others(&BTreeSet::from([version("a")])));
    assert!(!artifacts.has_others(&BTreeSet::from([version("a"), version("b")])));
    assert_eq!(artifacts.prune(&BTreeSet::from([version("b")])), 1);
    assert!(artifacts.find(&version("a")).unwrap().is_empty());
    assert_eq!(artifacts.find(&version("b")).unwrap().len(), 1);
}

#[test]
fn a_damaged_artifact_is_written_anew() {
    let folder = tempfile::tempdir().unwrap();
    let artifacts = Artifacts::beside(&folder.path().join("aileron.db"));
    artifacts.keep(&hash("a"), "a").unwrap();
    let (path, _) = artifacts.find(&version("a")).unwrap().remove(0);
    fs::write(&path, "").unwrap();
    artifacts.keep(&hash("a"), "a").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "a");
}
