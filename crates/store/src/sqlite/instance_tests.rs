//! Which processes count as alive.

use super::*;

#[test]
fn an_instance_is_alive_until_it_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("store.db");
    let (one, two) =
        (Instance::register(&database).unwrap(), Instance::register(&database).unwrap());
    assert_ne!(one.id(), two.id());
    assert!(one.is_alive(two.id()) && two.is_alive(one.id()) && one.is_alive(one.id()));
    assert!(one.has_others());
    let id = two.id().to_owned();
    drop(two);
    assert!(!one.is_alive(&id) && !one.has_others());
}

#[test]
fn cleaning_removes_the_files_of_the_dead_only() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("store.db");
    let (one, two) =
        (Instance::register(&database).unwrap(), Instance::register(&database).unwrap());
    fs::write(one.folder.join("dead"), "").unwrap();
    assert!(!one.is_alive("dead"));
    one.clean();
    assert!(!one.folder.join("dead").exists());
    assert!(one.is_alive(two.id()));
}

#[test]
fn two_who_ask_at_once_do_not_take_each_other_for_the_owner() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dead");
    fs::write(&path, "").unwrap();
    let asking = File::open(&path).unwrap();
    asking.try_lock_shared().unwrap();
    assert!(!is_locked(&path));
}
