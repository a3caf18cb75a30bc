//! The page and the table say the same of the faults.

use std::fs;
use std::path::Path;

use aileron_simulator::fault::TABLE;
use aileron_simulator::http::HttpFaults;

#[test]
fn every_fault_is_on_the_page_in_the_same_words() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/simulator.md");
    let page = fs::read_to_string(page).unwrap();
    let live = TABLE.iter().map(|row| (row.form, row.meaning));
    for (form, meaning) in live.chain(HttpFaults::TABLE.iter().copied()) {
        let line = format!("| `{form}` | {meaning} |");
        assert!(page.contains(&line), "docs/simulator.md lacks the line\n{line}");
    }
}
