//! Why a condition could not be parsed or evaluated, without values of the arguments: these
//! messages are logged.

use std::fmt;

use cel::{ExecutionError, ParseErrors};

use super::limits::{MAX_CHARACTERS, MAX_LEVELS};

/// Why a condition could not be parsed or evaluated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpressionError {
    TooLong {
        found: usize,
    },
    /// The text is not CEL.
    Syntax(String),
    TooDeep,
    /// A regular expression that is not a literal would be compiled from a caller's input.
    ComputedPattern,
    /// A variable that the condition uses is too large.
    TooLarge,
    /// It might take too long for its variables.
    TooMuchWork,
    NotBoolean {
        found: String,
    },
    /// A variable, a key or a function is missing, or a type does not fit.
    Failed(String),
}

impl ExpressionError {
    /// The first syntax error, or else the first error; the others mostly follow from it.
    pub(super) fn syntax(errors: &ParseErrors) -> Self {
        const SYNTAX: &str = "Syntax error: ";
        let first = errors.errors.iter().find(|error| error.msg.starts_with(SYNTAX));
        let Some(error) = first.or(errors.errors.first()) else {
            return Self::Syntax("found none".to_owned());
        };
        if error.msg.contains("Recursion limit") {
            return Self::TooDeep;
        }
        let said = error.msg.trim_start_matches(SYNTAX);
        let said = said.split_once(" expecting ").map_or(said, |(said, _)| said);
        let (line, column) = error.pos;
        Self::Syntax(format!("{} at line {line}, column {column}", found(said)))
    }

    /// Names are quoted only if the author wrote them; values never.
    pub(super) fn failed(source: &str, error: &ExecutionError) -> Self {
        Self::Failed(match error {
            ExecutionError::NoSuchKey(name) if source.contains(name.as_str()) => {
                format!("there is no `{name}`")
            }
            ExecutionError::UndeclaredReference(name) => format!("unknown name `{name}`"),
            ExecutionError::NoSuchOverload(overload) => overload.to_string(),
            ExecutionError::UnexpectedType { got, want } => format!("expected {want}, found {got}"),
            ExecutionError::InvalidArgumentCount { expected, actual } => {
                format!("expected {expected} arguments of a function, found {actual}")
            }
            ExecutionError::NoSuchKey(_) | ExecutionError::IndexOutOfBounds(_) => {
                "a key or an index is not there".to_owned()
            }
            _ => "a value does not fit its operator or function".to_owned(),
        })
    }
}

/// The token at which the parser failed, which it quotes last.
fn found(said: &str) -> String {
    let quoted = said.strip_suffix('\'').and_then(|said| said.rsplit_once(" '"));
    match quoted.map(|(_, token)| token.trim()) {
        Some("<EOF>") => "found the end".to_owned(),
        Some(token) => format!("found `{token}`"),
        None => said.to_owned(),
    }
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { found } => {
                write!(f, "expected at most {MAX_CHARACTERS} characters, found {found}")
            }
            Self::Syntax(said) => write!(f, "expected a CEL expression, {said}"),
            Self::TooDeep => write!(
                f,
                "expected at most 96 levels of brackets and {MAX_LEVELS} of operators, found more"
            ),
            Self::ComputedPattern => {
                f.write_str("expected the pattern of `matches` as a text, found an expression")
            }
            Self::TooLarge => f.write_str("what the condition asks for is too large"),
            Self::TooMuchWork => f.write_str("the condition might take too long"),
            Self::NotBoolean { found } => write!(f, "expected true or false, found a {found}"),
            Self::Failed(said) => write!(f, "the condition could not be decided: {said}"),
        }
    }
}

impl std::error::Error for ExpressionError {}
