//! From ECMA-262 to the syntax of the `regex` crate, construct by construct.

mod class;

use oxc_allocator::Allocator;
use oxc_regular_expression::ast::{
    Alternative, BoundaryAssertionKind, CapturingGroup, Character, Disjunction, IgnoreGroup,
    LookAroundAssertion, LookAroundAssertionKind, Pattern, Quantifier, Term,
};
use oxc_regular_expression::{LiteralParser, Options};

use super::PatternError;
use class::{NEVER, WORD_CLASS};

/// Maximum nesting of groups; the parsers support as many.
const DEEPEST: usize = 200;

/// Minimum repetition count of the whole text that is counted instead of compiled.
const COUNTED: u64 = 64;

const TOO_DEEP: &str = "expected at most 200 groups inside of each other, found more";
const MODIFIERS: &str =
    "groups with modifiers such as `(?i:...)` are no part of the dialect; name both cases: `[Aa]`";
const SAME_NAME: &str = "two groups have the same name";

/// Constructs of other dialects that ECMA-262 lacks, with the replacement.
const FOREIGN: &[(&str, &str)] = &[
    ("(?i", "there are no inline flags: name both cases, `[Aa]`"),
    ("(?m", "there are no inline flags"),
    ("(?s", "there are no inline flags: write `[\\s\\S]` for any character"),
    ("(?x", "there are no inline flags"),
    ("(?P<", "a group is named as `(?<name>...)`"),
    ("(?>", "there are no atomic groups: write `(?:...)`"),
    ("[[:", "there are no POSIX classes: list the characters, `[A-Za-z]`"),
    ("\\A", "the beginning is `^`"),
    ("\\z", "the end is `$`"),
    ("\\Z", "the end is `$`"),
    ("++", "there are no possessive quantifiers: write `+`"),
    ("*+", "there are no possessive quantifiers: write `*`"),
    ("?+", "there are no possessive quantifiers: write `?`"),
];

/// The engine that a translation is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// The `regex` crate.
    Linear,
    /// `fancy-regex`, which also has look-around and back-references.
    Backtracking,
    /// `fancy-regex` through the `jsonschema` crate, without the constructs that the crate changes.
    Passed,
}

/// A pattern in the syntax of an engine.
#[derive(Debug)]
pub(super) struct Translation {
    pub(super) text: String,
    pub(super) dialect: Dialect,
    pub(super) run: Option<Run>,
}

/// A pattern of the form `^[...]{least,most}$`.
#[derive(Debug)]
pub(super) struct Run {
    /// Matches a text of any length that has only such characters.
    pub(super) characters: String,
    pub(super) least: usize,
    pub(super) most: usize,
}

pub(super) fn translate(text: &str) -> Result<Translation, PatternError> {
    with_ast(text, |pattern, survey| {
        let dialect = survey.dialect();
        let run = run(pattern, survey)?;
        Ok(Translation { text: written(pattern, survey, dialect)?, dialect, run })
    })
}

/// The translation that the `jsonschema` crate does not change. In it, a reference to a group that
/// did not match fails.
pub(super) fn for_jsonschema(text: &str) -> Result<String, PatternError> {
    with_ast(text, |pattern, survey| written(pattern, survey, Dialect::Passed))
}

