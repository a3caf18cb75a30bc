//! Answers quoted from records, with citations.
//!
//! A sentence is quoted if it has at least half of the question's words and, together with its
//! title and heading, more than half. A field answers if the question names it, and the opening of
//! a record or of a section if its title has the question's words. If nothing answers, the closest
//! record is named and nothing is quoted, unless it is a weak match.

use super::citation::{cite, quoted, spelt, with_titles};
use super::evidence::Evidence;
use super::extract;
use super::question::{ExpectedAnswer, ParsedQuestion};
use super::sentence::{self, Statement};
use super::situation::{AddressStyle, Situation};

const NOT_IN_THESE_WORDS: &str = "I found nothing that says it in these words.";

/// Pronouns that stand for a name.
const PRONOUNS: [&str; 6] = ["He", "It", "She", "They", "His", "Her"];

/// How many opening sentences describe a record.
const OPENING: usize = 2;

/// How many sentences are quoted when the person asks for more.
const READ_ON: usize = 5;

/// The bonus of the record that a question is about over records that only mention it, and of a
/// process for a question about how something is done.
const SUBJECT: f64 = 0.5;
const METHOD: f64 = 0.3;

/// Answers whose strengths differ by at most this are equally good; the newer record goes first.
const ALIKE: f64 = 0.02;

/// The minimum score of a record that is offered although it does not answer.
const NEAR: f64 = 0.2;

/// Which sentences of a record are considered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum QuoteStrictness {
    /// Only complete sentences, which can be quoted.
    InFull,
    /// Also truncated sentences, to decide whether to read the record.
    Roughly,
}

/// The answer of a record.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RecordAnswer {
    /// The index of the record in the list.
    pub(super) at: usize,
    said: Vec<String>,
    /// Whether the text can be understood without the record's title.
    stands_alone: bool,
    /// How many of the question's words are answered.
    within: usize,
    strength: f64,
    /// How many of them a sentence or a field has without the record's title.
    own: usize,
}

impl RecordAnswer {
    pub(super) fn is_complete(&self, question: &ParsedQuestion<'_>) -> bool {
        self.within == question.wanted.len()
    }

    /// Whether the question is answered without words of the record's title.
    pub(super) fn is_whole(&self, question: &ParsedQuestion<'_>) -> bool {
        self.own == question.wanted.len()
    }
}

/// The best answer among the records.
pub(super) fn best(
    question: &ParsedQuestion<'_>,
    records: &[Evidence],
    reading: QuoteStrictness,
    most: usize,
) -> Option<RecordAnswer> {
    let weighed = records.iter().enumerate().filter_map(|(at, record)| {
        let answer = of(question, record, reading, most)?;
        let bonus = match () {
            () if record.is_subject(&question.wanted) => SUBJECT,
            () if question.is_method && record.id.starts_with("process:") => METHOD,
            () => 0.0,
        };
        let strength = answer.strength + 0.3 * record.relevance(question.words) + bonus;
        Some(RecordAnswer { at, strength, ..answer })
    });
    weighed.reduce(|one, other| {
        let newer = records[other.at].last_updated > records[one.at].last_updated;
        let alike = (one.strength - other.strength).abs() < ALIKE;
        if alike && newer { other } else { stronger(one, other) }
    })
}

/// The answer of one record.
fn of(
    question: &ParsedQuestion<'_>,
    record: &Evidence,
    reading: QuoteStrictness,
    most: usize,
) -> Option<RecordAnswer> {
    if question.words.contains(&record.id) {
        return opening(question, record);
    }
    let facts = facts(question, record).filter(|facts| facts.is_complete(question));
    facts.or_else(|| {
        let quotes = quotes(question, record, reading).map(|quotes| quotes.shortened(most));
        let openings = [section(question, record), opening(question, record)];
        let opening = openings.into_iter().flatten().reduce(stronger);
        match (quotes, opening) {
            // A sentence with the question's words takes precedence over the opening.
            (Some(quotes), Some(opening))
                if quotes.stands_alone && quotes.is_complete(question) =>
            {
                Some(RecordAnswer { strength: quotes.strength.max(opening.strength), ..quotes })
            }
            (Some(quotes), Some(opening)) => Some(stronger(quotes, opening)),
            (quotes, opening) => quotes.or(opening),
        }
    })
}

fn stronger(one: RecordAnswer, other: RecordAnswer) -> RecordAnswer {
    if other.strength > one.strength { other } else { one }
}

/// Whether a value is a date or a time: `2026-05-22`, `Friday 11:00`.
fn is_moment(value: &str) -> bool {
    let is_clock = |word: &str| {
        word.split_once(':').is_some_and(|(hour, minute)| {
            hour.parse::<u8>().is_ok() && minute.parse::<u8>().is_ok()
        })
    };
    value.split(' ').any(is_clock) || value.parse::<jiff::civil::Date>().is_ok()
}

