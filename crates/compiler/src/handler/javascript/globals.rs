//! Finds the names that a module uses and binds nowhere, and reports those that its runtime does not
//! have.

use std::cell::Cell;
use std::collections::{BTreeSet, HashSet};

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::Span;
use oxc_syntax::scope::{ScopeFlags, ScopeId};

use crate::lint::handler::missing_global::{self, GlobalsOf};

/// The first use of each name that the runtime lacks, in order of the text. A name that the module tests with `typeof`
/// is known to be missing and not reported.
pub(super) fn missing<'a>(program: &Program<'a>, runtime: GlobalsOf) -> Vec<(&'a str, Span)> {
    let mut globals = Globals::default();
    globals.visit_program(program);
    let Globals { mut free, tested, .. } = globals;
    free.sort_by_key(|(_, span)| span.start);
    let mut seen = BTreeSet::new();
    free.retain(|(name, _)| {
        missing_global::way_out(runtime, name).is_some()
            && !tested.contains(name)
            && seen.insert(*name)
    });
    free
}

#[derive(Default)]
struct Globals<'a> {
    scopes: Vec<GlobalScope<'a>>,
    /// The unbound names at the end of the module.
    free: Vec<(&'a str, Span)>,
    tested: HashSet<&'a str>,
}

/// The bindings of a scope, and the names that it uses from outer scopes.
#[derive(Default)]
struct GlobalScope<'a> {
    is_function: bool,
    names: HashSet<&'a str>,
    uses: Vec<(&'a str, Span)>,
}

impl<'a> Globals<'a> {
    fn bind(&mut self, name: &'a str) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name);
        }
    }

    /// A `var` belongs to its function, at any block depth.
    fn bind_in_function(&mut self, name: &'a str) {
        if let Some(scope) = self.scopes.iter_mut().rev().find(|scope| scope.is_function) {
            scope.names.insert(name);
        }
    }

    fn use_name(&mut self, name: &'a str, span: Span) {
        match self.scopes.last_mut() {
            Some(scope) => scope.uses.push((name, span)),
            None => self.free.push((name, span)),
        }
    }
}

impl<'a> Visit<'a> for Globals<'a> {
    fn enter_scope(&mut self, flags: ScopeFlags, _: &Cell<Option<ScopeId>>) {
        let is_function = flags.is_function() || flags.is_top();
        self.scopes.push(GlobalScope { is_function, ..GlobalScope::default() });
    }

    fn leave_scope(&mut self) {
        let Some(GlobalScope { names, uses, .. }) = self.scopes.pop() else { return };
        for (name, span) in uses.into_iter().filter(|(name, _)| !names.contains(name)) {
            self.use_name(name, span);
        }
    }

    fn visit_binding_identifier(&mut self, it: &BindingIdentifier<'a>) {
        self.bind(it.name.as_str());
    }

    fn visit_variable_declaration(&mut self, it: &VariableDeclaration<'a>) {
        if it.kind == VariableDeclarationKind::Var {
            for declarator in &it.declarations {
                for id in declarator.id.get_binding_identifiers() {
                    self.bind_in_function(id.name.as_str());
                }
            }
        }
        walk::walk_variable_declaration(self, it);
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        if let Some(id) = it.id.as_ref().filter(|_| it.is_declaration()) {
            self.bind(id.name.as_str());
        }
        walk::walk_function(self, it, flags);
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        if let Some(id) = it.id.as_ref().filter(|_| it.is_declaration()) {
            self.bind(id.name.as_str());
        }
        walk::walk_class(self, it);
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.use_name(it.name.as_str(), it.span);
    }

    fn visit_unary_expression(&mut self, it: &UnaryExpression<'a>) {
        match (&it.operator, &it.argument) {
            (UnaryOperator::Typeof, Expression::Identifier(id)) => {
                self.tested.insert(id.name.as_str());
            }
            _ => walk::walk_unary_expression(self, it),
        }
    }

    /// `globalThis.fetch(...)` is a use like `fetch(...)`; that the name is only read may be a test.
    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        if let Expression::StaticMemberExpression(member) = &it.callee
            && member.object.is_specific_id("globalThis")
            && !it.optional
        {
            self.use_name(member.property.name.as_str(), member.span);
        }
        walk::walk_call_expression(self, it);
    }
}

#[cfg(test)]
#[path = "globals_tests.rs"]
mod tests;
