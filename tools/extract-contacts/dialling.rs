//! Country codes and the prefixes that are dialled inside of a country.

/// The assigned country codes of E.164, as ranges.
const CODES: &[(u16, u16)] = &[
    (1, 1),
    (7, 7),
    (20, 20),
    (27, 27),
    (30, 34),
    (36, 36),
    (39, 41),
    (43, 49),
    (51, 58),
    (60, 66),
    (81, 82),
    (84, 84),
    (86, 86),
    (90, 95),
    (98, 98),
    (211, 213),
    (216, 216),
    (218, 218),
    (220, 258),
    (260, 269),
    (290, 291),
    (297, 299),
    (350, 359),
    (370, 378),
    (380, 383),
    (385, 387),
    (389, 389),
    (420, 421),
    (423, 423),
    (500, 509),
    (590, 599),
    (670, 670),
    (672, 683),
    (685, 692),
    (800, 800),
    (808, 808),
    (850, 850),
    (852, 853),
    (855, 856),
    (870, 870),
    (878, 878),
    (880, 883),
    (886, 886),
    (888, 888),
    (960, 968),
    (970, 977),
    (979, 979),
    (992, 996),
    (998, 998),
];

/// Countries whose prefix for calls inside of the country is not a single zero.
const TRUNKS: &[(&str, &str)] =
    &[("+1", "1"), ("+7", "8"), ("+36", "06"), ("+39", ""), ("+378", "")];

/// The fewest and the most digits of a number with its country code.
const LENGTH: std::ops::RangeInclusive<usize> = 8..=15;

/// The country code of a number that is written with one, if it is assigned and the number has a
/// possible length.
pub(super) fn calling_code(raw: &str) -> Option<u16> {
    let digits = with_country(raw)?;
    let code = (1..=3).find_map(|length| {
        let code: u16 = digits.get(..length)?.parse().ok()?;
        let assigned = CODES.iter().any(|(first, last)| (*first..=*last).contains(&code));
        // A code with a leading zero does not exist.
        (assigned && code.to_string().len() == length).then_some(code)
    });
    code.filter(|_| LENGTH.contains(&digits.len()))
}

/// The digits from the country code on, if the number is written with one.
fn with_country(raw: &str) -> Option<String> {
    let digits = digits(&raw.replacen("(0)", "", 1));
    if raw.trim_start_matches('(').starts_with('+') {
        return Some(digits);
    }
    digits.strip_prefix("00").map(str::to_owned)
}

/// A number in international form, if its country is known.
pub(super) fn international(raw: &str, country_code: Option<&str>) -> Option<String> {
    if let Some(digits) = with_country(raw) {
        return calling_code(raw).map(|_| format!("+{digits}"));
    }
    let code = country_code?;
    let trunk = TRUNKS.iter().find(|(of, _)| *of == code).map_or("0", |(_, trunk)| *trunk);
    let digits = digits(raw);
    let national = digits.strip_prefix(trunk).unwrap_or(&digits);
    let e164 = format!("{code}{national}");
    LENGTH.contains(&(e164.len() - 1)).then_some(e164)
}

fn digits(raw: &str) -> String {
    raw.chars().filter(char::is_ascii_digit).collect()
}
