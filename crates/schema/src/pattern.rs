//! `pattern` as JSON Schema means it: a regular expression of ECMA-262 with the `u` flag.
//!
//! The text is parsed as ECMAScript and written again in the syntax of the `regex` crate
//! (`translate`), which matches in linear time. Look-around and back-references need an engine that
//! backtracks; it stops after a fixed number of steps. `keyword` brings patterns into the
//! `jsonschema` crate.

pub(crate) mod keyword;
mod translate;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use regex::Regex;

use translate::{Dialect, Run, Translation};

/// Maximum backtracking steps of a match with look-around or back-references.
pub(crate) const BACKTRACK_LIMIT: usize = 100_000;

/// Maximum bytes of one compiled pattern.
pub(crate) const SIZE_LIMIT: usize = 10 << 20;

/// A compiled pattern.
#[derive(Debug)]
pub struct Pattern(Engine);

#[derive(Debug)]
enum Engine {
    Linear(Regex),
    /// Characters of one class, with a minimum and a maximum length: counted instead of compiled.
    Run {
        characters: Regex,
        least: usize,
        most: usize,
    },
    Backtracking(Box<fancy_regex::Regex>),
}

/// A match that exceeded the step limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchAborted;

/// Why a text is not a usable pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatternError {
    /// Not a regular expression of ECMA-262 with the `u` flag.
    Syntax(String),
    /// Compiled, it would take more than 10 MiB.
    TooLarge,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(why) => write!(f, "the pattern is not a regular expression: {why}"),
            Self::TooLarge => f.write_str("the pattern compiles to more than 10 MiB"),
        }
    }
}

impl std::error::Error for PatternError {}

impl Pattern {
    /// Compiles the text of a `pattern`.
    pub fn compile(text: &str) -> Result<Self, PatternError> {
        let Translation { text, dialect, run } = translate::translate(text)?;
        let engine = match (dialect, run) {
            (_, Some(Run { characters, least, most })) => {
                Engine::Run { characters: linear(&characters)?, least, most }
            }
            (Dialect::Linear, None) => Engine::Linear(linear(&text)?),
            (Dialect::Backtracking | Dialect::Passed, None) => {
                Engine::Backtracking(backtracking(&text)?)
            }
        };
        Ok(Self(engine))
    }

    /// Whether the pattern occurs in the text.
    pub fn matches(&self, text: &str) -> Result<bool, MatchAborted> {
        // The engines are known to panic on rare patterns, and a caller's text must not end the process.
        let found = catch_unwind(AssertUnwindSafe(|| match &self.0 {
            Engine::Linear(regex) => Some(regex.is_match(text)),
            Engine::Run { characters, least, most } => {
                let is_so_long = || (*least..=*most).contains(&text.chars().count());
                Some(characters.is_match(text) && is_so_long())
            }
            Engine::Backtracking(regex) => regex.is_match(text).ok(),
        }));
        found.ok().flatten().ok_or(MatchAborted)
    }
}

fn linear(text: &str) -> Result<Regex, PatternError> {
    regex::RegexBuilder::new(text).size_limit(SIZE_LIMIT).build().map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => PatternError::TooLarge,
        other => unknown(&other.to_string()),
    })
}

fn backtracking(text: &str) -> Result<Box<fancy_regex::Regex>, PatternError> {
    use fancy_regex::{CompileError, Error};
    let mut builder = fancy_regex::RegexBuilder::new(text);
    builder.backtrack_limit(BACKTRACK_LIMIT).delegate_size_limit(SIZE_LIMIT);
    builder.build().map(Box::new).map_err(|error| match error {
        Error::CompileError(error) if matches!(*error, CompileError::InnerError(_)) => {
            PatternError::TooLarge
        }
        other => unknown(&other.to_string()),
    })
}

/// The engine does not support a construct of ECMA-262, such as a Unicode property.
fn unknown(why: &str) -> PatternError {
    let last = why.lines().last().unwrap_or_default().trim_start_matches("error: ");
    PatternError::Syntax(format!("the engine cannot match it: {last}"))
}

/// Whether a text is a regular expression of ECMA-262 with the `u` flag; its size is not checked.
pub fn check_syntax(text: &str) -> Result<(), PatternError> {
    translate::translate(text).map(drop)
}

/// Whether the validator can use this pattern: it is a regular expression, and small enough.
pub fn compiles(text: &str) -> Result<(), PatternError> {
    Pattern::compile(text).map(drop)
}

/// Whether the validator can use this name of `patternProperties`. Unlike in `pattern`, a high
/// repetition count is compiled and not counted, so the pattern may be too large.
pub fn compiles_as_name(text: &str) -> Result<(), PatternError> {
    backtracking(&translate::for_jsonschema(text)?).map(drop)
}

#[cfg(test)]
#[path = "pattern_tests.rs"]
mod tests;
