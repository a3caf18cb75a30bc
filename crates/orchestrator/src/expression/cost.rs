//! The cost of an evaluation, bounded from above before it begins.
//!
//! Only macros repeat anything, and they iterate over lists of bounded length: variables, literals,
//! and lists built from both.

use cel::IdedExpr;
use cel::common::ast::operators as op;
use cel::common::ast::{CallExpr, ComprehensionExpr, Expr, LiteralValue};

use super::ExpressionError;
use super::tree::{MATCHES, children};
use super::values::Measure;

/// The maximum number of steps of an evaluation. A step is a node, or the handling of a piece of
/// text.
const MAX_STEPS: u64 = 1_000_000;

/// The amount of text that is handled in one step.
const STEP_WEIGHT: u64 = 4096;

/// The steps it takes to compile a regular expression.
const PATTERN_STEPS: u64 = 1000;

/// Functions whose result is a boolean or a number, for any input.
const SMALL_RESULTS: &[&str] = &[
    op::EQUALS,
    op::NOT_EQUALS,
    op::LESS,
    op::LESS_EQUALS,
    op::GREATER,
    op::GREATER_EQUALS,
    op::LOGICAL_AND,
    op::LOGICAL_OR,
    op::LOGICAL_NOT,
    op::IN,
    "contains",
    "endsWith",
    "size",
    "startsWith",
    MATCHES,
];

/// Refuses an evaluation that may take too long.
pub(super) fn check(tree: &IdedExpr, given: &Measure) -> Result<(), ExpressionError> {
    let given = Bound { steps: 0, length: given.longest as u64, weight: given.weight as u64 };
    let bound = Estimate { given, scopes: Vec::new() }.node(tree);
    if bound.steps > MAX_STEPS { Err(ExpressionError::TooMuchWork) } else { Ok(()) }
}

/// The upper bound of a node.
#[derive(Debug, Clone, Copy, Default)]
struct Bound {
    steps: u64,
    /// The length of the longest list in its value, at any depth.
    length: u64,
    /// The amount of text in its value.
    weight: u64,
}

impl Bound {
    fn and(self, other: Self) -> Self {
        Self {
            steps: self.steps.saturating_add(other.steps),
            length: self.length.saturating_add(other.length),
            weight: self.weight.saturating_add(other.weight),
        }
    }

    fn longer(self, length: usize) -> Self {
        self.and(Self { length: length as u64, ..Self::default() })
    }

    /// Adds the steps for handling the value.
    fn handled(self) -> Self {
        let steps = 1 + self.weight / STEP_WEIGHT;
        self.and(Self { steps, ..Self::default() })
    }
}

struct Estimate<'a> {
    given: Bound,
    /// The variables that macros bind, innermost last.
    scopes: Vec<(&'a str, Bound)>,
}

impl<'a> Estimate<'a> {
    fn node(&mut self, node: &'a IdedExpr) -> Bound {
        let value = match &node.expr {
            Expr::Literal(literal) => Bound { weight: written(literal), ..Bound::default() },
            Expr::Ident(name) => self.name(name),
            Expr::Comprehension(inner) => return self.comprehension(inner),
            Expr::Call(call) => return called(call, self.children(node)),
            Expr::List(list) => self.children(node).longer(list.elements.len()),
            Expr::Map(map) => self.children(node).longer(map.entries.len()),
            Expr::Unspecified | Expr::Select(_) | Expr::Struct(_) => self.children(node),
        };
        value.handled()
    }

    fn children(&mut self, node: &'a IdedExpr) -> Bound {
        children(node).into_iter().fold(Bound::default(), |sum, child| sum.and(self.node(child)))
    }

    fn name(&self, name: &str) -> Bound {
        let bound = self.scopes.iter().rev().find(|(bound, _)| *bound == name);
        bound.map_or(self.given, |(_, bound)| *bound)
    }

    /// The body runs once for each item, and an item is at most as large as the whole range.
    fn comprehension(&mut self, inner: &'a ComprehensionExpr) -> Bound {
        let range = self.node(&inner.iter_range);
        let before = range.and(self.node(&inner.accu_init));
        let outside = self.scopes.len();
        self.scopes.push((&inner.accu_var, Bound::default()));
        self.scopes.push((&inner.iter_var, Bound { steps: 0, ..range }));
        let second =
            inner.iter_var2.iter().map(|name| (name.as_str(), Bound { steps: 0, ..range }));
        self.scopes.extend(second);
        let body = self.node(&inner.loop_cond).and(self.node(&inner.loop_step));
        let after = self.node(&inner.result);
        self.scopes.truncate(outside);
        Bound {
            steps: range
                .length
                .saturating_mul(body.steps)
                .saturating_add(before.steps)
                .saturating_add(after.steps),
            length: range.length.saturating_add(body.length),
            weight: range.length.saturating_mul(body.weight),
        }
    }
}

fn written(literal: &LiteralValue) -> u64 {
    match literal {
        LiteralValue::String(text) => text.inner().len() as u64,
        LiteralValue::Bytes(bytes) => bytes.inner().len() as u64,
        _ => 0,
    }
}

/// A call handles all of its arguments.
fn called(call: &CallExpr, arguments: Bound) -> Bound {
    let name = call.func_name.as_str();
    let mut bound = arguments.handled();
    if name == MATCHES {
        bound.steps = bound.steps.saturating_add(PATTERN_STEPS);
    }
    if SMALL_RESULTS.contains(&name) {
        Bound { steps: bound.steps, ..Bound::default() }
    } else {
        bound
    }
}
