//! Work on several threads whose results keep their order.

use super::*;

#[test]
fn results_come_in_the_order_of_the_items() {
    let items: Vec<usize> = (0..1000).collect();
    let doubled = Lanes::new().map(&items, |_, item| item * 2).unwrap();
    assert_eq!(doubled, items.iter().map(|item| item * 2).collect::<Vec<_>>());
}

#[test]
fn no_items_give_no_results() {
    assert_eq!(Lanes::new().map(&[0_u8; 0], |_, item| *item), Some(Vec::new()));
}

#[test]
fn work_that_panics_is_reported_not_passed_on() {
    let lanes = Lanes::new();
    let broken = lanes.map(&[1, 2, 3], |_, item| assert_ne!(*item, 2));
    assert_eq!(broken, None);
    assert_eq!(lanes.map(&[1, 2, 3], |_, item| *item), Some(vec![1, 2, 3]));
}