fn with_ast<T>(
    text: &str,
    then: impl FnOnce(&Pattern<'_>, &Survey) -> Result<T, PatternError>,
) -> Result<T, PatternError> {
    if depth(text) > DEEPEST {
        return Err(syntax(TOO_DEEP));
    }
    let allocator = Allocator::default();
    let pattern = LiteralParser::new(&allocator, text, Some("u"), Options::default())
        .parse()
        .map_err(|error| syntax(&reason(text, &error.to_string())))?;
    let mut survey = Survey::default();
    survey.disjunction(&pattern.body)?;
    then(&pattern, &survey)
}

fn syntax(why: &str) -> PatternError {
    PatternError::Syntax(why.to_owned())
}

/// The parser's message in lower case, and a hint if the construct belongs to another dialect.
fn reason(pattern: &str, message: &str) -> String {
    let message = message.trim_start_matches("Invalid regular expression:").trim();
    let mut characters = message.chars();
    let first = characters.next().map(char::to_lowercase).into_iter().flatten();
    let why: String = first.chain(characters).collect();
    match FOREIGN.iter().find(|(foreign, _)| pattern.contains(foreign)) {
        Some((_, hint)) => format!("{why}; {hint}"),
        None => why,
    }
}

/// The nesting depth of groups, without brackets in classes.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest, mut in_class, mut escaped) = (0_usize, 0, false, false);
    for character in text.chars() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => depth += 1,
            ')' if !in_class => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// Facts about a pattern that the translation needs first.
#[derive(Debug, Default)]
struct Survey {
    /// The names of the capturing groups, by number.
    groups: Vec<Option<String>>,
    looks_around: bool,
    refers_back: bool,
}

impl Survey {
    fn dialect(&self) -> Dialect {
        match self.looks_around || self.refers_back {
            true => Dialect::Backtracking,
            false => Dialect::Linear,
        }
    }

    fn disjunction(&mut self, disjunction: &Disjunction<'_>) -> Result<(), PatternError> {
        let terms = disjunction.body.iter().flat_map(|alternative| &alternative.body);
        terms.into_iter().try_for_each(|term| self.term(term))
    }

    fn term(&mut self, term: &Term<'_>) -> Result<(), PatternError> {
        match term {
            Term::BoundaryAssertion(boundary) => {
                self.looks_around |= boundary.kind == BoundaryAssertionKind::NegativeBoundary;
                Ok(())
            }
            Term::LookAroundAssertion(look) => {
                self.looks_around = true;
                self.disjunction(&look.body)
            }
            Term::Quantifier(quantifier) => self.term(&quantifier.body),
            Term::CapturingGroup(group) => self.group(group),
            Term::IgnoreGroup(group) if group.modifiers.is_some() => Err(syntax(MODIFIERS)),
            Term::IgnoreGroup(group) => self.disjunction(&group.body),
            Term::IndexedReference(_) | Term::NamedReference(_) => {
                self.refers_back = true;
                Ok(())
            }
            Term::Character(_)
            | Term::Dot(_)
            | Term::CharacterClassEscape(_)
            | Term::UnicodePropertyEscape(_)
            | Term::CharacterClass(_) => Ok(()),
        }
    }

    fn group(&mut self, group: &CapturingGroup<'_>) -> Result<(), PatternError> {
        let name = group.name.as_ref().map(ToString::to_string);
        if name.is_some() && self.groups.contains(&name) {
            return Err(syntax(SAME_NAME));
        }
        self.groups.push(name);
        self.disjunction(&group.body)
    }
}

fn written(
    pattern: &Pattern<'_>,
    survey: &Survey,
    dialect: Dialect,
) -> Result<String, PatternError> {
    let mut writer = Writer { survey, dialect, text: String::new() };
    writer.disjunction(&pattern.body)?;
    Ok(writer.text)
}

/// The pattern as a counted run of one character class, if it has that form and a high count.
fn run(pattern: &Pattern<'_>, survey: &Survey) -> Result<Option<Run>, PatternError> {
    let [alternative] = pattern.body.body.as_slice() else { return Ok(None) };
    let [Term::BoundaryAssertion(start), Term::Quantifier(repeated), Term::BoundaryAssertion(end)] =
        alternative.body.as_slice()
    else {
        return Ok(None);
    };
    let is_whole = start.kind == BoundaryAssertionKind::Start
        && end.kind == BoundaryAssertionKind::End
        && class::is_one_character(&repeated.body);
    if !is_whole || repeated.max.unwrap_or(repeated.min) < COUNTED {
        return Ok(None);
    }
    let mut writer = Writer { survey, dialect: Dialect::Linear, text: "^".to_owned() };
    writer.term(&repeated.body)?;
    writer.text.push_str("*$");
    let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    Ok(Some(Run {
        characters: writer.text,
        least: count(repeated.min),
        most: repeated.max.map_or(usize::MAX, count),
    }))
}

struct Writer<'s> {
    survey: &'s Survey,
    dialect: Dialect,
    text: String,
}

