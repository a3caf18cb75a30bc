//! What the buckets tell.

use super::*;

#[test]
fn percentiles_are_the_bounds_of_their_buckets() {
    let histogram = Histogram::default();
    assert_eq!((histogram.percentile(50), histogram.count()), (0, 0));
    (1..=100).for_each(|value| histogram.record(value));
    assert_eq!((histogram.percentile(50), histogram.percentile(99)), (50, 100));
    histogram.record(10_000_000);
    assert_eq!(histogram.percentile(100), 500_000);
    assert_eq!((histogram.count(), histogram.sum()), (101, 10_005_050));
}

#[test]
fn a_bound_belongs_to_its_own_bucket() {
    let histogram = Histogram::default();
    [0, 1, 2, 3].into_iter().for_each(|value| histogram.record(value));
    let seen: Vec<_> = histogram.cumulative().take(3).collect();
    assert_eq!(seen, [(1, 2), (2, 3), (5, 4)]);
}
