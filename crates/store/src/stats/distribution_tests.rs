//! Percentiles against sorted numbers, and the bound on memory.

use proptest::prelude::*;

use super::*;

fn of(numbers: impl IntoIterator<Item = u64>) -> Distribution {
    let mut distribution = Distribution::default();
    numbers.into_iter().for_each(|number| distribution.add(number));
    distribution
}

#[test]
fn small_numbers_are_exact() {
    let hundred = of(1..=100);
    assert_eq!([50, 95, 99, 100].map(|p| hundred.percentile(p)), [50, 95, 99, 100].map(Some));
    let one = of([7]);
    assert_eq!([0, 50, 99].map(|p| one.percentile(p)), [Some(7); 3]);
}

#[test]
fn nothing_has_no_percentiles() {
    assert_eq!((of([]).percentile(50), of([]).max()), (None, None));
}

#[test]
fn the_largest_number_is_exact() {
    let wide = of([u64::MAX, 0, 5]);
    assert_eq!((wide.percentile(50), wide.percentile(99)), (Some(5), wide.max()));
    assert_eq!(wide.max(), Some(u64::MAX));
}

#[test]
fn a_million_different_numbers_take_a_bounded_place() {
    let wide = of((0..1_000_000_u64).map(|step| step.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    assert!(wide.counts.len() < 57_000, "{}", wide.counts.len());
}

proptest! {
    #[test]
    fn percentiles_are_within_a_thousandth(
        mut numbers in prop::collection::vec(0..u64::MAX, 1..200),
        percent in 1..=100_u64,
    ) {
        let found = of(numbers.iter().copied()).percentile(percent).unwrap();
        numbers.sort_unstable();
        let exact = numbers[(numbers.len() * percent as usize).div_ceil(100) - 1];
        prop_assert!(found.abs_diff(exact) <= exact / 1000, "{found} {exact}");
    }
}
