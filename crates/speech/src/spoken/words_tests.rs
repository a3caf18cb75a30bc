//! Numbers, dates, times, money, addresses and abbreviations.

use super::*;

fn check(written: &str, spoken: &str) {
    assert_eq!(spoken_form(written), spoken, "{written}");
}

#[test]
fn numbers() {
    check("There are 1,250 records.", "There are one thousand two hundred fifty records.");
    check("0 and 7 and 21 and 105", "zero and seven and twenty one and one hundred five");
    check("pi is 3.14", "pi is three point one four");
    check("at -5 degrees", "at minus five degrees");
    check("agent 007", "agent zero zero seven");
    check("the 3rd and the 21st", "the third and the twenty first");
    check("15% of it", "fifteen percent of it");
    check("10km or 10 km or 1 km", "ten kilometers or ten kilometers or one kilometer");
}

#[test]
fn dates_and_times() {
    check("on 2026-11-18.", "on November eighteenth, twenty twenty six.");
    check("on 3/14/2027", "on March fourteenth, twenty twenty seven");
    check("on March 3, 2026 at 9:05", "on March third, twenty twenty six at nine oh five");
    check("the 3 March", "the third March");
    check("at 7pm or 7:30 pm", "at seven p m or seven thirty p m");
    check("at 14:30 and 18:00", "at fourteen thirty and eighteen hundred");
    check("in 1905 and the 1990s", "in nineteen oh five and the nineteen nineties");
    check("Nov. 18", "november eighteenth");
    check("at 2026-11-18T09:30:00Z", "at November eighteenth, twenty twenty six at nine thirty");
}

#[test]
fn money() {
    check("$9.99", "nine dollars and ninety nine cents");
    check("$1 or €20", "one dollar or twenty euros");
    check("$2 million", "two million dollars");
}

#[test]
fn addresses_and_abbreviations() {
    check("123 Main St., Springfield", "one twenty three Main Street, Springfield");
    check(
        "St. John lives at 742 Evergreen Dr.",
        "Saint John lives at seven forty two Evergreen Drive.",
    );
    check("Dr. Holt and Mrs. Diaz", "Doctor Holt and missus Diaz");
    check("Austin, TX 78701", "Austin, TX seven eight seven zero one");
    check("tea, coffee, etc. are here", "tea, coffee, et cetera are here");
    check("call 555-0142", "call five five five, zero one four two");
    check("mail anna.b@example.com", "mail anna dot b at example dot com");
    check("R&D is B2B", "R and D is B two B");
}

/// The voice has no phonemes for digits and would leave them out.
#[test]
fn no_digit_is_left() {
    for text in [
        "v2.1.3",
        "9-17",
        "x86_64",
        "1,2,3",
        "12:99",
        "99/99/9999",
        "007-",
        "½",
        "1e9",
        "$,1",
        "0x1F",
        "3.4.5",
    ] {
        let spoken = spoken_form(text);
        assert!(!spoken.contains(|c: char| c.is_ascii_digit()), "{text}: {spoken}");
    }
}
