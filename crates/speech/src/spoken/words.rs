//! The spoken form of a text: word by word, with the words around it.

use super::abbreviation;
use super::date;
use super::numbers::{cardinal, digits, number, ordinal, year};

/// The text with numbers, dates, times, money, addresses and abbreviations in words. It has no digits.
pub fn spoken_form(text: &str) -> String {
    let separated = text.replace(['–', '—'], " — ").replace('’', "'");
    let tokens: Vec<Token<'_>> = separated.split_whitespace().map(Token::new).collect();
    let said: Vec<String> = (0..tokens.len()).map(|at| said(&tokens, at)).collect();
    said.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A word with the punctuation before and after it.
#[derive(Debug, Clone, Copy)]
struct Token<'a> {
    before: &'a str,
    core: &'a str,
    after: &'a str,
}

impl<'a> Token<'a> {
    fn new(text: &'a str) -> Self {
        let is_core = |c: char| c.is_alphanumeric() || "$€£%&@+°#".contains(c);
        let Some(start) = text.find(is_core) else {
            return Self { before: text, core: "", after: "" };
        };
        let end = text
            .rfind(is_core)
            .map_or(text.len(), |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
        let (before, rest) = text.split_at(start);
        let (core, after) = rest.split_at(end - start);
        // A minus sign belongs to its number.
        let minus = before.ends_with('-') && core.starts_with(|c: char| c.is_ascii_digit());
        let start = if minus { start - 1 } else { start };
        let core = if minus { text.get(start..end).unwrap_or(core) } else { core };
        Self { before: &text[..start], core, after }
    }

    fn is_number(&self) -> bool {
        !self.core.is_empty() && number(self.core).is_some()
    }
}

fn said(tokens: &[Token<'_>], at: usize) -> String {
    let Token { before, core, after } = tokens[at];
    let previous = at.checked_sub(1).and_then(|at| tokens.get(at));
    let next = tokens.get(at + 1);
    let stop = after.starts_with('.');
    let core_said = address_word(core, stop, previous, next)
        .or_else(|| unit_after_number(core, previous))
        .or_else(|| scale_of_money(core, previous))
        .or_else(|| abbreviation::words(core, stop).map(str::to_owned));
    let swallowed = core_said.is_some() && stop && next.is_some();
    let core_said = core_said.or_else(|| numeric(core, previous, next));
    let core_said = core_said.unwrap_or_else(|| plain(core));
    let after = if swallowed { after.trim_start_matches('.') } else { after };
    format!("{}{core_said}{}", marks(before), marks(after))
}

/// The punctuation that a voice can express.
fn marks(text: &str) -> String {
    text.chars().filter(|c| ",.;:!?—…()\"'".contains(*c)).collect()
}

/// "St." and "Dr.", which depend on the words around them.
fn address_word(
    core: &str,
    stop: bool,
    previous: Option<&Token<'_>>,
    next: Option<&Token<'_>>,
) -> Option<String> {
    let is_name = |token: &Token<'_>| token.core.starts_with(char::is_uppercase);
    let after_name = previous.is_some_and(is_name);
    let before_name = next.is_some_and(is_name) && stop;
    let said = match core {
        "St" if after_name => "Street",
        "St" if before_name => "Saint",
        "Dr" if after_name && previous.is_some_and(|token| token.after.is_empty()) => "Drive",
        "Dr" => "Doctor",
        "Ln" if after_name => "Lane",
        "No" if stop && next.is_some_and(Token::is_number) => "number",
        _ => return None,
    };
    Some(said.to_owned())
}

fn unit_after_number(core: &str, previous: Option<&Token<'_>>) -> Option<String> {
    let previous = previous.filter(|token| token.after.is_empty())?;
    let counts = previous.is_number() || date::clock(previous.core).is_some();
    counts.then(|| abbreviation::unit(core, previous.core == "1").map(str::to_owned)).flatten()
}

/// A word with digits.
fn numeric(core: &str, previous: Option<&Token<'_>>, next: Option<&Token<'_>>) -> Option<String> {
    if !core.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let whole = date::date(core).or_else(|| time(core, next)).or_else(|| money(core, next));
    let whole = whole.or_else(|| percent(core)).or_else(|| ordinal_number(core));
    let whole = whole.or_else(|| phone(core)).or_else(|| in_context(core, previous, next));
    Some(whole.or_else(|| number(core)).or_else(|| negative(core)).unwrap_or_else(|| mixed(core)))
}

/// "7:30", "7:30pm", "7pm".
fn time(core: &str, next: Option<&Token<'_>>) -> Option<String> {
    let lower = core.to_lowercase();
    let half = ["a.m", "p.m", "am", "pm"].into_iter().find(|half| lower.ends_with(half));
    let names_half = next.is_some_and(|token| {
        ["am", "pm", "a.m", "p.m"].contains(&token.core.to_lowercase().as_str())
    });
    let Some(half) = half else {
        let said = date::clock(core)?;
        let said = if names_half { said.replace(" o'clock", "") } else { said };
        return Some(said);
    };
    let hours = lower.trim_end_matches(half);
    let said = date::clock(hours).or_else(|| number(hours))?;
    let letter = half.chars().next().unwrap_or('a');
    Some(format!("{} {letter} m", said.replace(" o'clock", "")))
}

const SCALES: [&str; 4] = ["thousand", "million", "billion", "trillion"];

/// The names of a currency and of its small unit, by its sign.
fn currency(sign: char) -> Option<(&'static str, &'static str)> {
    match sign {
        '$' => Some(("dollar", "cent")),
        '€' => Some(("euro", "cent")),
        '£' => Some(("pound", "penny")),
        _ => None,
    }
}

/// "million" after "$2", which is followed by the currency.
fn scale_of_money(core: &str, previous: Option<&Token<'_>>) -> Option<String> {
    let (unit, _) = currency(previous?.core.chars().next()?)?;
    SCALES.contains(&core).then(|| format!("{core} {unit}s"))
}

/// "$9.99", "€3", and the number of "$2 million".
fn money(core: &str, next: Option<&Token<'_>>) -> Option<String> {
    let sign = core.chars().next()?;
    let (unit, small) = currency(sign)?;
    let amount = core.get(sign.len_utf8()..)?;
    if next.is_some_and(|token| SCALES.contains(&token.core)) {
        return number(amount);
    }
    let (whole, cents) = match amount.split_once('.') {
        Some((whole, cents)) if cents.len() == 2 => (whole, cents),
        Some(_) => return Some(format!("{} {unit}s", number(amount)?)),
        None => (amount, "00"),
    };
    let plural = |count: &str, unit: &str| match (count, unit) {
        ("1" | "01", unit) => unit.to_owned(),
        (_, "penny") => "pence".to_owned(),
        (_, unit) => format!("{unit}s"),
    };
    let large = format!("{} {}", number(whole)?, plural(whole, unit));
    let small = format!(
        "{} {}",
        number(cents.trim_start_matches('0')).unwrap_or_default(),
        plural(cents, small)
    );
    Some(match (whole, cents) {
        (_, "00") => large,
        ("0", _) => small,
        _ => format!("{large} and {small}"),
    })
}

fn percent(core: &str) -> Option<String> {
    core.strip_suffix('%').and_then(number).map(|number| format!("{number} percent"))
}

/// "3rd", and "1990s".
fn ordinal_number(core: &str) -> Option<String> {
    let digits_end = core.find(|c: char| !c.is_ascii_digit())?;
    let (count, ending) = core.split_at(digits_end);
    let count: u64 = count.parse().ok().filter(|count| *count < 1_000_000)?;
    match ending {
        "st" | "nd" | "rd" | "th" => Some(ordinal(count)),
        "s" if (1000..2100).contains(&count) => {
            let said = year(count);
            Some(
                said.strip_suffix('y')
                    .map_or_else(|| format!("{said}s"), |said| format!("{said}ies")),
            )
        }
        _ => None,
    }
}

/// Three or more groups of digits, as in a telephone number: "555-0142", "+1-202-555-0142".
fn phone(core: &str) -> Option<String> {
    let count = core.chars().filter(char::is_ascii_digit).count();
    let is_phone = count >= 7
        && core.contains(['-', '+'])
        && core.chars().all(|c| c.is_ascii_digit() || "-+().".contains(c));
    is_phone.then(|| {
        let groups = core.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty());
        groups.map(digits).collect::<Vec<_>>().join(", ")
    })
}

/// Days after a month, years, house numbers and postal codes.
fn in_context(
    core: &str,
    previous: Option<&Token<'_>>,
    next: Option<&Token<'_>>,
) -> Option<String> {
    let value: u64 = core.parse().ok()?;
    let after_month = previous.is_some_and(|token| date::is_month(token.core));
    let before_month = next.is_some_and(|token| date::is_month(token.core));
    if core.len() <= 2 && (1..=31).contains(&value) && (after_month || before_month) {
        return Some(ordinal(value));
    }
    let state =
        |token: &&Token<'_>| token.core.len() == 2 && token.core.chars().all(char::is_uppercase);
    if core.len() == 5 && previous.filter(state).is_some() {
        return Some(digits(core));
    }
    if core.len() == 4 && (1100..2100).contains(&value) && is_year(previous, next) {
        return Some(year(value));
    }
    let before_name = next.is_some_and(|token| token.core.starts_with(char::is_uppercase));
    if (3..=4).contains(&core.len()) && before_name && value % 100 > 9 && !core.starts_with('0') {
        return Some(format!("{} {}", cardinal(value / 100), cardinal(value % 100)));
    }
    None
}

/// A number of four digits is a year unless it counts something.
fn is_year(previous: Option<&Token<'_>>, next: Option<&Token<'_>>) -> bool {
    const BEFORE: &[&str] =
        &["in", "since", "of", "by", "until", "from", "to", "year", "before", "after", "during"];
    let ends = next.is_none_or(|token| !token.core.starts_with(char::is_lowercase));
    previous.is_some_and(|token| {
        BEFORE.contains(&token.core.to_lowercase().as_str())
            || date::is_month(token.core)
            || token.core.parse::<u64>().is_ok_and(|day| day <= 31)
    }) || (ends && previous.is_some_and(|token| token.core.starts_with(char::is_uppercase)))
}

fn negative(core: &str) -> Option<String> {
    core.strip_prefix('-').and_then(number).map(|number| format!("minus {number}"))
}

/// Letters and digits mixed ("B2B", "10km", "v2.1", "9-17"): each run by itself.
fn mixed(core: &str) -> String {
    let mut runs: Vec<String> = Vec::new();
    let mut rest = core;
    while let Some(first) = rest.chars().next() {
        let is_number = first.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != is_number).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        let before_is_number = runs.last().is_some() && !is_number;
        runs.push(match (is_number, run) {
            (true, run) => number(run).unwrap_or_else(|| digits(run)),
            (false, ".") => "point".to_owned(),
            (false, "-" | ":" | "/") => "to".to_owned(),
            (false, run) => abbreviation::unit(run, false)
                .filter(|_| before_is_number)
                .map_or_else(|| plain(run), str::to_owned),
        });
        rest = after;
    }
    runs.retain(|run| !run.is_empty());
    runs.join(" ")
}

/// A word without digits: symbols as words, hyphens and slashes as spaces.
fn plain(core: &str) -> String {
    match core {
        "&" | "+" => return "and".to_owned(),
        "@" => return "at".to_owned(),
        "%" => return "percent".to_owned(),
        _ => {}
    }
    let is_address =
        core.contains('@') || (core.contains('.') && core.split('.').all(|part| part.len() > 1));
    let dot = if is_address { " dot " } else { " " };
    let word = core.replace('@', " at ").replace('&', " and ").replace('%', " percent ");
    let word = word.replace(['-', '_', '/', '\\', '='], " ").replace('.', dot);
    let kept = word.chars().filter(|c| c.is_alphabetic() || c.is_whitespace() || *c == '\'');
    kept.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
