//! The phonemes of a text that has no digits, in the alphabet of the voice. Words come from the dictionary, with
//! their endings if need be; names and unknown words are guessed from their letters, and capitals are spelled.

use std::path::Path;

use super::heteronym;
use super::lexicon::{Entry, Lexicon};
use super::oov::Guesser;
use crate::error::SpeechError;
use crate::network::Lane;

const STRONG: char = 'ˈ';
const WEAK: char = 'ˌ';
const VOWELS: &str = "AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻɐ";
/// Punctuation that the voice has a pause or a tone for.
const PAUSES: &str = ";:,.!?—…\"()“”";

#[derive(Debug)]
pub(super) struct Phonemizer {
    /// The checked dictionary, then the one that was made by rules.
    lexicons: [Lexicon; 2],
    guesser: Guesser,
}

/// A piece of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece<'a> {
    Word(&'a str),
    Pause(char),
    Space,
}

impl Phonemizer {
    pub(super) fn load(folder: &Path) -> Result<Self, SpeechError> {
        Ok(Self { lexicons: Lexicon::load(folder)?, guesser: Guesser::load(folder)? })
    }

    /// The phonemes, with the spaces and the punctuation of the text. Read backwards, because the weak words
    /// ("the", "to") depend on the sound after them.
    pub(super) fn phonemes(&self, text: &str, lane: &Lane) -> Result<String, SpeechError> {
        let pieces = pieces(text);
        let words: Vec<&str> = pieces
            .iter()
            .filter_map(|piece| if let Piece::Word(word) = piece { Some(*word) } else { None })
            .collect();
        let mut at = words.len();
        let mut next = Following::End;
        let mut said: Vec<String> = Vec::with_capacity(pieces.len());
        for piece in pieces.iter().rev() {
            match piece {
                Piece::Space => said.push(" ".to_owned()),
                Piece::Pause(pause) => {
                    next = Following::End;
                    said.push(pause.to_string());
                }
                Piece::Word(word) => {
                    at -= 1;
                    let before = at.checked_sub(1).and_then(|at| words.get(at)).copied();
                    let around = Around { before, after: words.get(at + 1).copied(), next };
                    let phonemes = self.word(word, around, lane)?;
                    next = Following::of(&phonemes).unwrap_or(next);
                    said.push(phonemes);
                }
            }
        }
        Ok(said.into_iter().rev().collect::<String>().replace('ɾ', "T").replace('ʔ', "t"))
    }

    fn word(&self, word: &str, around: Around<'_>, lane: &Lane) -> Result<String, SpeechError> {
        if let Some(weak) = self.weak(word, around) {
            return Ok(weak);
        }
        let is_capitals = word.chars().count() > 1 && word.chars().all(char::is_uppercase);
        if is_capitals && self.find(word, around).is_none() {
            return Ok(self.spelled(word));
        }
        let lower = word.to_lowercase();
        let found = self.find(word, around).or_else(|| self.find(&lower, around));
        let found = found.or_else(|| self.with_ending(&lower, around));
        match found {
            Some(said) if word.starts_with(char::is_uppercase) => Ok(stressed(said)),
            Some(said) => Ok(said),
            None => self.guesser.phonemes(word, lane),
        }
    }

    /// The words whose sound depends on the next one.
    fn weak(&self, word: &str, around: Around<'_>) -> Option<String> {
        let vowel = around.next == Following::Vowel;
        let last = around.next == Following::End;
        let said = match word {
            "a" => "ɐ",
            "A" if around.after.is_some() => "ɐ",
            "an" | "An" => "ɐn",
            "I" => "ˌI",
            "the" | "The" if vowel => "ði",
            "the" | "The" => "ðə",
            "to" | "To" if last => "tu",
            "to" | "To" if vowel => "tʊ",
            "to" | "To" => "tə",
            "in" | "In" if last => "ˈɪn",
            "in" | "In" => "ɪn",
            _ => return None,
        };
        Some(said.to_owned())
    }

    fn find(&self, word: &str, around: Around<'_>) -> Option<String> {
        let entry = self.lexicons.iter().find_map(|lexicon| lexicon.entry(word))?;
        let said = match entry {
            Entry::One(said) => said,
            Entry::Several(pairs) => {
                let of = |part: &str| pairs.iter().find(|(name, _)| *name == part);
                let last = (around.next == Following::End).then(|| of("None")).flatten();
                let parts = heteronym::parts(around.before, around.after);
                let fits = last.or_else(|| parts.iter().find_map(|part| of(part)));
                fits.or(pairs.first())?.1
            }
        };
        Some(said.to_owned())
    }

