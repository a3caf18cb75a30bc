//! The paths that a source names, read from its tokens.

use std::collections::{BTreeMap, BTreeSet};

/// The steps of a path.
pub(super) type Path = Vec<String>;

/// The paths of one source, tests aside.
#[derive(Debug, Default)]
pub(super) struct Paths {
    pub(super) used: BTreeSet<Path>,
    /// The re-exported items, by name.
    pub(super) reexported: BTreeMap<String, Path>,
}

impl Paths {
    pub(super) fn of(text: &str) -> Self {
        let tokens = tokens(text);
        let mut paths = Self::default();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at = match token.as_str() {
                "use" => {
                    let is_public = matches!(at.checked_sub(1).and_then(|at| tokens.get(at)),
                        Some(before) if before == "pub" || before == ")");
                    paths.read_use(&tokens, at + 1, &[], is_public)
                }
                "#" if begins(&tokens, at, TEST) => item_end(&tokens, at + TEST.len()),
                // The path in `pub(in path)` limits visibility; it imports nothing.
                "pub" if begins(&tokens, at, VISIBLE_IN) => {
                    position(&tokens, at, ")").saturating_add(1)
                }
                _ => paths.read_path(&tokens, at),
            };
        }
        paths
    }

    /// Reads the tree of a `use` from a token on; returns the token behind it.
    fn read_use(
        &mut self,
        tokens: &[String],
        mut at: usize,
        prefix: &[String],
        is_public: bool,
    ) -> usize {
        let mut path = prefix.to_vec();
        let mut alias = None;
        while let Some(token) = tokens.get(at) {
            match token.as_str() {
                "{" => {
                    at += 1;
                    while tokens.get(at).is_some_and(|token| token != "}" && token != ";") {
                        at = self.read_use(tokens, at, &path, is_public);
                        at += usize::from(tokens.get(at).is_some_and(|token| token == ","));
                    }
                    return at + 1;
                }
                "as" => {
                    alias = tokens.get(at + 1).cloned();
                    at += 2;
                }
                "," | "}" | ";" => break,
                "::" | "self" if path.len() > prefix.len() || !prefix.is_empty() => at += 1,
                step => {
                    path.push(step.to_owned());
                    at += 1;
                }
            }
        }
        match (is_public, alias.or_else(|| path.last().cloned())) {
            (true, Some(name)) => self.reexported.insert(name, path).map_or((), drop),
            _ => drop(self.used.insert(path)),
        }
        at
    }

    /// Reads a path of at least two steps that begins at a token; returns the token behind it.
    fn read_path(&mut self, tokens: &[String], at: usize) -> usize {
        let continues =
            at.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|it| it == "::");
        let mut path = Vec::new();
        let mut end = at;
        while let Some(step) = tokens.get(end).filter(|step| is_name(step)) {
            path.push(step.clone());
            end += 1;
            match tokens.get(end) {
                Some(token) if token == "::" => end += 1,
                _ => break,
            }
        }
        if path.len() > 1 && !continues {
            self.used.insert(path);
        }
        end.max(at + 1)
    }
}

/// The attribute of an item that only tests have.
const TEST: &[&str] = &["#", "[", "cfg", "(", "test", ")", "]"];

const VISIBLE_IN: &[&str] = &["pub", "(", "in"];

fn begins(tokens: &[String], at: usize, wanted: &[&str]) -> bool {
    tokens.get(at..at + wanted.len()).is_some_and(|found| found == wanted)
}

/// The first token from `at` on that is this one.
fn position(tokens: &[String], at: usize, wanted: &str) -> usize {
    let found = tokens.iter().skip(at).position(|token| token == wanted);
    found.map_or(tokens.len(), |offset| at + offset)
}

/// The token behind the item that begins at a token, its attributes included.
fn item_end(tokens: &[String], at: usize) -> usize {
    let mut depth = 0_usize;
    for (offset, token) in tokens.iter().skip(at).enumerate() {
        match token.as_str() {
            "{" => depth += 1,
            "}" if depth == 1 => return at + offset + 1,
            "}" => depth = depth.saturating_sub(1),
            ";" if depth == 0 => return at + offset + 1,
            _ => {}
        }
    }
    tokens.len()
}

fn is_name(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Names, `::` and single signs, without comments and literals.
fn tokens(code: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '"' => string(rest),
            '\'' => quoted(rest),
            'r' if rest.starts_with("r\"") || rest.starts_with("r#\"") => raw_string(rest),
            ':' if rest.starts_with("::") => 2,
            _ if first.is_alphabetic() || first == '_' => {
                rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
            }
            _ => first.len_utf8(),
        };
        let (token, more) = rest.split_at(length);
        if !token.trim().is_empty() && !token.starts_with("//") && !token.contains(['"', '\'']) {
            tokens.push(token.to_owned());
        }
        rest = more;
    }
    tokens
}

fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

/// A character literal, or the quote of a lifetime.
fn quoted(text: &str) -> usize {
    let mut rest = text.char_indices().skip(2);
    let closing = match text.starts_with("'\\") {
        true => rest.skip(1).find(|(_, c)| *c == '\''),
        false => rest.next().filter(|(_, c)| *c == '\''),
    };
    closing.map_or(1, |(at, _)| at + 1)
}

fn raw_string(text: &str) -> usize {
    let (open, close) = if text.starts_with("r#") { (3, "\"#") } else { (2, "\"") };
    let body = text.get(open..).unwrap_or_default();
    body.find(close).map_or(text.len(), |at| open + at + close.len())
}
