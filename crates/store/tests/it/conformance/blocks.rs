//! Blocks: longest wins, lifted on purpose only.

use aileron_store::Store;

use crate::conformance;
use crate::sample::user;

conformance!(a_block_holds_until_it_is_lifted, a_block_is_never_shortened);

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
