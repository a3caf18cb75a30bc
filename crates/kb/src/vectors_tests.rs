//! Files of vectors, written and searched.

use super::*;

/// Numbers that look random, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 40) as f32 / 8_388_608.0) - 1.0
    }

    /// A unit vector whose columns fall off as `decay` says.
    fn unit(&mut self, dim: usize, decay: f32) -> Vec<f32> {
        let vector: Vec<f32> = (0..dim).map(|at| self.next() * decay.powi(at as i32)).collect();
        let norm = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        vector.iter().map(|value| value / norm).collect()
    }
}

fn written(vectors: &[Vec<f32>], dim: usize) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vectors");
    let mut writer = VectorWriter::create(&path, dim).unwrap();
    vectors.iter().for_each(|vector| writer.push(vector).unwrap());
    writer.finish().unwrap();
    std::fs::read(path).unwrap()
}

fn open(vectors: &[Vec<f32>], dim: usize) -> Vectors {
    Vectors::open(OwnedBytes::new(written(vectors, dim)), vectors.len() as u32, dim).unwrap()
}

fn exact(vectors: &[Vec<f32>], query: &[f32], allowed: &Bitmap, count: usize) -> Vec<u32> {
    let dot = |row: u32| -> f64 {
        vectors[row as usize].iter().zip(query).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
    };
    let mut all: Vec<(f64, u32)> = allowed.iter().map(|row| (dot(row), row)).collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    all.iter().take(count).map(|(_, row)| *row).collect()
}

fn rows(near: &[Neighbor]) -> Vec<u32> {
    near.iter().map(|near| near.row).collect()
}

fn shared(found: &[u32], expected: &[u32]) -> usize {
    found.iter().filter(|row| expected.contains(row)).count()
}

#[test]
fn search_finds_what_exact_search_finds_in_any_dimension() {
    for (dim, decay) in [(3, 1.0), (64, 0.97), (100, 1.0), (256, 0.99), (1000, 1.0)] {
        let mut numbers = Numbers(dim as u64);
        let vectors: Vec<Vec<f32>> = (0..5000).map(|_| numbers.unit(dim, decay)).collect();
        let file = open(&vectors, dim);
        let all = Bitmap::full(5000);
        let (mut found, mut asked) = (0, 0);
        for count in [1, 10, 1000, 6000] {
            let query = numbers.unit(dim, decay);
            let near = file.nearest(&query, &all, count);
            let expected = exact(&vectors, &query, &all, count);
            assert_eq!(near.len(), expected.len());
            found += shared(&rows(&near), &expected);
            asked += expected.len();
        }
        assert!(found * 1000 >= asked * 995, "{dim} columns: {found} of {asked}");
    }
}

#[test]
fn only_allowed_rows_are_found_however_few() {
    let mut numbers = Numbers(5);
    let vectors: Vec<Vec<f32>> = (0..9000).map(|_| numbers.unit(32, 1.0)).collect();
    let file = open(&vectors, 32);
    for step in [1, 2, 10, 777, 8999] {
        let mut allowed = Bitmap::empty(9000);
        (0..9000).step_by(step).for_each(|row| allowed.insert(row));
        let query = numbers.unit(32, 1.0);
        let near = file.nearest(&query, &allowed, 5);
        let expected = exact(&vectors, &query, &allowed, 5);
        assert!(near.iter().all(|near| allowed.contains(near.row)));
        assert_eq!(near.len(), expected.len());
        assert!(shared(&rows(&near), &expected) + 1 >= expected.len());
    }
    assert_eq!(file.nearest(&vectors[0], &Bitmap::empty(9000), 5), []);
    assert_eq!(file.nearest(&vectors[0], &Bitmap::full(9000), 0), []);
}

#[test]
fn ties_go_by_row_and_similarity_is_the_one_of_the_row() {
    let mut numbers = Numbers(9);
    let (one, other) = (numbers.unit(48, 1.0), numbers.unit(48, 1.0));
    let vectors: Vec<Vec<f32>> =
        (0..10_000).map(|row| if row % 3 == 0 { one.clone() } else { other.clone() }).collect();
    let file = open(&vectors, 48);
    let near = file.nearest(&one, &Bitmap::full(10_000), 2000);
    assert_eq!(rows(&near), (0..10_000).step_by(3).take(2000).collect::<Vec<_>>());
    assert!(near.iter().all(|near| near.similarity == file.similarity(near.row, &one)));
    assert!((near[0].similarity - 1.0).abs() < 1e-3);
}

