//! Shards on disk: written data is read back, and damage is detected.

use std::collections::BTreeMap;
use std::fs;

use aileron_contract::kb::{Filters, Namespace};

use super::*;
use crate::search::fixture::{Letters, record, write};
use crate::search::{Detail, SearchQuery, Searcher, ShardsByNamespace};

fn sample(dir: &Path) -> ShardExpectation {
    let records: Vec<_> = (0..30u64)
        .map(|n| {
            (n * 10 + 5, record(&format!("r:{n}"), "Title", &format!("one {n}\n\ntwo\n\nthree")))
        })
        .collect();
    let rows: Vec<_> = records.iter().map(|(row, record)| (row, record)).collect();
    write(dir, &rows, Some(&Letters::new()))
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("shard");
    (dir, path)
}

/// All files of the shard, its list included.
fn paths(dir: &Path) -> Vec<PathBuf> {
    let list = List::read(dir).unwrap();
    let mut paths: Vec<PathBuf> = list.files.keys().map(|name| dir.join(name)).collect();
    assert!(paths.len() > 6, "{paths:?}");
    paths.push(dir.join("shard.json"));
    paths
}

#[test]
fn passages_keep_their_order_and_place() {
    let (_dir, path) = folder();
    let expected = sample(&path);
    let shard = Shard::open(&path, &expected, &[]).unwrap();
    assert_eq!((shard.passages(), shard.dim(), expected.passages), (90, Some(64), 90));
    for passage in 0..90 {
        assert_eq!(shard.row(passage), u64::from(passage / 3) * 10 + 5);
    }
    assert_eq!(shard.passages_of(5), 0..3);
    assert_eq!(shard.passages_of(295), 87..90);
    assert!([0, 6, 10, 296, u64::MAX].iter().all(|row| shard.passages_of(*row).is_empty()));
    assert_eq!(&"one 0\n\ntwo\n\nthree"[shard.range(2)], "three");
    assert_eq!(shard.tokens().passages, 90);
    assert!(shard.bytes() > 1_000);
    assert_eq!(Shard::verify(&path), Ok(()));
}

#[test]
fn opening_changes_nothing() {
    let (_dir, path) = folder();
    let expected = sample(&path);
    for _ in 0..3 {
        Shard::open(&path, &expected, &[5]).unwrap();
    }
    assert_eq!(Shard::verify(&path), Ok(()));
}

#[test]
fn a_missing_or_shortened_file_is_damage_at_open() {
    let (_dir, path) = folder();
    let expected = sample(&path);
    for file in paths(&path) {
        let content = fs::read(&file).unwrap();
        fs::write(&file, &content[..content.len() - 1]).unwrap();
        let damage = Shard::open(&path, &expected, &[]).unwrap_err();
        assert_eq!(damage.path, file, "{damage}");
        assert!(damage.to_string().contains("expected"), "{damage}");
        fs::remove_file(&file).unwrap();
        assert_eq!(Shard::open(&path, &expected, &[]).unwrap_err().path, file);
        assert_eq!(Shard::verify(&path).unwrap_err().path, file);
        fs::write(&file, &content).unwrap();
    }
    assert_eq!(Shard::verify(&path), Ok(()));
}

#[test]
fn a_changed_byte_is_found_by_verify_and_never_breaks_open() {
    let (_dir, path) = folder();
    let expected = sample(&path);
    for file in paths(&path) {
        let content = fs::read(&file).unwrap();
        for place in [0, content.len() / 3, content.len() / 2, content.len() - 1] {
            let mut changed = content.clone();
            changed[place] ^= 0x15;
            fs::write(&file, &changed).unwrap();
            assert!(Shard::verify(&path).is_err(), "{} at {place}", file.display());
            // Lengths are right, so it may open; it must not bring the process down.
            let _ = Shard::open(&path, &expected, &[]);
        }
        fs::write(&file, &content).unwrap();
    }
    assert_eq!(Shard::verify(&path), Ok(()));
}

