//! All callers get the same key, and an error if it cannot be stored.

use std::thread;

use super::*;

#[test]
fn all_who_ask_at_once_get_the_same_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("confirmation.key");
    let ask = || load_or_make(&path).unwrap();
    let keys: Vec<_> = thread::scope(|scope| {
        let asking: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        asking.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(keys.iter().all(|key| *key == keys[0]));
    assert_ne!(keys[0], [0; KEY_BYTES]);
    assert_eq!(load_or_make(&path).unwrap(), keys[0]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn only_its_owner_may_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("confirmation.key");
    load_or_make(&path).unwrap();
    assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_file_that_is_no_key_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("confirmation.key");
    fs::write(&path, "short").unwrap();
    let error = load_or_make(&path).unwrap_err().to_string();
    assert!(error.contains("expected 32 bytes, found 5"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"short");
    let nowhere = folder.path().join("none/confirmation.key");
    assert!(matches!(load_or_make(&nowhere), Err(StoreError::Unwritable { .. })));
}
