//! The bound on the number of tools, and the warning about long responses.

use super::*;

fn respond(tool: &ToolFigures, chars: u64, times: usize) {
    (0..times).for_each(|_| tool.responded(chars, chars / 4, 0));
}

#[test]
fn the_first_200_tools_have_their_own_figures_and_all_others_share_one() {
    let table = ToolTable::default();
    for n in 0..300 {
        table.of(&format!("tool_{n}")).outcomes[0].add(1);
    }
    table.of("tool_0").outcomes[0].add(1);
    table.of(OTHER).outcomes[0].add(1);
    let used = table.used();
    assert_eq!(used.len(), MAX_TOOLS + 1);
    assert_eq!((table.of("tool_0").calls(), table.of("tool_199").calls()), (2, 1));
    assert_eq!(&*table.of("tool_200").tool, OTHER);
    assert_eq!(table.other().calls(), 101);
    assert!(used.is_sorted_by_key(|tool| &tool.tool));
}

#[test]
fn threads_that_meet_a_tool_at_once_share_its_entry() {
    let table = ToolTable::default();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..250).for_each(|n| table.of(&format!("t{n}")).outcomes[0].add(1)));
        }
    });
    let own: Vec<_> = table.used().into_iter().filter(|tool| &*tool.tool != OTHER).collect();
    assert_eq!(own.len(), MAX_TOOLS);
    assert!(own.iter().all(|tool| tool.calls() == 4));
    assert_eq!(table.other().calls(), 200);
}

#[test]
fn responses_are_long_from_a_95th_percentile_above_the_limit_until_it_falls_below() {
    let table = ToolTable::default();
    let tool = table.of("kb_get");
    respond(tool, 5000, MIN_RESPONSES - 1);
    assert!(!tool.has_long_p95(), "too few");
    respond(tool, 5000, 1);
    assert!(tool.has_long_p95());
    assert_eq!(tool.recent_sizes.percentiles([95]), [5000]);
    respond(tool, 1500, 379);
    assert!(tool.has_long_p95(), "20 of 399");
    assert_eq!(tool.recent_sizes.percentiles([95]), [5000]);
    respond(tool, 1500, 1);
    assert!(!tool.has_long_p95(), "20 of 400");
    assert_eq!(tool.recent_sizes.percentiles([95]), [1500]);
    respond(tool, 1501, 1000);
    assert!(tool.has_long_p95());
    respond(tool, 10, 1000);
    assert!(!tool.has_long_p95(), "only the last 1,000 count");
    assert_eq!(tool.recent_sizes.percentiles([50, 99]), [10, 10]);
}
