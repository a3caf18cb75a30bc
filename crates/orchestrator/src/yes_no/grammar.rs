//! The grammar of yes and no: phrases with their roles, and how an utterance is read by them.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock};

use serde::Deserialize;

use super::retraction_phrases::RetractionPhrases;
use super::words;

/// The maximum length of an utterance that can be a yes.
pub(super) const MAX_CHARACTERS: usize = 400;

/// A grammar without phrases would recognise no yes; a test checks that this one has phrases.
static ENGLISH: LazyLock<Arc<Grammar>> =
    LazyLock::new(|| Arc::new(Grammar::from_json(include_str!("en.json")).unwrap_or_default()));

/// The meaning of an utterance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum YesNo {
    Yes,
    No,
    /// Neither, so the person is asked again.
    Unclear,
}

/// The effect of a phrase on the utterance around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PhraseRole {
    Yes,
    /// Decides when it comes first, regardless of the rest.
    No,
    /// Decides even after a yes: "okay, stop".
    Refusal,
    /// Sounds like a yes or a no, and is neither: "no problem".
    Unclear,
    /// Has no meaning before the answer, and expresses doubt after it: "well".
    Opener,
    /// Has no meaning anywhere.
    Filler,
}

/// A file of phrases.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Phrases {
    yes: Vec<String>,
    no: Vec<String>,
    refusals: Vec<String>,
    unclear: Vec<String>,
    openers: Vec<String>,
    fillers: Vec<String>,
    hesitations: Vec<String>,
    /// Words before a retraction that have no meaning themselves.
    #[serde(default)]
    lead_ins: Vec<String>,
    /// Retract the request.
    #[serde(default)]
    retractions: Vec<String>,
    /// Ask for something else instead.
    #[serde(default)]
    changes: Vec<String>,
    /// Ask for something else instead, anywhere in an utterance that is not a question.
    #[serde(default)]
    replacements: Vec<String>,
    /// Retract the request, anywhere in an utterance.
    #[serde(default)]
    changed_minds: Vec<String>,
    /// Refer to all open confirmations.
    #[serde(default)]
    everything: Vec<String>,
}

/// Why a file of phrases is invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrammarError(String);

impl fmt::Display for GrammarError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for GrammarError {}

/// The yes and no of one language.
#[derive(Debug, Clone, Default)]
pub struct Grammar {
    /// The phrases, by their words joined with single spaces.
    phrases: HashMap<String, PhraseRole>,
    /// The number of words of the longest phrase.
    longest: usize,
    pub(super) retraction: RetractionPhrases,
}

impl Grammar {
    /// The grammar of English.
    pub fn english() -> &'static Arc<Self> {
        &ENGLISH
    }

    /// Reads the phrases of a language, as `yes_no/en.json` has them.
    pub fn from_json(text: &str) -> Result<Self, GrammarError> {
        let file: Phrases = serde_json::from_str(text)
            .map_err(|error| GrammarError(format!("expected a file of phrases: {error}")))?;
        if file.yes.is_empty() || file.no.is_empty() {
            return Err(GrammarError("expected phrases for `yes` and for `no`".to_owned()));
        }
        let mut grammar = Self::default();
        let kinds = [
            (PhraseRole::Yes, file.yes),
            (PhraseRole::No, file.no),
            (PhraseRole::Refusal, file.refusals),
            (PhraseRole::Unclear, file.unclear),
            (PhraseRole::Opener, file.openers),
            (PhraseRole::Filler, file.fillers),
            (PhraseRole::Filler, file.hesitations),
        ];
        for (kind, phrases) in kinds {
            phrases.iter().try_for_each(|phrase| grammar.add(kind, phrase))?;
        }
        grammar.retraction = RetractionPhrases::new(
            [file.lead_ins, file.retractions, file.changes],
            [file.replacements, file.changed_minds, file.everything],
        );
        Ok(grammar)
    }

    /// A recogniser may omit an apostrophe, so a phrase is also added without it.
    fn add(&mut self, kind: PhraseRole, phrase: &str) -> Result<(), GrammarError> {
        let words = words::split(phrase);
        if words.is_empty() || words::asks(phrase) {
            return Err(GrammarError(format!("expected words, found {phrase:?}")));
        }
        self.longest = self.longest.max(words.len());
        let spelled = words.join(" ");
        let bare = spelled.replace('\'', "");
        if bare != spelled {
            self.insert(kind, bare)?;
        }
        self.insert(kind, spelled)
    }

    fn insert(&mut self, kind: PhraseRole, phrase: String) -> Result<(), GrammarError> {
        match self.phrases.insert(phrase.clone(), kind) {
            None => Ok(()),
            Some(_) => Err(GrammarError(format!("the phrase {phrase:?} is there twice"))),
        }
    }

    /// The meaning of the utterance.
    pub fn hear(&self, utterance: &str) -> YesNo {
        let cut = utterance.char_indices().nth(MAX_CHARACTERS).map(|(at, _)| at);
        let heard = utterance.get(..cut.unwrap_or(utterance.len())).unwrap_or_default();
        let words = words::split(heard);
        match (self.listen(&words), words::asks(heard)) {
            (SpokenReply::Yes, false) if cut.is_none() => YesNo::Yes,
            (SpokenReply::No { .. } | SpokenReply::Refusal, false) => YesNo::No,
            (SpokenReply::No { goes_on: true }, true) => YesNo::No,
            _ => YesNo::Unclear,
        }
    }

    /// Reads phrase by phrase until one decides.
    pub(super) fn listen(&self, words: &[String]) -> SpokenReply {
        let mut answer = SpokenReply::Nothing;
        let mut at = 0;
        while at < words.len() {
            let Some((kind, length)) = self.phrase(&words[at..]) else {
                return SpokenReply::Nothing;
            };
            at += length;
            match (kind, answer) {
                (PhraseRole::Yes, _) => answer = SpokenReply::Yes,
                (PhraseRole::Filler, _) | (PhraseRole::Opener, SpokenReply::Nothing) => {}
                (PhraseRole::No, SpokenReply::Nothing) => {
                    return SpokenReply::No { goes_on: at < words.len() };
                }
                (PhraseRole::Refusal, _) => return SpokenReply::Refusal,
                (PhraseRole::No | PhraseRole::Opener | PhraseRole::Unclear, _) => {
                    return SpokenReply::Nothing;
                }
            }
        }
        answer
    }

    /// The longest phrase that the words begin with.
    pub(super) fn phrase(&self, words: &[String]) -> Option<(PhraseRole, usize)> {
        (1..=self.longest.min(words.len())).rev().find_map(|length| {
            let kind = self.phrases.get(&words[..length].join(" "))?;
            Some((*kind, length))
        })
    }
}

/// The meaning of the words, whether or not a confirmation is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpokenReply {
    Nothing,
    Yes,
    No { goes_on: bool },
    Refusal,
}

#[cfg(test)]
#[path = "grammar_tests.rs"]
mod tests;
