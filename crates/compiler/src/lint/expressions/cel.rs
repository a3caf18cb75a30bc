//! Parses CEL expressions and finds their references.
//!
//! Scopes are followed, so that a variable which a macro binds, as `x` in `args.list.all(x, x >
//! 1)`, does not count as one of ours.

use std::ops::Range;

use aileron_contract::condition;
use cel::common::ast::operators::{IN, INDEX};
use cel::common::ast::{
    CallExpr, ComprehensionExpr, EntryExpr, Expr, IdedEntryExpr, IdedExpr, LiteralValue,
    SelectExpr, SourceInfo,
};
use cel::parser::Parser;

use super::cel_problem::{self, MOST_CHARACTERS, Problem};

/// Something an expression refers to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) kind: ReferenceKind,
    pub(crate) name: String,
    /// Bytes of the text.
    pub(crate) place: Range<usize>,
}

/// The kind of a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReferenceKind {
    Variable,
    /// A property of a variable.
    Property {
        of: &'static str,
        access: Access,
    },
    Function,
}

/// How a property is accessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Fails if the property is missing.
    Read,
    /// Asks whether the property is present: `has(user.plan)`, `"plan" in user`.
    Test,
}

/// The references of an expression, in the order of the text.
pub(crate) fn references(text: &str) -> Result<Vec<Reference>, Problem> {
    let count = text.chars().count();
    if count > MOST_CHARACTERS {
        return Err(cel_problem::too_long(text, count));
    }
    let parsed = Parser::new().parse_with_source_info(text);
    let (expression, info) = parsed.map_err(|errors| cel_problem::explain(text, &errors.errors))?;
    let mut walk = CelWalk { text, info, bound: Vec::new(), found: Vec::new() };
    walk.expression(&expression);
    walk.found.sort_by_key(|reference| reference.place.start);
    Ok(walk.found)
}

struct CelWalk<'a> {
    text: &'a str,
    info: SourceInfo,
    /// The variables that the macros around us bind.
    bound: Vec<String>,
    found: Vec<Reference>,
}

impl CelWalk<'_> {
    fn expression(&mut self, node: &IdedExpr) {
        match &node.expr {
            Expr::Unspecified | Expr::Literal(_) => {}
            Expr::Ident(name) => self.variable(node.id, name),
            Expr::Select(select) => self.select(node.id, select),
            Expr::Call(call) => self.call(node.id, call),
            Expr::Comprehension(inner) => self.comprehension(inner),
            Expr::List(list) => list.elements.iter().for_each(|item| self.expression(item)),
            Expr::Map(map) => self.entries(&map.entries),
            Expr::Struct(object) => self.entries(&object.entries),
        }
    }

    fn entries(&mut self, entries: &[IdedEntryExpr]) {
        for entry in entries {
            match &entry.expr {
                EntryExpr::StructField(field) => self.expression(&field.value),
                EntryExpr::MapEntry(entry) => {
                    self.expression(&entry.key);
                    self.expression(&entry.value);
                }
            }
        }
    }

    fn variable(&mut self, id: u64, name: &str) {
        let plain = name.trim_start_matches('.');
        if !self.bound.iter().any(|bound| bound == name) && !plain.starts_with('@') {
            let place = self.token(id);
            self.add(ReferenceKind::Variable, plain, place);
        }
    }

    fn select(&mut self, id: u64, select: &SelectExpr) {
        if let Some(of) = self.owner(&select.operand) {
            let place = self.field(select.operand.id, &select.field).unwrap_or(self.token(id));
            let access = if select.test { Access::Test } else { Access::Read };
            self.add(ReferenceKind::Property { of, access }, &select.field, place);
        }
        self.expression(&select.operand);
    }

    fn call(&mut self, id: u64, call: &CallExpr) {
        match (call.func_name.as_str(), call.args.as_slice()) {
            (INDEX, [object, key]) => self.key(object, key, Access::Read),
            (IN, [key, object]) => self.key(object, key, Access::Test),
            (name, _) if name.starts_with(char::is_alphabetic) => {
                let place = self.before(id, name);
                self.add(ReferenceKind::Function, name, place);
            }
            _ => {}
        }
        call.target.iter().for_each(|target| self.expression(target));
        call.args.iter().for_each(|argument| self.expression(argument));
    }

    /// A property named by a text: `args["query"]`, `"query" in args`.
    fn key(&mut self, object: &IdedExpr, key: &IdedExpr, access: Access) {
        if let Some(of) = self.owner(object)
            && let Expr::Literal(LiteralValue::String(name)) = &key.expr
        {
            let place = self.token(key.id);
            self.add(ReferenceKind::Property { of, access }, name.inner(), place);
        }
    }

    fn comprehension(&mut self, inner: &ComprehensionExpr) {
        self.expression(&inner.iter_range);
        self.expression(&inner.accu_init);
        let outside = self.bound.len();
        self.bound.push(inner.accu_var.clone());
        self.expression(&inner.result);
        self.bound.push(inner.iter_var.clone());
        self.bound.extend(inner.iter_var2.clone());
        self.expression(&inner.loop_cond);
        self.expression(&inner.loop_step);
        self.bound.truncate(outside);
    }

    /// The name of the variable that a node is, unless a macro binds the same name.
    fn owner(&self, node: &IdedExpr) -> Option<&'static str> {
        let Expr::Ident(name) = &node.expr else { return None };
        let shadowed = self.bound.iter().any(|bound| bound == name);
        let plain = name.trim_start_matches('.');
        let known = condition::FIELDS.iter().find_map(|field| field.variable(plain));
        known.filter(|_| !shadowed).map(|variable| variable.name)
    }

    fn add(&mut self, kind: ReferenceKind, name: &str, place: Range<usize>) {
        self.found.push(Reference { kind, name: name.to_owned(), place });
    }

    /// The token of a node.
    fn token(&self, id: u64) -> Range<usize> {
        let Some((first, last)) = self.info.offset_for(id) else { return 0..self.text.len() };
        let range = first as usize..(last as usize).saturating_add(1);
        if self.text.get(range.clone()).is_some() { range } else { 0..self.text.len() }
    }

    /// The field behind the dot that follows a node's token.
    fn field(&self, owner: u64, name: &str) -> Option<Range<usize>> {
        let rest = self.text.get(self.token(owner).end..)?;
        let field = rest.trim_start().strip_prefix('.')?.trim_start();
        let start = self.text.len() - field.len();
        self.if_spelled(start..start + name.len(), name)
    }

    /// The name that precedes a node's token: the function before its parenthesis.
    fn before(&self, id: u64, name: &str) -> Range<usize> {
        let token = self.token(id);
        let end = self.text.get(..token.start).unwrap_or_default().trim_end().len();
        self.if_spelled(end.saturating_sub(name.len())..end, name).unwrap_or(token)
    }

    fn if_spelled(&self, range: Range<usize>, name: &str) -> Option<Range<usize>> {
        (self.text.get(range.clone()) == Some(name)).then_some(range)
    }
}

#[cfg(test)]
#[path = "cel_tests.rs"]
mod tests;
