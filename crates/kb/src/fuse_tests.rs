//! The score.

use super::*;

#[test]
fn words_and_meaning_add_up_by_weight() {
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} {b}");
    close(score(0.5, 0.25, 0.4, Exactness::None), 0.9 * 0.6 / 1.4);
    close(score(0.5, -0.25, 0.4, Exactness::None), 0.9 * 0.5 / 1.4);
    close(score(0.5, 0.25, 0.0, Exactness::None), 0.45);
}

#[test]
fn exact_matches_stand_above_the_best_of_the_rest() {
    let best = score(1.0, 1.0, 1.0, Exactness::None);
    let titles = [score(0.0, 0.0, 1.0, Exactness::Title), score(1.0, 1.0, 1.0, Exactness::Title)];
    assert!(best <= titles[0] && titles[0] < titles[1]);
    assert!(titles[1] < score(0.0, 0.0, 1.0, Exactness::Id));
    assert_eq!(score(0.0, 0.0, 0.0, Exactness::Id), 1.0);
}

proptest::proptest! {
    #[test]
    fn a_score_is_a_share_and_grows_with_its_parts(
        words in 0f32..1.1, more in 0f32..0.5, cosine in -1f32..1.1, weight in 0f32..2.0
    ) {
        for exactness in [Exactness::None, Exactness::Title, Exactness::Id] {
            let low = score(words, cosine, weight, exactness);
            assert!((0.0..=1.0).contains(&low));
            assert!(low <= score(words + more, cosine, weight, exactness));
            assert!(low <= score(words, cosine + more, weight, exactness));
        }
    }
}
