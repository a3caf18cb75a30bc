//! Fast products against the plain ones.

use proptest::prelude::*;

use super::*;
use crate::vectors::format::Layout;
use crate::vectors::query::rotated;
use crate::vectors::row;

/// The formula of the codes, in double precision.
fn decode(row: &VectorRow<'_>, column: usize) -> f64 {
    let width = row.coarse.len();
    let codes = row.coarse[column % width];
    let code = if column < width { codes & 15 } else { codes >> 4 };
    f64::from(row.scale) * (f64::from(code) - 7.5 + f64::from(row.fine[column]) / 254.0)
}

fn vector() -> impl Strategy<Value = Vec<f32>> {
    prop_oneof![
        prop::collection::vec(-1.0f32..1.0, 1..300),
        prop::collection::vec(
            prop_oneof![Just(0.0f32), Just(1.0), Just(-1.0), -1e-3f32..1e-3],
            1..300
        ),
    ]
}

proptest! {
    #[test]
    fn fast_products_equal_the_plain_ones(
        rows in prop::collection::vec(any::<[u8; 96]>(), 1..70),
        query in any::<[i8; 192]>(),
    ) {
        let exact = query.map(f32::from);
        let layout = Layout::new(rows.len() as u32, exact.len());
        let Some(query) = Query::of(&exact, &layout) else { return Ok(()) };
        let coarse = rows.concat();
        let places: Vec<u32> = (0..rows.len() as u32).rev().collect();
        let mut products = vec![0; rows.len()];
        multiply(&query, &coarse, &places, &mut products);
        let (low, high) = query.bytes();
        let expected: Vec<i32> = rows.iter().rev().map(|row| plain(row, low, high)).collect();
        prop_assert_eq!(products, expected);
    }

    #[test]
    fn a_row_is_what_was_encoded_within_its_precision(vector in vector()) {
        let width = Layout::new(1, vector.len()).coarse();
        let (mut coarse, mut fine) = (Vec::new(), Vec::new());
        let scale = row::encode(&vector, width, &mut coarse, &mut fine);
        let row = VectorRow { scale, coarse: &coarse, fine: &fine };
        for (column, value) in vector.iter().enumerate() {
            let found = decode(&row, column);
            prop_assert!((found - f64::from(*value)).abs() <= f64::from(scale) / 400.0, "{found} {value}");
        }
    }

    #[test]
    fn similarity_and_estimate_follow_the_decoded_row(vector in vector(), seed in any::<u64>()) {
        let query: Vec<f32> = (0..vector.len() as u64)
            .map(|at| (((at + 1).wrapping_mul(seed | 1) >> 40) as f32 / 8_388_608.0) - 1.0)
            .collect();
        let layout = Layout::new(1, vector.len());
        let (mut coarse, mut fine) = (Vec::new(), Vec::new());
        let scale = row::encode(&rotated(&vector, &layout), layout.coarse(), &mut coarse, &mut fine);
        let row = VectorRow { scale, coarse: &coarse, fine: &fine };
        let turned = rotated(&query, &layout);
        let truth: f64 = turned.iter().enumerate().map(|(at, value)| f64::from(*value) * decode(&row, at)).sum();
        prop_assert!((f64::from(similarity(&row, &turned)) - truth).abs() < 1e-3);
        let Some(prepared) = Query::of(&query, &layout) else { return Ok(()) };
        let mut products = [0];
        multiply(&prepared, &coarse, &[0], &mut products);
        let bounds = prepared.estimate(products[0], scale);
        prop_assert!(bounds.lower <= bounds.upper);
        // Four deviations are passed once in 16,000 times, a quarter more practically never.
        let slack = (bounds.upper - bounds.lower) / 8.0 + 1e-4;
        prop_assert!(f64::from(bounds.lower - slack) <= truth && truth <= f64::from(bounds.upper + slack));
    }
}