#[test]
fn many_threads_find_what_one_finds() {
    let mut numbers = Numbers(3);
    let rows_of_file = PARALLEL_ROWS + 1000;
    let vectors: Vec<Vec<f32>> = (0..rows_of_file).map(|_| numbers.unit(8, 1.0)).collect();
    let file = open(&vectors, 8);
    let query = numbers.unit(8, 1.0);
    let all = Bitmap::full(rows_of_file);
    let first = file.nearest(&query, &all, 50);
    let again: Vec<Vec<Neighbor>> = std::thread::scope(|scope| {
        let search = || scope.spawn(|| file.nearest(&query, &all, 50));
        let running: Vec<_> = (0..4).map(|_| search()).collect();
        running.into_iter().map(|search| search.join().unwrap()).collect()
    });
    assert!(again.iter().all(|near| *near == first));
    assert!(shared(&rows(&first), &exact(&vectors, &query, &all, 50)) >= 49);
}

#[test]
fn zero_vectors_and_zero_queries_are_like_nothing() {
    let vectors = vec![vec![0.0; 20], vec![0.0; 20], [vec![1.0], vec![0.0; 19]].concat()];
    let file = open(&vectors, 20);
    let near = |row, similarity| Neighbor { row, similarity };
    let all = Bitmap::full(3);
    assert_eq!(file.nearest(&[0.0; 20], &all, 2), [near(0, 0.0), near(1, 0.0)]);
    assert_eq!(file.nearest(&[f32::NAN; 20], &all, 1), [near(0, 0.0)]);
    let found = file.nearest(&vectors[2], &all, 3);
    assert_eq!(rows(&found), [2, 0, 1]);
    assert_eq!(found[1].similarity, 0.0);
}

#[test]
fn a_query_of_another_length_and_rows_past_the_end_do_no_harm() {
    let file = open(&[vec![1.0, 0.0], vec![0.0, 1.0]], 2);
    assert_eq!(rows(&file.nearest(&[0.0, 1.0, 5.0], &Bitmap::full(300), 9)), [1, 0]);
    assert_eq!(rows(&file.nearest(&[1.0], &Bitmap::full(1), 9)), [0]);
    assert_eq!(rows(&file.nearest(&[], &Bitmap::full(300), 9)), [0, 1]);
}

#[test]
fn a_file_without_rows_can_be_searched() {
    assert_eq!(open(&[], 7).nearest(&[1.0; 7], &Bitmap::full(0), 3), []);
}

#[test]
fn bytes_may_lie_anywhere() {
    let mut numbers = Numbers(1);
    let vectors: Vec<Vec<f32>> = (0..300).map(|_| numbers.unit(33, 1.0)).collect();
    let bytes = written(&vectors, 33);
    let expected = open(&vectors, 33).nearest(&vectors[7], &Bitmap::full(300), 9);
    for shift in 1..9 {
        let shifted = OwnedBytes::new([vec![0; shift], bytes.clone()].concat())
            .slice(shift..shift + bytes.len());
        let file = Vectors::open(shifted, 300, 33).unwrap();
        assert_eq!(file.nearest(&vectors[7], &Bitmap::full(300), 9), expected);
    }
}

#[test]
fn a_damaged_file_is_refused() {
    let bytes = written(&[vec![0.6, 0.8], vec![1.0, 0.0]], 2);
    let refused = |bytes: &[u8], rows, dim| {
        Vectors::open(OwnedBytes::new(bytes.to_vec()), rows, dim).map(|_| ()).unwrap_err()
    };
    for cut in 0..bytes.len() {
        refused(&bytes[..cut], 2, 2);
    }
    refused(&[&bytes[..], &[0]].concat(), 2, 2);
    for place in 0..24 {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x41;
        refused(&damaged, 2, 2);
    }
    assert_eq!(
        refused(&bytes, 3, 2),
        "expected 3 vectors of 2 columns, found 2 of 2: rebuild the index"
    );
    assert!(refused(&bytes, 2, 4).contains("found 2 of 2"));
    assert!(refused(&[], 0, 2).starts_with("expected a file of vectors"));
}

#[test]
fn an_unfinished_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vectors");
    let mut writer = VectorWriter::create(&path, 4).unwrap();
    (0..BLOCK).for_each(|_| writer.push(&[0.5; 4]).unwrap());
    drop(writer);
    let bytes = std::fs::read(&path).unwrap();
    assert!(bytes.len() > BLOCK as usize * 4);
    assert!(Vectors::open(OwnedBytes::new(bytes), BLOCK, 4).is_err());
}

#[test]
fn vectors_that_are_none_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let create = |dim| VectorWriter::create(&folder.path().join("vectors"), dim);
    assert!(create(0).is_err());
    let mut writer = create(2).unwrap();
    assert_eq!(
        writer.push(&[1.0]).unwrap_err().to_string(),
        "expected a vector of 2 columns, found 1"
    );
    assert_eq!(
        writer.push(&[1.0, f32::NAN]).unwrap_err().to_string(),
        "expected a vector of finite numbers, found NaN"
    );
    assert!(writer.push(&[f32::INFINITY, 0.0]).is_err());
}
