//! Finds names of people, only where the text marks them as such: a title or label before
//! them, a line of their own, or a contact beside them.

use std::ops::Range;

use super::found::{Found, Hit};
use super::ordinary::is_ordinary;
use super::pattern::{Pattern, compiled, masked, places};

/// One word of a name, or an initial.
macro_rules! part {
    () => {
        r"(?:\p{Lu}\p{L}*(?:['\u{2019}-]\p{Lu}?\p{L}+){0,2}|\p{Lu}\.)"
    };
}

/// A further word, with what may stand before it.
macro_rules! next_part {
    () => {
        concat!(
            " (?:(?:al|bin|da|de|del|della|den|der|di|dos|du|la|le|ten|van|von) ){0,2}",
            part!()
        )
    };
}

macro_rules! full_name {
    () => {
        concat!("(?<hit>", part!(), "(?:", next_part!(), "){1,3})")
    };
}

static TITLED: Pattern = Pattern::new(|| {
    let title = r"(?-u:\b)(?:Mr|Mrs|Ms|Dr|Prof)\.? ";
    compiled(&[title, "(?<hit>", part!(), "(?:", next_part!(), "){0,3})"].concat())
});
static LABELLED: Pattern = Pattern::new(|| {
    let label = r#"(?-u:\b)(?:[Nn]ame|[Cc]ontact|[Ff]rom|[Tt]o|[Cc]c|[Aa]ttn): {0,4}"?"#;
    compiled(&[label, full_name!()].concat())
});
static BARE: Pattern = Pattern::new(|| {
    compiled(concat!(r"(?:^|[^\p{L}\p{N}])", full_name!(), r"(?:[^\p{L}\p{N}]|$)"))
});

/// A character that no text contains: it stands for a contact, so that "beside" is a look at
/// the next few characters.
const CONTACT: char = '\u{1}';

/// How far "beside" reaches, in characters.
const REACH: usize = 8;

/// The names in a line, given the addresses, links and numbers that were found in it.
pub(super) fn find(line: &str, contacts: &[Hit]) -> Vec<Hit> {
    let text = masked(line, contacts, CONTACT);
    let marked = [&TITLED, &LABELLED].into_iter().flat_map(|pattern| places(pattern, &text));
    let bare = places(&BARE, &text).into_iter().filter_map(|place| without_lead_in(place, &text));
    let bare = bare.filter(|place| is_alone(place, &text) || is_beside_contact(place, &text));
    let mut names: Vec<_> =
        marked.chain(bare).filter(|place| is_name(part(&text, place))).collect();
    names.sort_by_key(|place| place.start);
    let mut reached = 0;
    names.retain(|place| {
        let free = place.start >= reached;
        reached = if free { place.end } else { reached };
        free
    });
    names.into_iter().map(|place| Found::Name(part(&text, &place).to_owned()).at(place)).collect()
}

fn part<'a>(text: &'a str, place: &Range<usize>) -> &'a str {
    text.get(place.clone()).unwrap_or_default()
}

/// "Invite Jon Bell" is a verb and a name: words that begin no name are taken off the front.
/// At least two words must remain.
fn without_lead_in(place: Range<usize>, text: &str) -> Option<Range<usize>> {
    let mut name = part(text, &place);
    while let Some((word, rest)) = name.split_once(' ')
        && is_ordinary(word)
    {
        name = rest;
    }
    name.contains(' ').then(|| place.end - name.len()..place.end)
}

/// Headings in capitals and phrases with an ordinary word in them are no names.
fn is_name(text: &str) -> bool {
    let heading = text.chars().count() > 4 && text == text.to_uppercase();
    !heading && !text.split(' ').any(is_ordinary)
}

fn is_alone(place: &Range<usize>, text: &str) -> bool {
    let around = [text.get(..place.start), text.get(place.end..)];
    let mut around = around.into_iter().flatten().flat_map(str::chars);
    let is_mark = |letter: char| letter.is_whitespace() || ",;:*•-".contains(letter);
    around.by_ref().take(REACH).all(is_mark) && around.next().is_none()
}

fn is_beside_contact(place: &Range<usize>, text: &str) -> bool {
    let (before, after) = (text.get(..place.start), text.get(place.end..));
    before.is_some_and(|before| leads_to_contact(before.chars().rev()))
        || after.is_some_and(|after| leads_to_contact(after.chars()))
}

/// Whether a few marks and then a contact follow.
fn leads_to_contact(letters: impl Iterator<Item = char>) -> bool {
    let is_mark = |letter: char| letter.is_whitespace() || "<>()[],;:\"|/–—•-".contains(letter);
    let mut rest = letters.enumerate().skip_while(|(_, letter)| is_mark(*letter));
    rest.next().is_some_and(|(gap, letter)| letter == CONTACT && (1..=REACH).contains(&gap))
}
