//! Files that are missing, ready or others.

use super::*;

const ABC: ModelFile = ModelFile {
    name: "abc",
    bytes: 3,
    sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    member: "abc",
};

#[test]
fn a_file_is_missing_ready_or_another_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = ABC.path(folder.path());
    assert_eq!(ABC.state(folder.path()).unwrap(), FileState::Missing);
    assert!(matches!(ABC.read(&path), Err(ReadError::Missing { .. })));
    fs::write(&path, b"abc").unwrap();
    assert_eq!(ABC.state(folder.path()).unwrap(), FileState::Ready);
    assert_eq!(ABC.read(&path).unwrap(), b"abc");
    fs::write(&path, b"abd").unwrap();
    assert!(matches!(ABC.state(folder.path()).unwrap(), FileState::Other { .. }));
    assert!(ABC.read(&path).unwrap_err().to_string().contains("with the SHA-256 ba7816bf"));
}

#[test]
fn a_model_is_ready_when_all_its_files_are() {
    const OTHER: ModelFile = ModelFile { name: "other", ..ABC };
    const FILES: &[ModelFile] = &[ABC, OTHER];
    let model = Model { files: FILES, ..Model::MINILM };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("abc"), b"abc").unwrap();
    assert_eq!(model.state(folder.path()).unwrap(), ModelState::Missing);
    fs::write(folder.path().join("other"), b"x").unwrap();
    assert_eq!(model.state(folder.path()).unwrap(), ModelState::Damaged);
    fs::write(folder.path().join("other"), b"abc").unwrap();
    assert_eq!(model.state(folder.path()).unwrap(), ModelState::Ready);
}