/// The fields of the record, if the question names them and nothing else, or asks for the date of
/// the record's subject.
fn facts(question: &ParsedQuestion<'_>, record: &Evidence) -> Option<RecordAnswer> {
    let when = question.asks == ExpectedAnswer::Moment && record.is_subject(&question.wanted);
    let named: Vec<(String, String)> = record
        .shown_fields()
        .filter(|(name, value)| question.overlap(name) > 0 || (when && is_moment(value)))
        .collect();
    let told: Vec<String> = named.iter().map(|(name, value)| format!("{name} {value}")).collect();
    let told = told.join(", ");
    // A date answers a question for a date.
    let dated = named.iter().any(|(_, value)| value.parse::<jiff::civil::Date>().is_ok());
    let kind = if dated { "date" } else { "" };
    let within = question.overlap(&format!("{} {told} {kind}", record.name()));
    (!named.is_empty()).then(|| RecordAnswer {
        at: 0,
        said: vec![format!("{}: {told}.", record.title)],
        stands_alone: true,
        within,
        strength: share(question, within) + 0.5,
        own: question.overlap(&told),
    })
}

/// The sentences that answer, with their strength.
struct Quotes {
    found: Vec<Quote>,
    strength: f64,
}

struct Quote {
    text: String,
    own: usize,
    within: usize,
}

fn quotes(
    question: &ParsedQuestion<'_>,
    record: &Evidence,
    reading: QuoteStrictness,
) -> Option<Quotes> {
    let sentences = match reading {
        QuoteStrictness::InFull => sentence::split(&record.text, record.extent),
        QuoteStrictness::Roughly => sentence::all(&record.text),
    };
    let name = record.name();
    let quotes = sentences.iter().filter_map(|sentence| quote(question, sentence, &name));
    let quotes: Vec<Quote> = quotes.collect();
    let fit = |quote: &Quote| question.is_fit(&quote.text, record);
    let fits = quotes.iter().any(fit);
    if !fits && question.is_strict() {
        return None;
    }
    let mut found: Vec<Quote> = quotes.into_iter().filter(|quote| !fits || fit(quote)).collect();
    let top = found.iter().map(|quote| quote.own).max()?;
    let within = found.iter().map(|quote| quote.within).max()?;
    found.retain(|quote| quote.own * 3 >= top * 2);
    let bonus = if fits && question.asks != ExpectedAnswer::Anything { 0.2 } else { 0.0 };
    let strength = share(question, within) + 0.5 * share(question, top) + bonus;
    Some(Quotes { found, strength })
}

/// A sentence that answers. The id of another record counts as context, not as its words; the id of
/// a person counts as their name.
fn quote(question: &ParsedQuestion<'_>, sentence: &Statement, name: &str) -> Option<Quote> {
    let bare =
        extract::record_ids(&sentence.text).iter().fold(sentence.text.clone(), |text, id| {
            let name = if id.starts_with("person:") { spelt(id) } else { String::new() };
            text.replace(id, &name)
        });
    let own = question.overlap(&bare);
    let within = question.overlap(&format!("{name} {} {}", sentence.under, sentence.text));
    let answers = question.is_answered(own, within) && question.counts(&sentence.text);
    answers.then(|| Quote { text: sentence.text.clone(), own, within })
}

impl Quotes {
    /// The first of the best sentences, in the order of the text.
    fn shortened(&self, most: usize) -> RecordAnswer {
        let mut order: Vec<usize> = (0..self.found.len()).collect();
        order.sort_by_key(|at| std::cmp::Reverse(self.found[*at].own));
        order.truncate(most);
        order.sort_unstable();
        let chosen: Vec<&Quote> = order.into_iter().map(|at| &self.found[at]).collect();
        RecordAnswer {
            at: 0,
            said: chosen.iter().map(|quote| quote.text.clone()).collect(),
            stands_alone: chosen.first().is_some_and(|first| first.own == first.within),
            within: chosen.iter().map(|quote| quote.within).max().unwrap_or_default(),
            strength: self.strength,
            own: chosen.iter().map(|quote| quote.own).max().unwrap_or_default(),
        }
    }
}

/// The opening of a record, if its title has the question's words or the question names the record.
fn opening(question: &ParsedQuestion<'_>, record: &Evidence) -> Option<RecordAnswer> {
    let within = question.overlap(&record.name());
    let named = question.words.contains(&record.id) || question.wanted.is_empty();
    let titled = question.is_most(within) || (question.wants_more && question.is_half(within));
    let open = matches!(question.asks, ExpectedAnswer::Anything | ExpectedAnswer::Person);
    let begins_with_it = named || (titled && open);
    if !begins_with_it {
        return None;
    }
    let count = if question.wanted.is_empty() { READ_ON } else { OPENING };
    let sentences = sentence::split(&record.text, record.extent).into_iter().take(count);
    let said: Vec<String> = sentences.map(|sentence| sentence.text).collect();
    let whole = if named || within == question.wanted.len() { 0.65 } else { 0.0 };
    let strength = share(question, within) + whole;
    (!said.is_empty()).then_some(RecordAnswer {
        at: 0,
        said,
        stands_alone: false,
        within,
        strength,
        own: 0,
    })
}

