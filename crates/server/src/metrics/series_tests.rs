//! Steps of the time series, at given times.

use super::*;

fn totals(completed: u64, durations: &[u64]) -> Totals {
    let histogram = crate::metrics::Histogram::default();
    durations.iter().for_each(|value| histogram.record(*value));
    let counts = ToolCounts { calls: completed, succeeded: completed, ..ToolCounts::default() };
    Totals {
        calls: CallCounts { completed, ..CallCounts::default() },
        durations: histogram.fine_counts(),
        tools: vec![(3, ToolCounts::default()), (7, counts)],
        ..Totals::default()
    }
}

/// When the steps begin, and the completed calls of each.
fn completed(series: &SeriesRecorder, most: usize) -> (u64, Vec<u32>) {
    series.read(most, |from, steps| (from, steps.map(|step| step.calls.completed).collect()))
}

#[test]
fn a_step_has_the_difference_of_its_counters() {
    let series = SeriesRecorder::default();
    series.begin(12_345);
    series.end_step(15_001, totals(3, &[10, 20, 30]), Gauges { text: 1, ..Gauges::default() });
    series.end_step(20_000, totals(3, &[10, 20, 30]), Gauges::default());
    series.end_step(25_004, totals(5, &[10, 20, 30, 5, 7]), Gauges::default());
    assert_eq!(completed(&series, KEPT), (10_000, vec![3, 0, 2]));
    assert_eq!(completed(&series, 2), (15_000, vec![0, 2]));
    series.read(KEPT, |_, steps| {
        let steps: Vec<_> = steps.collect();
        let latency: Vec<_> = steps.iter().map(|step| step.latency).collect();
        let first = [Some(20), Some(30), Some(30)];
        assert_eq!(latency, [first, [None; 3], [Some(5), Some(7), Some(7)]]);
        assert_eq!((steps[0].gauges.text, steps[1].gauges.text), (1, 0));
        let tools: Vec<_> = steps.iter().map(|step| step.tools.len()).collect();
        assert_eq!(tools, [1, 0, 1], "a tool without a call takes no space");
        assert_eq!((steps[2].tools[0].0, steps[2].tools[0].1.calls), (7, 2));
    });
}

#[test]
fn an_hour_is_kept_and_no_more() {
    let series = SeriesRecorder::default();
    series.begin(0);
    for step in 1..=1000 {
        series.end_step(step * STEP_MS, totals(step, &[]), Gauges::default());
    }
    let (from, steps) = completed(&series, usize::MAX);
    assert_eq!((from, steps.len()), (280 * STEP_MS, KEPT));
    assert!(steps.iter().all(|count| *count == 1));
}

#[test]
fn a_process_that_was_suspended_has_empty_steps() {
    let series = SeriesRecorder::default();
    series.begin(0);
    series.end_step(3 * STEP_MS, totals(4, &[]), Gauges::default());
    assert_eq!(completed(&series, KEPT), (0, vec![0, 0, 4]));
    series.end_step(u64::MAX / 2, totals(5, &[]), Gauges::default());
    assert_eq!(completed(&series, KEPT).1.len(), KEPT);
}

#[test]
fn a_clock_that_is_set_back_begins_anew() {
    let series = SeriesRecorder::default();
    series.begin(100 * STEP_MS);
    series.end_step(101 * STEP_MS, totals(4, &[]), Gauges::default());
    series.end_step(7 * STEP_MS, totals(5, &[]), Gauges::default());
    series.end_step(8 * STEP_MS, totals(8, &[]), Gauges::default());
    assert_eq!(completed(&series, KEPT), (7 * STEP_MS, vec![3]));
}
