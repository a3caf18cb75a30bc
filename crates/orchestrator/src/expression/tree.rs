//! Walks over the tree of an expression: its depth, and the variables that it uses.

use std::collections::BTreeSet;

use cel::IdedExpr;
use cel::common::ast::operators::{IN, INDEX};
use cel::common::ast::{CallExpr, EntryExpr, Expr, IdedEntryExpr, LiteralValue};

use super::ExpressionError;

/// The variable that holds the arguments of a call.
const ARGUMENTS: &str = "args";

/// The function that compiles a regular expression.
pub(super) const MATCHES: &str = "matches";

/// The nodes directly below a node.
pub(super) fn children(node: &IdedExpr) -> Vec<&IdedExpr> {
    match &node.expr {
        Expr::Unspecified | Expr::Literal(_) | Expr::Ident(_) => Vec::new(),
        Expr::Select(select) => vec![&select.operand],
        Expr::Call(call) => call.target.as_deref().into_iter().chain(&call.args).collect(),
        Expr::List(list) => list.elements.iter().collect(),
        Expr::Map(map) => map.entries.iter().flat_map(entry).collect(),
        Expr::Struct(object) => object.entries.iter().flat_map(entry).collect(),
        Expr::Comprehension(inner) => vec![
            &inner.iter_range,
            &inner.accu_init,
            &inner.loop_cond,
            &inner.loop_step,
            &inner.result,
        ],
    }
}

fn entry(entry: &IdedEntryExpr) -> Vec<&IdedExpr> {
    match &entry.expr {
        EntryExpr::StructField(field) => vec![&field.value],
        EntryExpr::MapEntry(entry) => vec![&entry.key, &entry.value],
    }
}

/// How many nodes lie between the root and the farthest leaf, both counted.
pub(super) fn levels(node: &IdedExpr) -> usize {
    1 + children(node).into_iter().map(levels).max().unwrap_or_default()
}

/// The variables that an expression uses. A name that a macro binds counts too, so the set may be
/// too large and is never too small.
#[derive(Debug, Default)]
pub(super) struct Needs {
    variables: BTreeSet<String>,
    /// The properties of `args` that are named.
    arguments: BTreeSet<String>,
    /// Whether `args` is used other than by the name of a property.
    all_arguments: bool,
}

impl Needs {
    pub(super) fn of(tree: &IdedExpr) -> Result<Self, ExpressionError> {
        let mut needs = Self::default();
        needs.visit(tree)?;
        Ok(needs)
    }

    pub(super) fn has_variable(&self, name: &str) -> bool {
        self.variables.contains(name)
    }

    /// The names of the arguments that are used; `None` if all are.
    pub(super) fn named_arguments(&self) -> Option<&BTreeSet<String>> {
        (!self.all_arguments).then_some(&self.arguments)
    }

    fn visit(&mut self, node: &IdedExpr) -> Result<(), ExpressionError> {
        match &node.expr {
            Expr::Ident(name) => self.name(name.trim_start_matches('.')),
            Expr::Select(select) if is_arguments(&select.operand) => {
                self.arguments.insert(select.field.clone());
                return Ok(());
            }
            Expr::Call(call) => {
                check_pattern(call)?;
                if let Some(key) = key_of_arguments(call) {
                    self.arguments.insert(key.to_owned());
                    return Ok(());
                }
            }
            _ => {}
        }
        children(node).into_iter().try_for_each(|child| self.visit(child))
    }

    fn name(&mut self, name: &str) {
        self.all_arguments |= name == ARGUMENTS;
        self.variables.insert(name.to_owned());
    }
}

fn is_arguments(node: &IdedExpr) -> bool {
    matches!(&node.expr, Expr::Ident(name) if name == ARGUMENTS)
}

/// The key in `args["key"]` and in `"key" in args`.
fn key_of_arguments(call: &CallExpr) -> Option<&str> {
    let (object, key) = match (call.func_name.as_str(), call.args.as_slice()) {
        (INDEX, [object, key]) | (IN, [key, object]) => (object, key),
        _ => return None,
    };
    if is_arguments(object) { text(key) } else { None }
}

/// A pattern from outside could be costly to compile, so it has to be a literal.
fn check_pattern(call: &CallExpr) -> Result<(), ExpressionError> {
    let pattern = call.args.last().filter(|_| call.func_name == MATCHES);
    match pattern {
        Some(pattern) if text(pattern).is_none() => Err(ExpressionError::ComputedPattern),
        _ => Ok(()),
    }
}

fn text(node: &IdedExpr) -> Option<&str> {
    match &node.expr {
        Expr::Literal(LiteralValue::String(text)) => Some(text.inner()),
        _ => None,
    }
}
