//! The accuracy of percentiles, and the text for scrapers.

use super::*;

fn of(values: impl IntoIterator<Item = u64>) -> Histogram {
    let histogram = Histogram::default();
    values.into_iter().for_each(|value| histogram.record(value));
    histogram
}

#[test]
fn no_value_has_no_percentile() {
    assert_eq!((of([]).percentiles([50, 99]), of([]).count()), ([0, 0], 0));
}

#[test]
fn a_single_value_is_its_own_percentile() {
    for value in [0, 1, 255, 256, 6277, 500_001, 1 << 39, u64::MAX] {
        assert_eq!(of([value]).percentiles([1, 50, 99, 100]), [value; 4]);
    }
}

#[test]
fn small_values_are_exact() {
    assert_eq!(of(1..=200).percentiles([50, 95, 99, 100]), [100, 190, 198, 200]);
}

#[test]
fn large_values_are_within_four_thousandths() {
    for largest in [1000, 6277, 123_456, 87_654_321] {
        let step = largest / 1000;
        let histogram = of((1..=1000).map(|nth| nth * step));
        for (percent, found) in [50, 95, 99].into_iter().zip(histogram.percentiles([50, 95, 99])) {
            let exact = percent * 10 * step;
            assert!(found.abs_diff(exact) * 1000 <= exact * 4, "{found} for {exact}");
        }
    }
}

#[test]
fn every_bucket_holds_its_own_middle_and_the_last_one_the_largest_value() {
    for bucket in 0..FINE {
        assert_eq!(fine_bucket(middle(bucket)), bucket);
    }
    assert_eq!(fine_bucket(u64::MAX), FINE - 1);
}

#[test]
fn scrapers_are_told_how_many_values_are_at_most_each_bound() {
    let (bounds, all) = of([0, 1, 2, 3, 500_001]).cumulative();
    assert_eq!(bounds[..3], [(1, 2), (2, 3), (5, 4)]);
    assert_eq!((bounds[BOUNDS.len() - 1], all), ((500_000, 4), 5));
}
