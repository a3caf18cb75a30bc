//! The figures as tables in Markdown, for people and the README.

use std::fmt::Write;

use super::measured::{Measured, Speed};

/// Two tables: the cost of each store, and its speed. Other stores are compared with the first.
pub(crate) fn markdown(records: usize, all: &[Measured]) -> String {
    format!("\n{records} records\n\n{}\n{}", costs(all), speeds(all))
}

fn costs(all: &[Measured]) -> String {
    let mut text = String::from(
        "| store | records a second | disk MB | open ms | first search ms | resident MB | not file MB | recall@10: none | 10 % | 0.1 % |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for store in all {
        let recall =
            |filter| store.recall.get(filter).map_or("-".to_owned(), |share| format!("{share:.3}"));
        let _ = writeln!(
            text,
            "| {} | {:.0} | {:.0} | {:.1} | {:.1} | {:.0} | {:.0} | {} | {} | {} |",
            store.engine,
            store.records as f64 / store.ingest_s,
            store.disk_mb,
            store.open_ms,
            store.first_ms,
            store.rss_mb,
            store.anon_mb,
            recall("none"),
            recall("10 %"),
            recall("0.1 %"),
        );
    }
    text
}

fn speeds(all: &[Measured]) -> String {
    let mut text = String::from(
        "| store | filter | at once | p50 ms | p99 ms | searches a second | times our p50 | times our p99 |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    for store in all {
        for speed in &store.search {
            let ours = all.first().and_then(|ours| ours.speed(&speed.filter, speed.at_once));
            text.push_str(&line(store, speed, ours));
        }
    }
    text
}

fn line(store: &Measured, speed: &Speed, ours: Option<&Speed>) -> String {
    let times = |theirs: f64, ours: Option<f64>| ours.map_or(0.0, |ours| theirs / ours);
    format!(
        "| {} | {} | {} | {:.2} | {:.2} | {:.0} | {:.1} | {:.1} |\n",
        store.engine,
        speed.filter,
        speed.at_once,
        speed.p50_ms,
        speed.p99_ms,
        speed.per_s,
        times(speed.p50_ms, ours.map(|ours| ours.p50_ms)),
        times(speed.p99_ms, ours.map(|ours| ours.p99_ms)),
    )
}
