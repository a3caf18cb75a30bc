//! Abbreviations and units in words.

/// Abbreviations that are said the same wherever they stand, without their full stop.
const WORDS: &[(&str, &str)] = &[
    ("mr", "mister"),
    ("mrs", "missus"),
    ("ms", "miz"),
    ("prof", "professor"),
    ("jr", "junior"),
    ("sr", "senior"),
    ("e.g", "for example"),
    ("i.e", "that is"),
    ("etc", "et cetera"),
    ("vs", "versus"),
    ("approx", "approximately"),
    ("dept", "department"),
    ("est", "established"),
    ("inc", "incorporated"),
    ("ltd", "limited"),
    ("corp", "corporation"),
    ("ave", "avenue"),
    ("blvd", "boulevard"),
    ("rd", "road"),
    ("hwy", "highway"),
    ("apt", "apartment"),
    ("ste", "suite"),
    ("fl", "floor"),
    ("jan", "january"),
    ("feb", "february"),
    ("mar", "march"),
    ("apr", "april"),
    ("jun", "june"),
    ("jul", "july"),
    ("aug", "august"),
    ("sep", "september"),
    ("sept", "september"),
    ("oct", "october"),
    ("nov", "november"),
    ("dec", "december"),
    ("mon", "monday"),
    ("tue", "tuesday"),
    ("tues", "tuesday"),
    ("wed", "wednesday"),
    ("thu", "thursday"),
    ("thurs", "thursday"),
    ("fri", "friday"),
    ("tel", "telephone"),
];

/// Abbreviations that are words too; they are expanded only with their full stop.
const ONLY_WITH_STOP: &[&str] = &[
    "mar", "jun", "jul", "sep", "dec", "mon", "wed", "sat", "sun", "fri", "fl", "est", "inc", "rd",
    "ms",
];

/// Units after a number, for one and for several.
const UNITS: &[(&str, &str, &str)] = &[
    ("km", "kilometer", "kilometers"),
    ("m", "meter", "meters"),
    ("cm", "centimeter", "centimeters"),
    ("mm", "millimeter", "millimeters"),
    ("kg", "kilogram", "kilograms"),
    ("g", "gram", "grams"),
    ("lb", "pound", "pounds"),
    ("lbs", "pound", "pounds"),
    ("oz", "ounce", "ounces"),
    ("ft", "foot", "feet"),
    ("mi", "mile", "miles"),
    ("mph", "mile per hour", "miles per hour"),
    ("ms", "millisecond", "milliseconds"),
    ("s", "second", "seconds"),
    ("sec", "second", "seconds"),
    ("min", "minute", "minutes"),
    ("mins", "minute", "minutes"),
    ("h", "hour", "hours"),
    ("hr", "hour", "hours"),
    ("hrs", "hour", "hours"),
    ("kb", "kilobyte", "kilobytes"),
    ("mb", "megabyte", "megabytes"),
    ("gb", "gigabyte", "gigabytes"),
    ("tb", "terabyte", "terabytes"),
    ("°c", "degree celsius", "degrees celsius"),
    ("°f", "degree fahrenheit", "degrees fahrenheit"),
    ("am", "a m", "a m"),
    ("a.m", "a m", "a m"),
    ("pm", "p m", "p m"),
    ("p.m", "p m", "p m"),
];

/// The words of an abbreviation. `stop` tells whether a full stop follows it.
pub(super) fn words(core: &str, stop: bool) -> Option<&'static str> {
    let lower = core.to_lowercase();
    // A unit in capitals or a state's letters are no abbreviation of a word.
    if core.len() > 1 && core.chars().all(char::is_uppercase) {
        return None;
    }
    if !stop && ONLY_WITH_STOP.contains(&lower.as_str()) {
        return None;
    }
    WORDS.iter().find(|(short, _)| *short == lower).map(|(_, words)| *words)
}

/// Whether a full stop after this word may belong to the word.
pub(super) fn takes_stop(core: &str) -> bool {
    let lower = core.to_lowercase();
    let is_initial = core.chars().count() == 1 && core.chars().all(char::is_uppercase);
    is_initial
        || ["dr", "st", "no", "a.m", "p.m", "u.s"].contains(&lower.as_str())
        || WORDS.iter().any(|(short, _)| *short == lower)
}

/// The words of a unit after a number.
pub(super) fn unit(core: &str, is_one: bool) -> Option<&'static str> {
    let lower = core.to_lowercase();
    let found = UNITS.iter().find(|(short, _, _)| *short == lower)?;
    Some(if is_one { found.1 } else { found.2 })
}
