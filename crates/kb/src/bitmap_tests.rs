//! Sets of rows.

use super::*;

#[test]
fn rows_are_kept_across_words() {
    let mut set = Bitmap::empty(130);
    let rows = [0, 1, 63, 64, 127, 128, 129];
    rows.iter().for_each(|row| set.insert(*row));
    assert_eq!(set.iter().collect::<Vec<_>>(), rows);
    set.remove(64);
    assert_eq!((set.count(), set.contains(64), set.contains(63)), (6, false, true));
}

#[test]
fn a_full_set_ends_with_its_last_row() {
    for len in [0, 1, 63, 64, 65, 128, 129] {
        let set = Bitmap::full(len);
        assert_eq!(set.count(), len);
        assert!(set.iter().eq(0..len));
    }
}

#[test]
fn an_intersection_keeps_what_both_have() {
    let mut even = Bitmap::empty(100);
    (0..100).step_by(2).for_each(|row| even.insert(row));
    let mut third = Bitmap::empty(100);
    (0..100).step_by(3).for_each(|row| third.insert(row));
    even.intersect(&third);
    assert!(even.iter().eq((0..100).step_by(6)));
}