/// The opening of a section whose heading has all of the question's words.
fn section(question: &ParsedQuestion<'_>, record: &Evidence) -> Option<RecordAnswer> {
    let whole = question.wanted.len();
    if whole == 0 || question.asks != ExpectedAnswer::Anything {
        return None;
    }
    let sentences = sentence::split(&record.text, record.extent);
    let under = sentences.iter().find(|one| question.overlap(&one.under) == whole)?.under.clone();
    let said = sentences.into_iter().filter(|sentence| sentence.under == under).take(OPENING);
    let said: Vec<String> = said.map(|sentence| sentence.text).collect();
    Some(RecordAnswer { at: 0, said, stands_alone: true, within: whole, strength: 1.6, own: whole })
}

fn share(question: &ParsedQuestion<'_>, count: usize) -> f64 {
    count as f64 / question.wanted.len().max(1) as f64
}

/// The maximum number of quoted sentences.
pub(super) fn most(manner: AddressStyle) -> usize {
    if manner == AddressStyle::Spoken { 2 } else { 3 }
}

/// The answer of the records and where to read on; names the closest record if none answers.
pub(super) fn tell(situation: &Situation<'_>, records: &[Evidence]) -> Option<String> {
    let question = ParsedQuestion::of(&situation.words);
    let best = best(&question, records, QuoteStrictness::InFull, most(situation.manner));
    let Some(answer) = best else {
        return closest(&question, records).map(|record| offered(situation.manner, record));
    };
    let record = records.get(answer.at)?;
    Some(match situation.manner {
        AddressStyle::Spoken => {
            let said = with_titles(&named(&record.title, &answer.said.join(" ")), records);
            format!("{said} That is from {}.", quoted(&record.title))
        }
        AddressStyle::Written => {
            let said = with_titles(&with_a_name(&record.title, &answer), records);
            let others = records.iter().filter(|other| other.id != record.id);
            format!("{said} {}{}", cite(&record.id), see_also(others, &question))
        }
    })
}

/// A list of the records, if the question asks for a kind of record.
pub(super) fn list(manner: AddressStyle, records: &[Evidence]) -> String {
    let titles = records.iter().map(|record| record.title.as_str());
    match manner {
        AddressStyle::Spoken => {
            format!("Among them are {}.", titles.take(3).collect::<Vec<_>>().join(", "))
        }
        AddressStyle::Written => {
            let lines = records.iter().map(|one| format!("- {} {}", one.title, cite(&one.id)));
            let lines = lines.collect::<Vec<_>>().join("\n");
            format!("I found these, and there may be more:\n{lines}")
        }
    }
}

/// Adds the title to sentences that need it to be understood.
fn with_a_name(title: &str, answer: &RecordAnswer) -> String {
    let said = answer.said.join(" ");
    match answer.stands_alone || said.contains(title) {
        true => named(title, &said),
        false => titled(title, &said),
    }
}

/// Replaces a leading pronoun with a name.
fn named(title: &str, said: &str) -> String {
    let first = said.split(' ').next().unwrap_or_default();
    let unnamed = PRONOUNS.contains(&first) && !said.contains(title);
    if unnamed { titled(title, said) } else { said.to_owned() }
}

fn titled(title: &str, said: &str) -> String {
    let mark = if title.ends_with(['?', '!', '.']) { "" } else { ":" };
    format!("{title}{mark} {said}")
}

/// The record whose title has most of the question's words; of several, the first. A record with
/// less than a third of them, or a weak match of the search, is about something else.
fn closest<'a>(question: &ParsedQuestion<'_>, records: &'a [Evidence]) -> Option<&'a Evidence> {
    let near = |record: &&Evidence| {
        !is_weak(record) && question.is_third(record.overlap(&question.wanted))
    };
    let near = records.iter().rev().filter(near);
    near.max_by_key(|record| question.overlap(&record.called()))
}

/// Whether the search marks a record as a weak match.
pub(super) fn is_weak(record: &Evidence) -> bool {
    record.score < NEAR
}

/// A record that does not answer is offered, not quoted.
fn offered(manner: AddressStyle, record: &Evidence) -> String {
    let citation = if manner == AddressStyle::Written {
        format!(" {}", cite(&record.id))
    } else {
        String::new()
    };
    format!("{NOT_IN_THESE_WORDS} The closest record is {}.{citation}", quoted(&record.title))
}

fn see_also<'a>(
    others: impl Iterator<Item = &'a Evidence>,
    question: &ParsedQuestion<'_>,
) -> String {
    let related =
        others.filter(|record| question.is_most(record.overlap(&question.wanted))).take(2);
    let related: Vec<String> =
        related.map(|record| format!("{} {}", record.title, cite(&record.id))).collect();
    if related.is_empty() {
        String::new()
    } else {
        format!("\n\nSee also: {}.", related.join("; "))
    }
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
