//! Extracts addresses, links, quotations, numbers and record ids from the words.

use super::word::is_telling;

/// The words of a text without adjacent punctuation.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let apart = |letter: char| letter.is_whitespace() || "<>(),;\"“”„[]".contains(letter);
    text.split(apart).map(|word| word.trim_matches(|letter: char| ".!?:'".contains(letter)))
}

/// Email addresses, in order, each once.
pub(super) fn emails(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for token in tokens(text) {
        let token = token.strip_prefix("mailto:").unwrap_or(token);
        if is_email(token) && !found.iter().any(|known| known == token) {
            found.push(token.to_owned());
        }
    }
    found
}

/// Whether a text looks like an email address.
pub(super) fn is_email(text: &str) -> bool {
    let Some((name, host)) = text.split_once('@') else { return false };
    let part = |part: &str, more: &str| {
        !part.is_empty()
            && part.chars().all(|next| next.is_ascii_alphanumeric() || more.contains(next))
    };
    let labels = host.split('.').all(|label| part(label, "-"));
    part(name, "._%+-")
        && !name.starts_with('.')
        && !name.ends_with('.')
        && !name.contains("..")
        && labels
        && host.contains('.')
}

/// Web addresses, in order.
pub(super) fn links(text: &str) -> Vec<String> {
    let apart = |letter: char| letter.is_whitespace() || "<>\"“”".contains(letter);
    let words = text
        .split(apart)
        .map(|word| word.trim_end_matches(|letter: char| ".,;!?)".contains(letter)));
    let links = words.filter(|word| {
        word.strip_prefix("https://")
            .or_else(|| word.strip_prefix("http://"))
            .is_some_and(|rest| rest.len() > 2)
    });
    links.map(str::to_owned).collect()
}

/// Texts in quotation marks, in order.
pub(super) fn quoted(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['"', '“', '„']) {
        let mark = rest[at..].chars().next().map_or(1, char::len_utf8);
        let inside = &rest[at + mark..];
        let Some(end) = inside.find(['"', '”', '“']) else { break };
        let quotation = inside[..end].trim();
        if !quotation.is_empty() {
            found.push(quotation.to_owned());
        }
        let mark = inside[end..].chars().next().map_or(1, char::len_utf8);
        rest = &inside[end + mark..];
    }
    found
}

/// Numbers, in order.
pub(super) fn numbers(text: &str) -> Vec<f64> {
    let apart = |letter: char| !(letter.is_ascii_digit() || ".-+".contains(letter));
    let words = text.split(apart).map(|word| word.trim_end_matches(['.', '-', '+']));
    words.filter_map(|word| word.parse::<f64>().ok()).filter(|number| number.is_finite()).collect()
}

/// Ids like `person:mira_holt`, in order.
pub(super) fn record_ids(text: &str) -> Vec<String> {
    let ids = tokens(text).filter(|token| {
        token.split_once(':').is_some_and(|(kind, name)| {
            let kind_fits = !kind.is_empty()
                && kind.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
            let name_fits = !name.is_empty()
                && !name.starts_with("//")
                && name.chars().all(|letter| letter.is_alphanumeric() || "_-.".contains(letter))
                && name.chars().any(char::is_alphabetic);
            kind_fits && name_fits
        })
    });
    ids.map(str::to_owned).collect()
}

/// The text after the first of the phrases, ignoring case.
pub(super) fn after<'a>(text: &'a str, phrases: &[&str]) -> Option<&'a str> {
    let lower = text.to_ascii_lowercase();
    let starts = phrases.iter().filter_map(|phrase| {
        let found = lower.match_indices(phrase).find(|(at, _)| {
            let apart =
                lower[..*at].chars().next_back().is_none_or(|letter| !letter.is_alphanumeric());
            let before = apart || phrase.starts_with(' ');
            let behind = &lower[at + phrase.len()..];
            let complete = phrase.ends_with([' ', ':'])
                || behind.chars().next().is_none_or(|letter| !letter.is_alphanumeric());
            before && complete
        });
        found.map(|(at, phrase)| (at, at + phrase.len()))
    });
    let (_, end) = starts.min_by_key(|(at, end)| (*at, std::cmp::Reverse(*end)))?;
    Some(text[end..].trim())
}

/// Names: sequences of capitalised words, except a single first word of a sentence.
pub(super) fn names(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut found = Vec::new();
    let mut name: Vec<&str> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        let bare = bare.trim_end_matches("'s").trim_end_matches("\u{2019}s");
        let capital = bare.chars().next().is_some_and(char::is_uppercase) && !bare.contains('@');
        let begins = at == 0 || words[at - 1].ends_with(['.', '!', '?', ':']);
        let starts = begins && name.is_empty();
        if capital
            && !(starts && !(is_name_like(&words, at) && is_telling(bare)))
            && !is_calendar_word(bare)
        {
            name.push(bare);
        } else if !name.is_empty() {
            found.push(name.join(" "));
            name.clear();
        }
        if word.ends_with([',', ';', '.', '?', '!']) && !name.is_empty() {
            found.push(name.join(" "));
            name.clear();
        }
    }
    if !name.is_empty() {
        found.push(name.join(" "));
    }
    found.retain(|name| name != "I");
    found
}

/// Two capitalised words at the beginning of a sentence are a name.
fn is_name_like(words: &[&str], at: usize) -> bool {
    words.get(at + 1).is_some_and(|next| next.chars().next().is_some_and(char::is_uppercase))
}

fn is_calendar_word(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "i",
        "am",
        "pm",
        "utc",
    ];
    WORDS.contains(&word.to_lowercase().as_str())
}

#[cfg(test)]
#[path = "extract_tests.rs"]
mod tests;
