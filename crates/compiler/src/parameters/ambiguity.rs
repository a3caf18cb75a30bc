//! Finds the repetitions that make a backtracking engine try exponentially many ways.
//!
//! The body of each unbounded repetition becomes a position automaton. If one text
//! leads back to the same position by two different paths, then every further copy of
//! that text doubles the ways to read it, and a text that fails in the end fails them all.

use regex_syntax::ast::{AssertionKind, Ast};
use regex_syntax::hir::translate::Translator;
use regex_syntax::hir::{Class, HirKind};

use super::regex::bounds;

/// Maximum copies of a counted repetition.
const MAX_COPIES: u32 = 4;

/// Repetitions with more positions than this are not judged.
const MAX_POSITIONS: usize = 32;

/// Repetition count from which on a repetition counts as unbounded.
const MANY: u32 = 10;

/// Whether some repetition of the pattern is exponential in a backtracking engine.
pub(crate) fn is_exponential(pattern: &str, ast: &Ast) -> bool {
    match ast {
        Ast::Repetition(repetition)
            if bounds(&repetition.op.kind).1.is_none_or(|max| max >= MANY) =>
        {
            is_complex(&repetition.ast) && loops_twice(pattern, &repetition.ast)
        }
        Ast::Repetition(repetition) => is_exponential(pattern, &repetition.ast),
        Ast::Group(group) => is_exponential(pattern, &group.ast),
        Ast::Alternation(alternation) => {
            alternation.asts.iter().any(|ast| is_exponential(pattern, ast))
        }
        Ast::Concat(concat) => concat.asts.iter().any(|ast| is_exponential(pattern, ast)),
        _ => false,
    }
}

/// Whether a body can be ambiguous.
fn is_complex(ast: &Ast) -> bool {
    match ast {
        Ast::Repetition(_) | Ast::Alternation(_) => true,
        Ast::Group(group) => is_complex(&group.ast),
        Ast::Concat(concat) => concat.asts.iter().any(is_complex),
        _ => false,
    }
}

fn loops_twice(pattern: &str, body: &Ast) -> bool {
    let mut automaton = Automaton { pattern, classes: Vec::new(), edges: Vec::new() };
    let Some(part) = automaton.add(body) else { return false };
    automaton.connect(&part.last, &part.first);
    automaton.keep_those_that_reach(&part.last);
    automaton.is_ambiguous()
}

type Ranges = Vec<(char, char)>;

/// A position for each character of the pattern, and what may follow it.
struct Automaton<'p> {
    pattern: &'p str,
    classes: Vec<Ranges>,
    /// An edge occurs twice if two readings use it.
    edges: Vec<(usize, usize)>,
}

/// A part of the pattern: where it may begin, where it may end, whether it may be empty.
struct RegexPart {
    empty: bool,
    first: Vec<usize>,
    last: Vec<usize>,
}

impl RegexPart {
    const NOTHING: Self = Self { empty: true, first: Vec::new(), last: Vec::new() };
    /// Behind it, nothing can follow.
    const END: Self = Self { empty: false, first: Vec::new(), last: Vec::new() };
}

