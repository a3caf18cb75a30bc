//! Invisible characters, which models read.
//!
//! Emoji sequences, flags, and joiners inside of the scripts that are written
//! with them are left alone.

use std::ops::Range;

/// Hidden characters side by side.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Bytes of the text.
    pub(super) place: Range<usize>,
    pub(super) characters: Vec<char>,
}

/// The runs of hidden characters in a text.
pub(super) fn runs(text: &str) -> Vec<Run> {
    let plain = text.is_ascii() && !text.bytes().any(|byte| is_hidden(char::from(byte)));
    if plain || !text.chars().any(is_hidden) {
        return Vec::new();
    }
    let characters: Vec<_> = text.char_indices().collect();
    let mut runs: Vec<Run> = Vec::new();
    let mut at = 0;
    while let Some(&(start, c)) = characters.get(at) {
        let fine = if is_hidden(c) { excused(&characters, at) } else { 1 };
        if fine == 0 {
            extend(&mut runs, start, c);
        }
        at += fine.max(1);
    }
    runs
}

fn extend(runs: &mut Vec<Run>, start: usize, c: char) {
    let end = start + c.len_utf8();
    match runs.last_mut() {
        Some(run) if run.place.end == start => {
            run.place.end = end;
            run.characters.push(c);
        }
        _ => runs.push(Run { place: start..end, characters: vec![c] }),
    }
}

/// Control characters and default-ignorable characters of Unicode.
pub(super) fn is_hidden(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' | ' '..='~' => false,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => true,
        _ => is_ignorable(c),
    }
}

fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// The number of hidden characters from here on that are legitimate.
fn excused(characters: &[(usize, char)], at: usize) -> usize {
    let near = |offset: isize| {
        let index = at.checked_add_signed(offset)?;
        characters.get(index).map(|(_, c)| *c)
    };
    let Some((before, c)) = near(-1).zip(near(0)) else { return 0 };
    let after = near(1);
    let fine = match c {
        '\u{fe0e}' | '\u{fe0f}' => {
            is_emoji(before) || (is_keycap(before) && after == Some('\u{20e3}'))
        }
        '\u{200d}' if after.is_some_and(is_emoji) => {
            let base = if before == '\u{fe0f}' { near(-2) } else { Some(before) };
            base.is_some_and(is_emoji)
        }
        '\u{200c}' | '\u{200d}' => joins(before) && after.is_some_and(joins),
        '\u{e0100}'..='\u{e01ef}' | '\u{fe00}'..='\u{fe02}' => is_ideograph(before),
        '\u{180b}'..='\u{180d}' => ('\u{1820}'..='\u{18aa}').contains(&before),
        _ => return if before == '\u{1f3f4}' { flag(&characters[at..]) } else { 0 },
    };
    usize::from(fine)
}

/// The flags that are spelled with tag characters.
const FLAGS: [&str; 3] = ["gbeng", "gbsct", "gbwls"];

/// The length of a flag's spelling, its end included.
fn flag(rest: &[(usize, char)]) -> usize {
    let length = FLAGS[0].len();
    let spelled: Option<String> = rest.iter().take(length).map(|(_, c)| tagged(*c)).collect();
    let ended = rest.get(length).is_some_and(|(_, c)| *c == '\u{e007f}');
    let known = spelled.is_some_and(|spelled| FLAGS.contains(&spelled.as_str()));
    if known && ended { length + 1 } else { 0 }
}

/// The ASCII character of a tag character.
pub(super) fn tagged(c: char) -> Option<char> {
    let code = u32::from(c).checked_sub(0xe0000)?;
    char::from_u32(code).filter(|c| matches!(c, ' '..='~'))
}

fn is_emoji(c: char) -> bool {
    matches!(c,
        '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}'
        | '\u{2194}'..='\u{21aa}' | '\u{231a}'..='\u{23ff}' | '\u{24c2}'
        | '\u{25aa}'..='\u{25fe}' | '\u{2600}'..='\u{27bf}' | '\u{2934}'..='\u{2935}'
        | '\u{2b05}'..='\u{2b55}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}'
        | '\u{1f000}'..='\u{1faff}')
}

fn is_keycap(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '#' | '*')
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Letters of the scripts that are written with joiners: Arabic and its kin, those of India,
/// Myanmar, Cambodia and Mongolia.
fn joins(c: char) -> bool {
    let letter = c.is_alphanumeric() || matches!(c, '\u{900}'..='\u{dff}');
    letter
        && matches!(c,
            '\u{600}'..='\u{dff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{18af}'
            | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// The name of a hidden character.
pub(super) fn name(c: char) -> &'static str {
    match c {
        '\u{ad}' => "soft hyphen",
        '\u{200b}' => "zero width space",
        '\u{200c}' => "zero width non-joiner",
        '\u{200d}' => "zero width joiner",
        '\u{200e}' => "left-to-right mark",
        '\u{200f}' => "right-to-left mark",
        '\u{202a}' | '\u{202b}' => "bidirectional embedding",
        '\u{202d}' | '\u{202e}' => "bidirectional override",
        '\u{61c}' | '\u{202c}' | '\u{2066}'..='\u{2069}' => "bidirectional control",
        '\u{2060}' => "word joiner",
        '\u{2061}'..='\u{2064}' => "invisible operator",
        '\u{feff}' => "zero width no-break space",
        '\u{180b}'..='\u{180d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => {
            "variation selector"
        }
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => "hangul filler",
        '\u{e0000}'..='\u{e007f}' => "tag character",
        c if c.is_control() => "control character",
        _ => "invisible character",
    }
}

#[cfg(test)]
#[path = "hidden_tests.rs"]
mod tests;
