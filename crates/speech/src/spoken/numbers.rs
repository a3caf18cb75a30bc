//! Numbers in words.

const ONES: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 10] =
    ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const SCALES: [(u64, &str); 4] = [
    (1_000_000_000_000, "trillion"),
    (1_000_000_000, "billion"),
    (1_000_000, "million"),
    (1_000, "thousand"),
];

/// The largest number that is said as a number; the digits of a larger one are said one by one.
const LARGEST: u64 = 999_999_999_999_999;

/// "one hundred five".
pub(super) fn cardinal(number: u64) -> String {
    if number < 20 {
        return ONES[number as usize].to_owned();
    }
    if number < 100 {
        let (tens, ones) = (TENS[(number / 10) as usize], number % 10);
        return joined(tens.to_owned(), ones);
    }
    if number < 1000 {
        return joined(format!("{} hundred", ONES[(number / 100) as usize]), number % 100);
    }
    let scale = SCALES.iter().find(|(scale, _)| number >= *scale);
    match scale {
        Some((scale, name)) => {
            joined(format!("{} {name}", cardinal(number / scale)), number % scale)
        }
        None => String::new(),
    }
}

fn joined(head: String, rest: u64) -> String {
    if rest == 0 { head } else { format!("{head} {}", cardinal(rest)) }
}

/// "twenty first".
pub(super) fn ordinal(number: u64) -> String {
    let words = cardinal(number);
    let (head, last) =
        words.rsplit_once(' ').map_or(("", words.as_str()), |(head, last)| (head, last));
    let last = match last {
        "one" => "first".to_owned(),
        "two" => "second".to_owned(),
        "three" => "third".to_owned(),
        "five" => "fifth".to_owned(),
        "eight" => "eighth".to_owned(),
        "nine" => "ninth".to_owned(),
        "twelve" => "twelfth".to_owned(),
        last if last.ends_with('y') => format!("{}ieth", last.trim_end_matches('y')),
        last => format!("{last}th"),
    };
    if head.is_empty() { last } else { format!("{head} {last}") }
}

/// "nineteen oh five", "two thousand eight", "twenty twenty six".
pub(super) fn year(year: u64) -> String {
    let (century, rest) = (year / 100, year % 100);
    match (century, rest) {
        (20, 0..=9) => cardinal(year),
        (_, 0) if century % 10 == 0 => cardinal(year),
        (_, 0) => format!("{} hundred", cardinal(century)),
        (_, 1..=9) => format!("{} oh {}", cardinal(century), cardinal(rest)),
        _ => format!("{} {}", cardinal(century), cardinal(rest)),
    }
}

/// The digits one by one; other characters are left out.
pub(super) fn digits(text: &str) -> String {
    let names = text.chars().filter_map(|c| ONES.get(c.to_digit(10)? as usize));
    names.copied().collect::<Vec<_>>().join(" ")
}

/// A whole number with or without separators, or a decimal number: "1,250", "3.14", "007".
pub(super) fn number(text: &str) -> Option<String> {
    let (whole, fraction) =
        text.split_once('.').map_or((text, None), |(whole, f)| (whole, Some(f)));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let whole = without_separators(whole)?;
    let said = match whole.as_str() {
        "" => fraction.map(|_| "zero".to_owned())?,
        whole if whole.len() > 1 && whole.starts_with('0') => digits(whole),
        whole => match whole.parse::<u64>() {
            Ok(number) if number <= LARGEST => cardinal(number),
            _ => digits(whole),
        },
    };
    match fraction {
        None => Some(said),
        Some(fraction) if is_digits(fraction) => Some(format!("{said} point {}", digits(fraction))),
        Some(_) => None,
    }
}

/// The digits of "1,250" or "1250"; none for anything else.
fn without_separators(text: &str) -> Option<String> {
    let mut groups = text.split(',');
    let first = groups.next().unwrap_or_default();
    let is_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let grouped = text.contains(',');
    let fits = is_digits(first)
        && (!grouped || (1..=3).contains(&first.len()))
        && groups.all(|group| group.len() == 3 && is_digits(group));
    fits.then(|| text.replace(',', ""))
}