impl Automaton<'_> {
    /// Adds a part; `None` when it is too large or cannot be read.
    fn add(&mut self, ast: &Ast) -> Option<RegexPart> {
        match ast {
            Ast::Assertion(assertion) if assertion.kind == AssertionKind::EndLine => {
                Some(RegexPart::END)
            }
            Ast::Empty(_) | Ast::Flags(_) | Ast::Assertion(_) => Some(RegexPart::NOTHING),
            Ast::Literal(literal) => self.position(vec![(literal.c, literal.c)]),
            Ast::Dot(_) => self.position(vec![('\0', char::MAX)]),
            Ast::ClassUnicode(_) | Ast::ClassPerl(_) | Ast::ClassBracketed(_) => {
                let ranges = ranges(self.pattern, ast)?;
                self.position(ranges)
            }
            Ast::Group(group) => self.add(&group.ast),
            Ast::Concat(concat) => {
                concat.asts.iter().try_fold(RegexPart::NOTHING, |before, ast| {
                    let after = self.add(ast)?;
                    Some(self.chain(before, after))
                })
            }
            Ast::Alternation(alternation) => {
                let mut parts = alternation.asts.iter().map(|ast| self.add(ast));
                let first = parts.next()??;
                parts.try_fold(first, |all, one| Some(either(all, one?)))
            }
            Ast::Repetition(repetition) => {
                let (min, max) = bounds(&repetition.op.kind);
                self.repeat(&repetition.ast, min.min(MAX_COPIES), max.map(|m| m.min(MAX_COPIES)))
            }
        }
    }

    fn position(&mut self, class: Ranges) -> Option<RegexPart> {
        let at = self.classes.len();
        self.classes.push(class);
        (at < MAX_POSITIONS).then(|| RegexPart { empty: false, first: vec![at], last: vec![at] })
    }

    /// `x{2,4}` is `xx(x(x)?)?`; `x{2,}` is `xx+`.
    fn repeat(&mut self, ast: &Ast, min: u32, max: Option<u32>) -> Option<RegexPart> {
        let mut tail = match max {
            None => {
                let mut part = self.add(ast)?;
                self.connect(&part.last, &part.first);
                part.empty |= min == 0;
                part
            }
            Some(_) => RegexPart::NOTHING,
        };
        let optional = max.map_or(0, |max| max.saturating_sub(min));
        for _ in 0..optional {
            let part = self.add(ast)?;
            tail = self.chain(part, tail);
            tail.empty = true;
        }
        let needed = if max.is_none() { min.saturating_sub(1) } else { min };
        for _ in 0..needed {
            let part = self.add(ast)?;
            tail = self.chain(part, tail);
        }
        Some(tail)
    }

    fn chain(&mut self, before: RegexPart, after: RegexPart) -> RegexPart {
        self.connect(&before.last, &after.first);
        let mut first = before.first;
        if before.empty {
            first.extend(&after.first);
        }
        let mut last = after.last;
        if after.empty {
            last.extend(&before.last);
        }
        RegexPart { empty: before.empty && after.empty, first, last }
    }

    fn connect(&mut self, from: &[usize], to: &[usize]) {
        for a in from {
            self.edges.extend(to.iter().map(|b| (*a, *b)));
        }
    }

    /// Drops the edges to positions from which the loop cannot continue, as before a `$`.
    fn keep_those_that_reach(&mut self, ends: &[usize]) {
        let mut alive = vec![false; self.classes.len()];
        let mut open = ends.to_vec();
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut alive[at], true) {
                open.extend(self.edges.iter().filter(|(_, to)| *to == at).map(|(from, _)| from));
            }
        }
        self.edges.retain(|(from, to)| alive[*from] && alive[*to]);
    }

    /// Every position lies on the loop, so two paths that part and meet again are enough.
    fn is_ambiguous(&mut self) -> bool {
        self.edges.sort_unstable();
        if self.edges.windows(2).any(|pair| pair[0] == pair[1]) {
            return true;
        }
        let pairs = self.pairs();
        let parted = reach(&pairs, |(from, to)| (*from, *to));
        let meeting = reach(&pairs, |(from, to)| (*to, *from));
        parted.iter().zip(&meeting).any(|(parted, meeting)| *parted && *meeting)
    }

    /// The steps that two readers of one text can take together, as edges between pairs.
    fn pairs(&self) -> Vec<(usize, usize)> {
        let overlaps: Vec<Vec<bool>> = self
            .classes
            .iter()
            .map(|a| self.classes.iter().map(|b| overlap(a, b)).collect())
            .collect();
        let mut pairs = Vec::new();
        for (a, next_a) in &self.edges {
            for (b, next_b) in &self.edges {
                if overlaps[*next_a][*next_b] {
                    pairs.push((a * MAX_POSITIONS + b, next_a * MAX_POSITIONS + next_b));
                }
            }
        }
        pairs
    }
}

fn either(mut a: RegexPart, b: RegexPart) -> RegexPart {
    a.empty |= b.empty;
    a.first.extend(b.first);
    a.last.extend(b.last);
    a
}

/// The pairs of different positions that steps lead to from pairs of the same position.
fn reach(
    steps: &[(usize, usize)],
    direction: impl Fn(&(usize, usize)) -> (usize, usize),
) -> Vec<bool> {
    let mut next = vec![Vec::new(); MAX_POSITIONS * MAX_POSITIONS];
    for step in steps {
        let (from, to) = direction(step);
        if !is_same(to) {
            next[from].push(to);
        }
    }
    let mut reached = vec![false; next.len()];
    let mut open: Vec<usize> = (0..next.len()).filter(|pair| is_same(*pair)).collect();
    while let Some(from) = open.pop() {
        for to in std::mem::take(&mut next[from]) {
            if !std::mem::replace(&mut reached[to], true) {
                open.push(to);
            }
        }
    }
    reached
}

fn is_same(pair: usize) -> bool {
    pair / MAX_POSITIONS == pair % MAX_POSITIONS
}

/// Whether two sorted classes share a character.
fn overlap(mut a: &[(char, char)], mut b: &[(char, char)]) -> bool {
    while let ([(low, high), rest_a @ ..], [(start, end), rest_b @ ..]) = (a, b) {
        if high < start {
            a = rest_a;
        } else if end < low {
            b = rest_b;
        } else {
            return true;
        }
    }
    false
}

/// The characters of a class.
fn ranges(pattern: &str, class: &Ast) -> Option<Ranges> {
    match Translator::new().translate(pattern, class).ok()?.kind() {
        HirKind::Class(Class::Unicode(class)) => {
            Some(class.iter().map(|range| (range.start(), range.end())).collect())
        }
        HirKind::Literal(literal) => {
            let c = std::str::from_utf8(&literal.0).ok()?.chars().next()?;
            Some(vec![(c, c)])
        }
        _ => None,
    }
}
