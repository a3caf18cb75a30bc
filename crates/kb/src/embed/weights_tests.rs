//! Known weights, and checks of their files.

use super::*;

/// Weights of three letters, so that a test can have them.
const ABC: Weights = Weights {
    sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    ..MINILM
};

#[test]
fn weights_are_found_by_name() {
    assert_eq!(Weights::named("minilm"), Some(&MINILM));
    assert_eq!(Weights::named("MiniLM"), None);
}

#[test]
fn a_file_is_missing_ready_or_another_one() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(ABC.state(folder.path()).unwrap(), WeightsState::Missing);
    fs::write(ABC.path(folder.path()), b"abc").unwrap();
    assert_eq!(ABC.state(folder.path()).unwrap(), WeightsState::Ready);
    let sha256 = ABC.sha256.to_owned();
    assert_eq!(MINILM.state(folder.path()).unwrap(), WeightsState::Other { sha256 });
}
