//! Where words begin and end. `don't`, `e-mail`, `A/B`, `C++` and `3.14` are one word each, as a
//! reader sees them; `render-farm` and `ada_lovelace` are two.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use super::letter::{CharClass, folded, kind};

/// Letters of a word that count; two words that differ only after them are one.
const LONGEST: usize = 64;

/// Whether the last letter of a run of a script without spaces is a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TailRule {
    /// It is a word too, so that each letter of the run begins one: for prefixes.
    Keep,
    Drop,
}

#[derive(Debug, Clone)]
pub(super) struct Splitter(pub(super) TailRule);

impl Tokenizer for Splitter {
    type TokenStream<'a> = Split<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Split<'a> {
        Split { text, at: 0, run: false, next: 0, tails: self.0, token: Token::default() }
    }
}

#[derive(Debug)]
pub(super) struct Split<'a> {
    text: &'a str,
    /// Where to continue.
    at: usize,
    /// Whether a dense run continues there.
    run: bool,
    /// The position of the next word.
    next: usize,
    tails: TailRule,
    token: Token,
}

impl TokenStream for Split<'_> {
    fn advance(&mut self) -> bool {
        while let Some(c) = self.peek(self.at) {
            let found = match kind(c) {
                CharClass::Spaced => self.word(),
                CharClass::Dense => self.pair(c),
                CharClass::Emoji => self.emit(self.at..self.at + c.len_utf8()),
                CharClass::Mark | CharClass::Other => {
                    self.at += c.len_utf8();
                    false
                }
            };
            if found {
                return true;
            }
        }
        false
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

impl Split<'_> {
    fn peek(&self, at: usize) -> Option<char> {
        self.text[at..].chars().next()
    }

    fn is(&self, at: usize, wanted: CharClass) -> bool {
        self.peek(at).is_some_and(|c| kind(c) == wanted)
    }

    /// A word is text from here on; `push` fills it.
    fn begin(&mut self) {
        self.token.text.clear();
        self.token.offset_from = self.at;
        self.token.position = self.next;
        self.token.position_length = 1;
        self.next += 1;
    }

    fn end(&mut self, at: usize) -> bool {
        self.token.offset_to = at;
        self.at = at;
        true
    }

    fn emit(&mut self, range: std::ops::Range<usize>) -> bool {
        self.begin();
        let text = self.text;
        text[range.clone()].chars().for_each(|c| self.push(c));
        self.end(range.end)
    }

    fn push(&mut self, c: char) {
        if c.is_ascii() {
            self.token.text.push(c.to_ascii_lowercase());
        } else if kind(c) != CharClass::Mark {
            let lower = c.to_lowercase().filter(|c| kind(*c) != CharClass::Mark);
            self.token.text.extend(lower.map(folded));
        }
    }

    /// The pair of letters that begins here, or the last letter of a run.
    fn pair(&mut self, c: char) -> bool {
        let middle = self.at + c.len_utf8();
        let follower = self.peek(middle).filter(|c| kind(*c) == CharClass::Dense);
        let (tail, began) = (follower.is_none(), self.run);
        self.run = !tail;
        let end = middle + follower.map_or(0, char::len_utf8);
        if tail && began && self.tails == TailRule::Drop {
            self.next += 1;
            self.at = middle;
            return false;
        }
        self.emit(self.at..end);
        self.at = middle;
        true
    }

    /// The word of a spaced script that begins here.
    fn word(&mut self) -> bool {
        self.begin();
        let (mut at, mut letters, mut previous) = (self.at, 0, ' ');
        while let Some(c) = self.peek(at) {
            if matches!(kind(c), CharClass::Spaced | CharClass::Mark) {
                letters += usize::from(kind(c) == CharClass::Spaced);
                if letters <= LONGEST {
                    self.push(c);
                }
                (at, previous) = (at + c.len_utf8(), c);
                continue;
            }
            match self.joint(at, c, letters, previous) {
                JoinRole::End => break,
                JoinRole::Silent => at += c.len_utf8(),
                JoinRole::Kept(text) => {
                    self.token.text.push_str(text);
                    at += text.len();
                }
                JoinRole::Owner => {
                    self.end(at);
                    self.at = at + c.len_utf8() + 1;
                    return true;
                }
            }
        }
        self.end(at)
    }

    /// The role of `c`, which is no letter, between the letters on its two sides.
    fn joint(&self, at: usize, c: char, letters: usize, previous: char) -> JoinRole {
        let after = at + c.len_utf8();
        let next = self.peek(after).unwrap_or(' ');
        let ends = |at: usize| !self.is(at, CharClass::Spaced);
        let single = letters == 1 && previous.is_alphabetic();
        match c {
            '\'' | '’' | 'ʼ' if matches!(next, 's' | 'S') && ends(after + 1) => JoinRole::Owner,
            '\'' | '’' | 'ʼ' if next.is_alphabetic() => JoinRole::Silent,
            '.' if previous.is_ascii_digit() && next.is_ascii_digit() => JoinRole::Kept("."),
            '-' | '‐' | '‑' if single && matches!(previous, 'e' | 'E') && next.is_alphabetic() => {
                JoinRole::Silent
            }
            '/' if single && next.is_alphabetic() && ends(after + next.len_utf8()) => {
                JoinRole::Silent
            }
            '+' if next == '+' && ends(after + 1) => JoinRole::Kept("++"),
            '#' if single && ends(after) => JoinRole::Kept("#"),
            _ => JoinRole::End,
        }
    }
}

/// The role of a character between letters.
enum JoinRole {
    /// The word ends.
    End,
    /// The word continues without the character.
    Silent,
    /// The word continues with the character.
    Kept(&'static str),
    /// The word ends; a possessive `s` follows.
    Owner,
}
