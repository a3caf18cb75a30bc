//! The class of a character for the splitter, and which letters are taken for equal beyond the
//! folding of Latin letters.

/// The class of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CharClass {
    /// A letter or digit of a script that puts spaces between words.
    Spaced,
    /// A letter of a script that does not, or whose words carry endings (Korean).
    Dense,
    /// Stands on something before it; words are compared without it.
    Mark,
    /// A separate word.
    Emoji,
    /// Space, punctuation, controls.
    Other,
}

pub(crate) fn kind(c: char) -> CharClass {
    match c {
        _ if c.is_ascii_alphanumeric() => CharClass::Spaced,
        '\0'..='\u{7f}' => CharClass::Other,
        _ if is_mark(c) => CharClass::Mark,
        _ if is_dense(c) => CharClass::Dense,
        _ if is_emoji(c) => CharClass::Emoji,
        _ if c.is_alphanumeric() => CharClass::Spaced,
        _ => CharClass::Other,
    }
}

/// Accents, vowel points, signs that join or kill a vowel, invisible joiners, skin tones.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}'
        | '\u{5bf}' | '\u{5c1}'..='\u{5c2}' | '\u{5c4}'..='\u{5c5}' | '\u{5c7}'
        | '\u{610}'..='\u{61a}' | '\u{640}' | '\u{64b}'..='\u{65f}' | '\u{670}'
        | '\u{6d6}'..='\u{6dc}' | '\u{6df}'..='\u{6e4}' | '\u{6e7}'..='\u{6e8}'
        | '\u{93c}' | '\u{94d}' | '\u{9bc}' | '\u{9cd}' | '\u{a3c}' | '\u{a4d}' | '\u{abc}'
        | '\u{acd}' | '\u{b3c}' | '\u{b4d}' | '\u{bcd}' | '\u{c4d}' | '\u{cbc}' | '\u{ccd}'
        | '\u{d4d}' | '\u{dca}' | '\u{200b}'..='\u{200f}' | '\u{20d0}'..='\u{20f0}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{1f3fb}'..='\u{1f3ff}')
}

/// Thai, Lao, Burmese, Khmer, Korean, Japanese, Chinese.
fn is_dense(c: char) -> bool {
    matches!(c,
        '\u{e01}'..='\u{e3a}' | '\u{e40}'..='\u{e4e}' | '\u{e81}'..='\u{ecd}'
        | '\u{1000}'..='\u{103f}' | '\u{1100}'..='\u{11ff}' | '\u{1780}'..='\u{17d3}'
        | '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{3096}' | '\u{309d}'..='\u{309f}'
        | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' | '\u{3105}'..='\u{318e}'
        | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9d}'
        | '\u{20000}'..='\u{3ffff}')
}

fn is_emoji(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27bf}' | '\u{2b05}'..='\u{2b55}' | '\u{1f000}'..='\u{1faff}')
}

/// The canonical letter for this one, if writers mix the two.
pub(super) fn folded(c: char) -> char {
    match c {
        'ά' => 'α',
        'έ' => 'ε',
        'ή' => 'η',
        'ί' | 'ϊ' | 'ΐ' => 'ι',
        'ό' => 'ο',
        'ύ' | 'ϋ' | 'ΰ' => 'υ',
        'ώ' => 'ω',
        'ς' => 'σ',
        'ё' => 'е',
        'أ' | 'إ' | 'آ' | 'ٱ' => 'ا',
        'ى' => 'ي',
        'ة' => 'ه',
        _ => c,
    }
}
