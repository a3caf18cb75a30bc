//! The dictionary of pronunciations: 180,000 words in one sorted table, because a map of strings would take five
//! times the memory.

use std::io::Read;
use std::path::Path;

use aileron_models::Model;
use flate2::read::GzDecoder;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

use crate::error::SpeechError;
use crate::network::read;

/// The pronunciation of a word, or one for each part of speech.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry<'a> {
    One(&'a str),
    /// Pairs of a part of speech and a pronunciation; the first is the default.
    Several(Vec<(&'a str, &'a str)>),
}

/// Words with their pronunciations.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    text: String,
    /// Where each word begins and ends in the text; its pronunciation follows, up to the next word.
    words: Vec<(u32, u32, u32)>,
}

/// Between the pronunciations of one word.
const BETWEEN: char = '|';
/// Between a part of speech and a pronunciation.
const IS: char = '=';

impl Lexicon {
    /// The checked dictionary; the larger one, which was made by rules, answers for the words that it lacks.
    pub(super) fn load(folder: &Path) -> Result<[Self; 2], SpeechError> {
        let load = |name| {
            let packed = read(&Model::HIBARI, name, folder)?;
            let mut json = Vec::new();
            let unpacked = GzDecoder::new(packed.as_slice()).read_to_end(&mut json);
            unpacked.map_err(|error| SpeechError::run(name, error))?;
            Self::parse(&json).map_err(|error| SpeechError::run(name, error))
        };
        Ok([load("hibari-lexicon-gold.json.gz")?, load("hibari-lexicon-silver.json.gz")?])
    }

    pub(super) fn parse(json: &[u8]) -> serde_json::Result<Self> {
        let mut lexicon: Self = serde_json::from_slice(json)?;
        let Self { text, words } = &mut lexicon;
        let text: &str = text;
        words.sort_unstable_by(|a, b| span(text, a.0, a.1).cmp(span(text, b.0, b.1)));
        Ok(lexicon)
    }

    pub(super) fn entry(&self, word: &str) -> Option<Entry<'_>> {
        let at =
            self.words.binary_search_by(|(from, to, _)| span(&self.text, *from, *to).cmp(word));
        let (_, from, to) = self.words.get(at.ok()?)?;
        let said = span(&self.text, *from, *to);
        if !said.contains(IS) {
            return Some(Entry::One(said));
        }
        let pairs = said.split(BETWEEN).filter_map(|pair| pair.split_once(IS));
        Some(Entry::Several(pairs.collect()))
    }

    fn add(&mut self, word: &str, said: &Said) {
        let begin = self.text.len() as u32;
        self.text.push_str(word);
        let middle = self.text.len() as u32;
        match said {
            Said::One(said) => self.text.push_str(said),
            Said::Several(Pairs(pairs)) => {
                let pairs = pairs.iter().map(|(part, said)| format!("{part}{IS}{said}"));
                self.text.push_str(&pairs.collect::<Vec<_>>().join(&BETWEEN.to_string()));
            }
        }
        self.words.push((begin, middle, self.text.len() as u32));
    }
}

fn span(text: &str, from: u32, to: u32) -> &str {
    text.get(from as usize..to as usize).unwrap_or_default()
}

/// A value of the file.
#[derive(Deserialize)]
#[serde(untagged)]
enum Said {
    One(String),
    Several(Pairs),
}

/// The pronunciations by part of speech, the default first; those that the file leaves open are left out.
struct Pairs(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let all = std::collections::BTreeMap::<String, Option<String>>::deserialize(deserializer)?;
        let mut pairs: Vec<_> =
            all.into_iter().filter_map(|(part, said)| Some((part, said?))).collect();
        pairs.sort_by_key(|(part, _)| part != "DEFAULT");
        Ok(Self(pairs))
    }
}

impl<'de> Deserialize<'de> for Lexicon {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Words)
    }
}

struct Words;

impl<'de> Visitor<'de> for Words {
    type Value = Lexicon;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("words with their pronunciations")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Lexicon, A::Error> {
        let mut lexicon = Lexicon::default();
        while let Some((word, said)) = map.next_entry::<String, Said>()? {
            lexicon.add(&word, &said);
        }
        Ok(lexicon)
    }
}
