//! Expands abbreviations of chat before the rules read the words.

/// Each short form with its words.
const FORMS: &[(&str, &str)] = &[
    ("pls", "please"),
    ("plz", "please"),
    ("w", "with"),
    ("w/", "with"),
    ("u", "you"),
    ("ur", "your"),
    ("tmrw", "tomorrow"),
    ("tmr", "tomorrow"),
    ("tmw", "tomorrow"),
    ("2moro", "tomorrow"),
    ("mtg", "meeting"),
    ("appt", "appointment"),
    ("hr", "hour"),
    ("hrs", "hours"),
    ("b4", "before"),
    ("wat", "what"),
    ("wht", "what"),
    ("abt", "about"),
    ("ppl", "people"),
];

/// The text with its abbreviations expanded. Text after a colon is left unchanged, because the
/// person gives it as input for a tool.
pub(super) fn written_out(text: &str) -> String {
    let end = text.find(": ").or_else(|| text.find(":\n")).unwrap_or(text.len());
    let (ours, given) = text.split_at(end);
    let lines = ours.split('\n').map(line);
    lines.collect::<Vec<_>>().join("\n") + given
}

fn line(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let written = words.iter().enumerate().map(|(at, word)| {
        let between = at > 0 && at + 1 < words.len();
        match word.strip_prefix("w/").filter(|name| !name.is_empty()) {
            Some(name) => format!("with {name}"),
            // "Me n Jon"; alone it is a no.
            None if between && *word == "n" => "and".to_owned(),
            None => long_form(word),
        }
    });
    written.collect::<Vec<_>>().join(" ")
}

/// A word with its punctuation, its short form replaced.
fn long_form(word: &str) -> String {
    let bare = word.trim_end_matches(['.', ',', '!', '?']);
    let form = FORMS.iter().find(|(short, _)| bare.eq_ignore_ascii_case(short));
    form.map_or_else(|| word.to_owned(), |(_, long)| format!("{long}{}", &word[bare.len()..]))
}

#[cfg(test)]
#[path = "shorthand_tests.rs"]
mod tests;
