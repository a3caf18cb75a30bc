//! Published examples, known ranks, and how often an interval contains the truth.

use super::*;

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 5e-5, "expected {expected}, found {found}");
}

fn numbers(values: impl IntoIterator<Item = u64>) -> Distribution {
    let mut distribution = Distribution::default();
    values.into_iter().for_each(|value| distribution.add(value));
    distribution
}

/// The examples of Newcombe's paper (1998, method 10).
#[test]
fn the_difference_of_rates_is_newcombes() {
    for ((new, old), (low, high)) in [
        (((56, 70), (48, 80)), (0.0524, 0.3339)),
        (((9, 10), (3, 10)), (0.1705, 0.8090)),
        (((6, 7), (2, 7)), (0.0582, 0.8062)),
        (((5, 56), (0, 29)), (-0.0381, 0.1926)),
        (((0, 10), (0, 20)), (-0.1611, 0.2775)),
        (((10, 10), (0, 10)), (0.6075, 1.0)),
    ] {
        let found = rate_difference(old, new).unwrap();
        close(found.low, low);
        close(found.high, high);
    }
    assert_eq!(rate_difference((0, 0), (1, 2)), None);
    assert_eq!(rate_difference((1, 2), (0, 0)), None);
}

/// The ranks that tables of distribution-free limits give for the median and the 95th percentile.
#[test]
fn the_ranks_of_percentiles_are_those_of_tables() {
    assert_eq!(ranks(5, 0.5), None);
    assert_eq!(ranks(6, 0.5), Some((1, 6)));
    assert_eq!(ranks(10, 0.5), Some((2, 9)));
    assert_eq!(ranks(20, 0.5), Some((6, 15)));
    assert_eq!(ranks(100, 0.5), Some((40, 61)));
    assert_eq!(ranks(71, 0.95), None);
    assert_eq!(ranks(72, 0.95).map(|(_, high)| high), Some(72));
    assert_eq!(ranks(0, 0.5), None);
    // As the normal approximation has it: 95,000 and about 135 on each side.
    let (low, high) = ranks(100_000, 0.95).unwrap();
    assert!((94_860..94_870).contains(&low) && (95_130..95_140).contains(&high), "{low} {high}");
}

#[test]
fn few_numbers_show_nothing() {
    assert_eq!(percentile(&numbers([1, 2, 3]), 50), None);
    assert_eq!(percentile_difference(&numbers(1..=100), &numbers([]), 50), None);
    let found = percentile(&numbers(1..=100), 50).unwrap();
    assert_eq!((found.value, found.low, found.high), (50.0, 40.0, 61.0));
}

#[test]
fn a_verdict_needs_an_interval_without_zero() {
    let estimate = |low, high| Estimate { value: (low + high) / 2.0, low, high }.verdict();
    assert_eq!(estimate(0.1, 0.3), Verdict::Higher);
    assert_eq!(estimate(-0.3, -0.1), Verdict::Lower);
    assert_eq!(estimate(-0.1, 0.3), Verdict::NotShown);
    assert_eq!(estimate(0.0, 0.3), Verdict::NotShown);
}

/// A small generator, so that the test is the same every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A duration with a long tail, as calls have: its median is 20 times the factor.
    fn duration(&mut self, factor: f64) -> u64 {
        (factor * 20.0 * (self.next() / (1.0 - self.next())).sqrt()) as u64
    }
}

/// Of 1,000 experiments without a difference, about 5 % may show one; with a large one, nearly all do.
#[test]
fn intervals_contain_the_truth_as_often_as_they_say() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut shown = [0; 4];
    for _ in 0..1_000 {
        let mut rate_of = |p: f64| ((0..200).filter(|_| random.next() < p).count() as u64, 200);
        let (a, b, c) = (rate_of(0.8), rate_of(0.8), rate_of(0.6));
        let mut durations = |factor| numbers((0..200).map(|_| random.duration(factor)));
        let (d, e, f) = (durations(1.0), durations(1.0), durations(2.0));
        let is_shown = |it: Option<Estimate>| it.unwrap().verdict() != Verdict::NotShown;
        shown[0] += i32::from(is_shown(rate_difference(a, b)));
        shown[1] += i32::from(is_shown(percentile_difference(&d, &e, 50)));
        shown[2] += i32::from(is_shown(rate_difference(a, c)));
        shown[3] += i32::from(is_shown(percentile_difference(&d, &f, 50)));
    }
    assert!((20..=75).contains(&shown[0]) && shown[1] <= 75, "without a difference: {shown:?}");
    assert!(shown[2] > 970 && shown[3] > 990, "with a difference: {shown:?}");
}