impl Writer<'_> {
    fn disjunction(&mut self, disjunction: &Disjunction<'_>) -> Result<(), PatternError> {
        for (position, alternative) in disjunction.body.iter().enumerate() {
            if position > 0 {
                self.text.push('|');
            }
            self.alternative(alternative)?;
        }
        Ok(())
    }

    fn alternative(&mut self, alternative: &Alternative<'_>) -> Result<(), PatternError> {
        alternative.body.iter().try_for_each(|term| self.term(term))
    }

    fn term(&mut self, term: &Term<'_>) -> Result<(), PatternError> {
        match term {
            Term::BoundaryAssertion(boundary) => self.boundary(boundary.kind),
            Term::LookAroundAssertion(look) => return self.look_around(look),
            Term::Quantifier(quantifier) => return self.quantifier(quantifier),
            Term::Character(character) => self.character(character),
            Term::Dot(_) => self.text.push_str(class::DOT),
            Term::CharacterClassEscape(escape) => class::push_escape(&mut self.text, escape.kind),
            Term::UnicodePropertyEscape(property) => {
                class::push_property(&mut self.text, property);
            }
            Term::CharacterClass(class) => class::push(&mut self.text, class),
            Term::CapturingGroup(group) => {
                let open = if self.survey.refers_back { "(" } else { "(?:" };
                return self.group(open, &group.body);
            }
            Term::IgnoreGroup(group) => return self.ignored(group),
            Term::IndexedReference(reference) => self.reference(reference.index as usize),
            Term::NamedReference(reference) => {
                let is_meant = |name: &Option<String>| name.as_deref() == Some(&*reference.name);
                let place = self.survey.groups.iter().position(is_meant).unwrap_or_default();
                self.reference(place + 1);
            }
        }
        Ok(())
    }

    fn group(&mut self, open: &str, body: &Disjunction<'_>) -> Result<(), PatternError> {
        self.text.push_str(open);
        self.disjunction(body)?;
        self.text.push(')');
        Ok(())
    }

    fn ignored(&mut self, group: &IgnoreGroup<'_>) -> Result<(), PatternError> {
        self.group("(?:", &group.body)
    }

    fn look_around(&mut self, look: &LookAroundAssertion<'_>) -> Result<(), PatternError> {
        let open = match look.kind {
            LookAroundAssertionKind::Lookahead => "(?=",
            LookAroundAssertionKind::NegativeLookahead => "(?!",
            LookAroundAssertionKind::Lookbehind => "(?<=",
            LookAroundAssertionKind::NegativeLookbehind => "(?<!",
        };
        self.group(open, &look.body)
    }

    /// Word characters are ASCII letters, digits and `_`, unlike in the engine's `\b`.
    fn boundary(&mut self, kind: BoundaryAssertionKind) {
        let word = WORD_CLASS;
        match (kind, self.dialect) {
            (BoundaryAssertionKind::Start, _) => self.text.push('^'),
            (BoundaryAssertionKind::End, _) => self.text.push('$'),
            (BoundaryAssertionKind::Boundary, Dialect::Linear) => self.text.push_str(r"(?-u:\b)"),
            (BoundaryAssertionKind::Boundary, Dialect::Backtracking | Dialect::Passed) => {
                let both = format!("(?:(?<={word})(?!{word})|(?<!{word})(?={word}))");
                self.text.push_str(&both);
            }
            (BoundaryAssertionKind::NegativeBoundary, _) => {
                let neither = format!("(?:(?<={word})(?={word})|(?<!{word})(?!{word}))");
                self.text.push_str(&neither);
            }
        }
    }

    /// A reference to a group that did not match matches the empty text.
    fn reference(&mut self, group: usize) {
        match self.dialect {
            Dialect::Passed => self.text.push_str(&format!(r"(?:\{group})")),
            _ => self.text.push_str(&format!(r"(?({group})\{group}|)")),
        }
    }

    fn character(&mut self, character: &Character) {
        match char::from_u32(character.value) {
            Some(c) if c.is_ascii_alphanumeric() || "_/:;,@%'\"<>=! ".contains(c) => {
                self.text.push(c);
            }
            Some(c) => self.text.push_str(&format!(r"\u{{{:x}}}", u32::from(c))),
            // A lone surrogate occurs in no text.
            None => self.text.push_str(NEVER),
        }
    }

    fn quantifier(&mut self, quantifier: &Quantifier<'_>) -> Result<(), PatternError> {
        self.term(&quantifier.body)?;
        let least = u32::try_from(quantifier.min).map_err(|_| PatternError::TooLarge)?;
        // No text is longer than the largest bound.
        let most = quantifier.max.and_then(|most| u32::try_from(most).ok());
        let times = match (least, most) {
            (0, None) => "*".to_owned(),
            (1, None) => "+".to_owned(),
            (0, Some(1)) => "?".to_owned(),
            (least, None) => format!("{{{least},}}"),
            (least, Some(most)) if least == most => format!("{{{least}}}"),
            (least, Some(most)) => format!("{{{least},{most}}}"),
        };
        self.text.push_str(&times);
        if !quantifier.greedy {
            self.text.push('?');
        }
        Ok(())
    }
}
