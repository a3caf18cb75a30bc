//! Reads a script: the block at the front, then the lines of every `script` fence.

mod expected;
mod front;
mod step;
mod words;

use std::error::Error;
use std::fmt;

use crate::script::{ExpectedResult, Script, ScriptStep, StepKind};

/// A line that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    pub line: usize,
    pub why: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

impl Error for ParseError {}

/// Reads the text of the file of this name.
pub fn parse(name: &str, text: &str) -> Result<Script, ParseError> {
    let lines: Vec<_> = (1..).zip(text.lines()).collect();
    let (front, body) = front::parse(&lines)?;
    let mut steps = Vec::new();
    for (line, text) in fenced(body) {
        add(&mut steps, line, text).map_err(|why| ParseError { line, why })?;
    }
    let front::ScriptHeader { mode, person, readers, covers } = front;
    Ok(Script { name: name.to_owned(), mode, person, readers, covers, steps })
}

/// The lines between ```` ```script ```` and the end of the fence, without blank ones and remarks.
fn fenced<'a>(lines: &[(usize, &'a str)]) -> Vec<(usize, &'a str)> {
    let mut inside = false;
    let mut found = Vec::new();
    for (line, text) in lines {
        match text.trim() {
            "```script" => inside = true,
            "```" => inside = false,
            text if inside && !text.is_empty() && !text.starts_with('#') => {
                found.push((*line, text));
            }
            _ => {}
        }
    }
    found
}

fn add(steps: &mut Vec<ScriptStep>, line: usize, text: &str) -> Result<(), String> {
    if let Some(rest) = text.strip_prefix("->") {
        let expected = ExpectedResult { line, ..expected::parse(rest)? };
        let step = steps.last_mut().ok_or("`->` stands after a step")?;
        step.expected.push(expected);
        return Ok(());
    }
    if let Some(rest) = text.strip_prefix("and ") {
        let call = step::call(rest)?;
        return match steps.last_mut().map(|step| &mut step.what) {
            Some(StepKind::Calls(calls) | StepKind::Starts(calls)) => {
                calls.push(call);
                Ok(())
            }
            _ => Err("`and` stands after a call of the same message".to_owned()),
        };
    }
    steps.push(ScriptStep { line, what: step::parse(text)?, expected: Vec::new() });
    Ok(())
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
