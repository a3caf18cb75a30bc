//! Blocks: the longest one applies, and they are lifted only explicitly.

use aileron_store::{Block, Store};

use crate::conformance;
use crate::sample::user;

conformance!(
    a_block_holds_until_it_is_lifted,
    a_block_is_never_shortened,
    blocks_are_listed_while_they_hold,
);

fn a_block_holds_until_it_is_lifted(store: &dyn Store) {
    assert_eq!(store.blocked_until(&user("ada")), None);
    store.block(&user("ada"), 500).wait().unwrap();
    assert_eq!(store.blocked_until(&user("ada")), Some(500));
    assert_eq!(store.blocked_until(&user("bob")), None);
    assert!(store.unblock(&user("ada")).wait().unwrap());
    assert_eq!(store.blocked_until(&user("ada")), None);
    assert!(!store.unblock(&user("ada")).wait().unwrap());
}

fn a_block_is_never_shortened(store: &dyn Store) {
    for until in [500, 100, 700] {
        store.block(&user("ada"), until).wait().unwrap();
        assert_eq!(store.blocked_until(&user("ada")), Some(until.max(500)));
    }
}

fn blocks_are_listed_while_they_hold(store: &dyn Store) {
    for (name, until) in [("bob", 700), ("ada", 500)] {
        store.block(&user(name), until).wait().unwrap();
    }
    let block = |name: &str, until| Block { user: user(name), until };
    let listed = |now| store.blocks(now).wait().unwrap();
    assert_eq!(listed(1), [block("ada", 500), block("bob", 700)]);
    assert_eq!(listed(500), [block("bob", 700)]);
    store.unblock(&user("bob")).wait().unwrap();
    assert_eq!(listed(1), [block("ada", 500)]);
}
