//! Reads Python by its lines: strings and comments are blanked, then the statements at the top level
//! and all imports are found. Python itself checks the syntax when a worker loads the module.

use crate::source::Span;

/// The facts about a module.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PythonFacts {
    pub(super) imports: Vec<PythonImport>,
    pub(super) execute: Option<PythonExecute>,
    /// The functions at the top level, and their places.
    pub(super) functions: Vec<(String, Span)>,
    /// The text with strings and comments replaced by spaces.
    pub(super) code: String,
}

/// An `import` or `from ... import`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PythonImport {
    /// The number of leading dots; 0 for an absolute import.
    pub(super) level: usize,
    /// The dotted name after them: `helpers.text`, or nothing for `from . import x`.
    pub(super) module: String,
    /// The names after `import` of a `from`; empty for a plain `import`.
    pub(super) names: Vec<String>,
    pub(super) place: Span,
    /// Whether it runs whenever the module is loaded: not inside of a function, `try` or `if`.
    pub(super) top_level: bool,
}

/// How a module gets `execute`.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PythonExecute {
    /// A function with this list of parameters.
    Function { parameters: String, place: Span },
    /// An assignment or an import.
    Bound,
}

/// Scans a module.
pub(super) fn scan(text: &str) -> PythonFacts {
    let code = blank(text);
    let mut facts = PythonFacts::default();
    for statement in statements(&code) {
        facts.read(&statement);
    }
    facts.code = code;
    facts
}

/// One statement: its text without line ends, its place and its indentation.
struct Statement {
    text: String,
    place: Span,
    indented: bool,
}

impl PythonFacts {
    fn read(&mut self, statement: &Statement) {
        let text = statement.text.trim();
        if let Some(rest) = text.strip_prefix("import ") {
            self.plain_imports(rest, statement);
        } else if let Some(rest) = text.strip_prefix("from ") {
            self.add_from_import(rest, statement);
        } else if !statement.indented {
            self.definition(text, statement);
        }
    }

    fn plain_imports(&mut self, rest: &str, statement: &Statement) {
        for part in rest.split(',') {
            let module = part.split_whitespace().next().unwrap_or_default().to_owned();
            self.imports.push(PythonImport {
                level: 0,
                module,
                names: Vec::new(),
                place: statement.place.clone(),
                top_level: !statement.indented,
            });
        }
    }

    fn add_from_import(&mut self, rest: &str, statement: &Statement) {
        let Some((module, names)) = rest.split_once(" import") else { return };
        let module: String = module.split_whitespace().collect();
        let level = module.len() - module.trim_start_matches('.').len();
        let names = names.trim().trim_start_matches('(').trim_end_matches(')');
        let mut imported = Vec::new();
        for part in names.split(',') {
            let mut words = part.split_whitespace();
            let Some(name) = words.next() else { continue };
            if !statement.indented && words.last().unwrap_or(name) == "execute" {
                self.execute = Some(PythonExecute::Bound);
            }
            imported.push(name.to_owned());
        }
        self.imports.push(PythonImport {
            level,
            module: module.trim_start_matches('.').to_owned(),
            names: imported,
            place: statement.place.clone(),
            top_level: !statement.indented,
        });
    }

    /// A function or an assignment at the top level.
    fn definition(&mut self, text: &str, statement: &Statement) {
        let unprefixed = text.strip_prefix("async ").unwrap_or(text).trim_start();
        let Some(rest) = unprefixed.strip_prefix("def ") else {
            let bound = text.strip_prefix("execute").map(str::trim_start);
            if bound.is_some_and(|rest| rest.starts_with([':', '=']) && !rest.starts_with("==")) {
                self.execute = Some(PythonExecute::Bound);
            }
            return;
        };
        let Some((name, rest)) = rest.split_once('(') else { return };
        let place = statement.place.clone();
        self.functions.push((name.trim().to_owned(), place.clone()));
        if name.trim() == "execute" {
            let parameters = until_closed(rest).to_owned();
            self.execute = Some(PythonExecute::Function { parameters, place });
        }
    }
}

/// The text before the bracket that closes an open one.
fn until_closed(text: &str) -> &str {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return text.get(..at).unwrap_or(text),
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    text
}

/// The statements of a text without strings and comments. A line inside of brackets or after a
/// backslash continues the one before.
fn statements(code: &str) -> Vec<Statement> {
    let mut statements = Vec::new();
    let (mut depth, mut continues, mut at) = (0_usize, false, 0);
    let mut open: Option<Statement> = None;
    for line in code.split_inclusive('\n') {
        let (start, content) = (at, line.trim_end());
        at += line.len();
        if !continues && depth == 0 {
            statements.extend(open.take());
            let indent = content.len() - content.trim_start().len();
            let place = start + indent..start + content.len();
            open = Some(Statement { text: String::new(), place, indented: indent > 0 });
        }
        continues = content.ends_with('\\');
        let part = content.trim_end_matches('\\');
        for byte in part.bytes() {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        if let Some(statement) = &mut open {
            statement.text.push_str(part);
            statement.text.push(' ');
        }
    }
    statements.extend(open);
    statements.into_iter().flat_map(split_at_semicolons).collect()
}

/// `import a; import b` is two statements at one place.
fn split_at_semicolons(statement: Statement) -> Vec<Statement> {
    let Statement { text, place, indented } = statement;
    let parts = text.split(';').filter(|part| !part.trim().is_empty());
    parts.map(|part| Statement { text: part.to_owned(), place: place.clone(), indented }).collect()
}

/// The text with the contents of strings and comments replaced by spaces; lengths do not change. A
/// string over several lines becomes one line.
fn blank(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => string_length(rest, c),
            _ => {
                out.push(c);
                rest = rest.get(c.len_utf8()..).unwrap_or_default();
                continue;
            }
        };
        out.extend(std::iter::repeat_n(' ', length));
        rest = rest.get(length..).unwrap_or_default();
    }
    out
}

/// The bytes of the string that a text begins with. One without an end stops at its line, or at the
/// end of the text if it has three quotes.
fn string_length(text: &str, quote: char) -> usize {
    let triple = quote.to_string().repeat(3);
    let long = text.starts_with(&triple);
    let begin = if long { 3 } else { 1 };
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(begin) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' if !long => return at,
            c if c == quote && !long => return at + 1,
            c if c == quote && text.get(at..).is_some_and(|rest| rest.starts_with(&triple)) => {
                return at + 3;
            }
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