#[test]
fn a_search_over_damaged_bytes_ends_in_an_answer_or_an_error() {
    let (_dir, path) = folder();
    let expected = sample(&path);
    let (embedder, records, filters) = (Letters::new(), BTreeMap::new(), Filters::default());
    for file in paths(&path) {
        let content = fs::read(&file).unwrap();
        for place in (0..content.len()).step_by((content.len() / 12).max(1)) {
            let mut changed = content.clone();
            changed[place] = !changed[place];
            fs::write(&file, &changed).unwrap();
            let Ok(shard) = Shard::open(&path, &expected, &[]) else { continue };
            let (shards, text) =
                (ShardsByNamespace::new(vec![Arc::new(shard)]), "title one \"two\" thr* fuor");
            let searcher =
                Searcher { shards: &shards, embedder: Some(&embedder), records: &records };
            let _ = searcher.search(&SearchQuery {
                text,
                namespaces: &Namespace::ALL,
                filters: &filters,
                top_k: 5,
                min_score: None,
                detail: Detail::Explained,
            });
        }
        fs::write(&file, &content).unwrap();
    }
}

#[test]
fn a_shard_of_other_size_or_vectors_is_not_opened() {
    let (_dir, path) = folder();
    let expected = sample(&path);
    for wrong in [
        ShardExpectation { passages: 89, ..expected },
        ShardExpectation { namespace: Namespace::Public, ..expected },
        ShardExpectation { dim: Some(63), ..expected },
        ShardExpectation { dim: None, ..expected },
    ] {
        assert!(Shard::open(&path, &wrong, &[]).is_err());
    }
}

#[test]
fn a_shard_of_another_format_is_not_opened() {
    let (_dir, path) = folder();
    let expected = sample(&path);
    let list = fs::read_to_string(path.join("shard.json")).unwrap();
    fs::write(path.join("shard.json"), list.replace("\"format\": 2", "\"format\": 1")).unwrap();
    let damage = Shard::open(&path, &expected, &[]).unwrap_err();
    assert_eq!(damage.what, "expected format 2, found 1");
}

#[test]
fn a_shard_that_was_not_finished_is_not_opened() {
    let (_dir, path) = folder();
    let record = record("a", "", "text");
    let mut builder = ShardBuilder::create(&path, Namespace::Studio, None).unwrap();
    builder.add(1, &record, &crate::search::fixture::passages(&record)[0], None).unwrap();
    drop(builder);
    let expected = ShardExpectation { namespace: Namespace::Studio, passages: 1, dim: None };
    assert!(Shard::open(&path, &expected, &[]).is_err());
}

#[test]
fn input_that_does_not_fit_the_shard_is_refused() {
    let (_dir, path) = folder();
    let record = record("a", "", "text");
    let passage = &crate::search::fixture::passages(&record)[0];
    let mut builder = ShardBuilder::create(&path, Namespace::Studio, Some(2)).unwrap();
    let refused = |result: Result<(), BuildError>, expected: &str| {
        let message = result.unwrap_err().to_string();
        assert!(message.starts_with(expected), "{message}");
    };
    refused(builder.add(5, &record, passage, None), "expected a vector of Some(2), found None");
    refused(builder.add(5, &record, passage, Some(&[1.0])), "expected a vector of Some(2)");
    builder.add(5, &record, passage, Some(&[1.0, 0.0])).unwrap();
    refused(builder.add(4, &record, passage, Some(&[1.0, 0.0])), "expected passages in order");
    let outside = crate::passage::Passage { heading: String::new(), range: 2..9 };
    refused(
        builder.add(6, &record, &outside, Some(&[1.0, 0.0])),
        "expected a passage of \"a\" in 4 bytes",
    );
    let mut undated = record.clone();
    undated.last_updated = "once".to_owned();
    refused(
        builder.add(6, &undated, passage, Some(&[1.0, 0.0])),
        "expected a date in last_updated",
    );
    let hidden = aileron_contract::kb::Record { namespace: Namespace::Personal, ..record.clone() };
    refused(
        builder.add(6, &hidden, passage, Some(&[1.0, 0.0])),
        "expected records of `studio`, found one of `personal`",
    );
    let facts = builder.finish().unwrap();
    assert_eq!((facts.passages, facts.records), (1, 1));
}