    /// A word of the dictionary with an ending.
    fn with_ending(&self, word: &str, around: Around<'_>) -> Option<String> {
        let stem =
            |stem: &str| self.find(stem, around).or_else(|| self.find(&capital(stem), around));
        let cut = |ending: &str, instead: &str| {
            let stem = word.strip_suffix(ending).filter(|stem| stem.chars().count() > 1)?;
            Some(format!("{stem}{instead}"))
        };
        let try_all = |endings: &[(&str, &str)]| {
            endings.iter().find_map(|(ending, instead)| stem(&cut(ending, instead)?))
        };
        let plural = try_all(&[("'s", ""), ("s'", ""), ("ies", "y"), ("s", ""), ("es", "")]);
        let past = || {
            try_all(&[("ied", "y"), ("ed", ""), ("ed", "e")]).or_else(|| doubled(word, "ed", stem))
        };
        let present =
            || try_all(&[("ing", ""), ("ing", "e")]).or_else(|| doubled(word, "ing", stem));
        plural
            .map(with_s)
            .or_else(|| past().map(with_ed))
            .or_else(|| present().map(|stem| flapped(stem) + "ɪŋ"))
            .or_else(|| try_all(&[("ly", "")]).map(|stem| stem + "li"))
            .or_else(|| word.strip_suffix('\'').and_then(stem))
    }

    /// The names of the letters, with the strong stress on the last.
    fn spelled(&self, word: &str) -> String {
        let alone = Around { before: None, after: None, next: Following::End };
        let letters = word.chars().filter(|letter| letter.is_alphabetic());
        let letters =
            letters.filter_map(|letter| self.find(&letter.to_uppercase().to_string(), alone));
        let said = letters.collect::<String>().replace(STRONG, &WEAK.to_string());
        match said.rfind(WEAK) {
            Some(last) => format!("{}{STRONG}{}", &said[..last], &said[last + WEAK.len_utf8()..]),
            None => said,
        }
    }
}

/// The words around a word.
#[derive(Debug, Clone, Copy)]
struct Around<'a> {
    before: Option<&'a str>,
    after: Option<&'a str>,
    next: Following,
}

/// The sound that follows a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Following {
    Vowel,
    Consonant,
    End,
}

impl Following {
    fn of(phonemes: &str) -> Option<Self> {
        let first = phonemes.chars().find(|phoneme| ![STRONG, WEAK].contains(phoneme))?;
        Some(if VOWELS.contains(first) { Self::Vowel } else { Self::Consonant })
    }
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_part = |c: char| c.is_alphabetic() || c == '\'' || c == '’';
        let word = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let taken = if word > 0 {
            let trimmed = rest[..word].trim_matches(['\'', '’']);
            if !trimmed.is_empty() {
                pieces.push(Piece::Word(trimmed));
            }
            word
        } else {
            if PAUSES.contains(first) {
                pieces.push(Piece::Pause(first));
            } else if first.is_whitespace() && !matches!(pieces.last(), None | Some(Piece::Space)) {
                pieces.push(Piece::Space);
            }
            first.len_utf8()
        };
        rest = &rest[taken..];
    }
    pieces
}

/// A word with a doubled consonant before its ending ("planned").
fn doubled(word: &str, ending: &str, stem: impl Fn(&str) -> Option<String>) -> Option<String> {
    let base = word.strip_suffix(ending)?;
    let mut letters = base.chars().rev();
    let (last, before) = (letters.next()?, letters.next()?);
    if last != before {
        return None;
    }
    stem(base.get(..base.len() - last.len_utf8())?)
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn with_s(stem: String) -> String {
    let ending = match stem.chars().last() {
        Some('p' | 't' | 'k' | 'f' | 'θ') => "s",
        Some('s' | 'z' | 'ʃ' | 'ʒ' | 'ʧ' | 'ʤ') => "ᵻz",
        _ => "z",
    };
    stem + ending
}

fn with_ed(stem: String) -> String {
    let ending = match stem.chars().last() {
        Some('p' | 'k' | 'f' | 'θ' | 'ʃ' | 's' | 'ʧ') => "t",
        Some('d') => "ᵻd",
        Some('t') => return flapped(stem) + "ᵻd",
        _ => "d",
    };
    stem + ending
}

/// American speech softens a t between vowels.
fn flapped(stem: String) -> String {
    let mut end = stem.chars().rev();
    let softens =
        end.next() == Some('t') && end.next().is_some_and(|c| VOWELS.contains(c) || c == 'ɹ');
    if softens { format!("{}ɾ", stem.trim_end_matches('t')) } else { stem }
}

/// A name without stress gets a weak one, before its first vowel.
fn stressed(said: String) -> String {
    if said.contains([STRONG, WEAK]) {
        return said;
    }
    match said.find(|c| VOWELS.contains(c)) {
        Some(at) => format!("{}{WEAK}{}", &said[..at], &said[at..]),
        None => said,
    }
}
