//! Words that are written like names and are none.

/// Sorted by where they occur: organisations, titles and jobs, greetings, requests, the calendar.
const WORDS: [&str; 6] = [
    "ltd inc llc gmbh corp company studio studios university department team office street road avenue",
    "mr mrs ms dr prof lead manager director engineer designer producer head chief officer",
    "dear hello hi hey best kind warm regards thanks thank sincerely cheers yours please",
    "invite ask email mail call phone tel fax mobile meet contact write see with the and our new from to cc",
    "monday tuesday wednesday thursday friday saturday sunday",
    "january february march april june july august september october november december",
];

pub(super) fn is_ordinary(word: &str) -> bool {
    let mut words = WORDS.iter().flat_map(|line| line.split(' '));
    words.any(|ordinary| ordinary.eq_ignore_ascii_case(word))
}
