//! Synonyms, as stems. The first of a row stands for all of them.

const ROWS: &[&[&str]] = &[
    &["address", "adress", "liegt", "locat"],
    &["ask", "request"],
    &["cost", "pric", "fee"],
    &["deliv", "due", "deadlin"],
    &["email", "mail"],
    &["film", "movi"],
    &["invoic", "bill"],
    &["lead", "led", "leitet", "leitung"],
    &["pay", "paid"],
    &["person", "peopl", "people"],
    &["phon", "telephon", "telefon", "extension", "dial", "reach"],
    &["project", "projekt"],
    &["vacation", "urlaub"],
    &["wifi", "wlan"],
];

/// Two stems in a row that have one meaning.
const PAIRS: &[([&str; 2], &str)] = &[
    (["time", "off"], "vacation"),
    (["day", "off"], "vacation"),
    (["annual", "leav"], "vacation"),
    (["pay", "leav"], "vacation"),
    (["phon", "numb"], "phon"),
    (["numb", "phon"], "phon"),
];

/// The stem that stands for another one.
pub(super) fn of(stem: &str) -> Option<&'static str> {
    ROWS.iter().find(|row| row.contains(&stem)).and_then(|row| row.first().copied())
}

/// The meaning of two adjacent stems.
pub(super) fn of_two(first: &str, second: &str) -> Option<&'static str> {
    PAIRS.iter().find(|(pair, _)| *pair == [first, second]).map(|(_, both)| *both)
}
