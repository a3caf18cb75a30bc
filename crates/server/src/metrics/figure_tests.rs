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
fn scrapers_get_the_values_between_each_two_bounds() {
    let found = of([0, 1, 2, 3, 500_001]).buckets();
    assert_eq!(found.counts[..3], [2, 1, 1]);
    assert_eq!((found.counts.last(), found.count(), found.sum), (Some(&1), 5, 500_007));
    let small = Buckets::new(&[10, 20]);
    [10, 11, 20, 21].into_iter().for_each(|value| small.record(value));
    assert_eq!(small.buckets(), BucketCounts { bounds: &[10, 20], counts: vec![1, 2, 1], sum: 62 });
}

#[test]
fn percentiles_of_several_histograms_are_those_of_all_their_values() {
    let (low, high) = (of(1..=100), of(101..=200));
    assert_eq!(Histogram::percentiles_of(&[&low, &high], [50, 95, 100]), [100, 190, 200]);
    assert_eq!(Histogram::percentiles_of(&[&of([]), &low], [50, 100]), [50, 100]);
}
