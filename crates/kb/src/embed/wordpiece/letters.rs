//! Words as BERT's uncased models know them: lower case, without accents; control characters are
//! dropped, punctuation and Chinese characters are separate words.

use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::char::decompose_canonical;

/// Hands out the words of a text one by one.
pub(super) struct WordIter<F> {
    word: String,
    found: F,
}

impl<F: FnMut(&str)> WordIter<F> {
    pub(super) fn new(found: F) -> Self {
        Self { word: String::new(), found }
    }

    pub(super) fn read(mut self, text: &str) {
        for letter in text.chars() {
            if letter.is_ascii() {
                self.ascii(letter);
            } else {
                self.unicode(letter);
            }
        }
        self.end();
    }

    #[inline]
    fn ascii(&mut self, letter: char) {
        match letter {
            'a'..='z' | '0'..='9' => self.word.push(letter),
            'A'..='Z' => self.word.push(letter.to_ascii_lowercase()),
            ' ' | '\t' | '\n' | '\r' => self.end(),
            _ if letter.is_ascii_control() => {}
            _ => self.alone(letter),
        }
    }

    fn unicode(&mut self, letter: char) {
        if is_dropped(letter) {
            return;
        }
        let chinese = is_chinese(letter);
        if chinese {
            self.end();
        }
        decompose_canonical(letter, |part| {
            if get_general_category(part) != GeneralCategory::NonspacingMark {
                part.to_lowercase().for_each(|letter| self.normal(letter));
            }
        });
        if chinese {
            self.end();
        }
    }

    fn normal(&mut self, letter: char) {
        if letter.is_whitespace() {
            self.end();
        } else if is_punctuation(letter) {
            self.alone(letter);
        } else {
            self.word.push(letter);
        }
    }

    fn alone(&mut self, letter: char) {
        self.end();
        self.word.push(letter);
        self.end();
    }

    fn end(&mut self) {
        if !self.word.is_empty() {
            (self.found)(&self.word);
            self.word.clear();
        }
    }
}

fn is_dropped(letter: char) -> bool {
    use GeneralCategory::{Control, Format, PrivateUse};
    letter == char::REPLACEMENT_CHARACTER
        || matches!(get_general_category(letter), Control | Format | PrivateUse)
}

fn is_punctuation(letter: char) -> bool {
    use GeneralCategory::{
        ClosePunctuation, ConnectorPunctuation, DashPunctuation, FinalPunctuation,
        InitialPunctuation, OpenPunctuation, OtherPunctuation,
    };
    letter.is_ascii_punctuation()
        || matches!(
            get_general_category(letter),
            ClosePunctuation
                | ConnectorPunctuation
                | DashPunctuation
                | FinalPunctuation
                | InitialPunctuation
                | OpenPunctuation
                | OtherPunctuation
        )
}

/// The blocks of Chinese characters; Japanese and Korean letters are written in words.
fn is_chinese(letter: char) -> bool {
    matches!(u32::from(letter),
        0x4e00..=0x9fff
        | 0x3400..=0x4dbf
        | 0x20000..=0x2a6df
        | 0x2a700..=0x2b73f
        | 0x2b740..=0x2b81f
        | 0x2b920..=0x2ceaf
        | 0xf900..=0xfaff
        | 0x2f800..=0x2fa1f)
}
