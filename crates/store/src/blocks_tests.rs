//! Blocks take effect before they are written.

use super::*;

fn ada() -> UserId {
    UserId::new("ada").unwrap()
}

#[test]
fn what_was_announced_outlives_a_look_at_the_disk_and_what_was_asked_before() {
    let blocks = Blocks::default();
    blocks.announce(&ada(), 50);
    blocks.replace(HashMap::new());
    assert!(!blocks.lift(&ada()));
    assert_eq!(blocks.until(&ada()), Some(50));
    blocks.written(&ada(), 50);
    assert_eq!(blocks.until(&ada()), Some(50));
    assert!(blocks.lift(&ada()));
    assert_eq!(blocks.until(&ada()), None);
}

#[test]
fn the_longest_block_holds_and_each_is_written_for_itself() {
    let blocks = Blocks::default();
    blocks.announce(&ada(), 50);
    blocks.announce(&ada(), 20);
    blocks.written(&ada(), 50);
    blocks.lift(&ada());
    assert_eq!(blocks.until(&ada()), Some(20));
    blocks.raise(&ada(), 10);
    assert_eq!(blocks.until(&ada()), Some(20));
    assert_eq!(blocks.expire(30, 10), 1);
    assert_eq!(blocks.until(&ada()), None);
}
