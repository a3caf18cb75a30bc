//! Splits an utterance into words, without the characters that recognisers and keyboards add.

/// The words in lower case: without punctuation, with plain apostrophes inside of them.
///
/// Characters other than punctuation stay, so that they form a word that no grammar knows.
pub(super) fn split(text: &str) -> Vec<String> {
    let plain: String = text
        .chars()
        .map(narrow)
        .filter(|c| !is_invisible(*c))
        .flat_map(char::to_lowercase)
        .collect();
    let words = plain.split(is_separator).map(|word| word.trim_matches('\''));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Whether the text has a question mark of any script.
pub(super) fn asks(text: &str) -> bool {
    text.chars().map(narrow).any(|c| {
        matches!(c, '?' | '¿' | '⁇' | '⁈' | '⁉' | '‽' | '؟' | '՞' | '\u{37e}' | '፧' | '꘏' | '⸮')
    })
}

/// Maps full-width forms to plain characters, and every apostrophe to one.
fn narrow(c: char) -> char {
    let c = match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        c => c,
    };
    match c {
        '‘' | '’' | '‛' | 'ʼ' | 'ʹ' | '`' | '´' | '′' | '\u{55a}' | '\u{a78c}' => '\'',
        c => c,
    }
}

/// Characters without width, which do not split a word.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

fn is_separator(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '"' | '(' | ')' | '[' | ']' | '-' | '/')
        || matches!(
            c,
            '…' | '“' | '”' | '„' | '«' | '»' | '‐'..='―' | '。' | '、' | '・' | '¡' | '¿'
        )
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
