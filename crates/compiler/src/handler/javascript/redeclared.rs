//! Names that are declared twice in one scope, which the parser leaves to others.

use std::cell::Cell;
use std::collections::HashMap;

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::Span;
use oxc_syntax::scope::{ScopeFlags, ScopeId};

/// A name that is declared again.
pub(super) struct Redeclaration<'a> {
    pub(super) name: &'a str,
    pub(super) first: Span,
    pub(super) span: Span,
}

/// Every name that is declared twice.
pub(super) fn find<'a>(program: &Program<'a>) -> Vec<Redeclaration<'a>> {
    let mut finder = Finder { scopes: Vec::new(), found: Vec::new() };
    finder.visit_program(program);
    finder.found
}

/// How a name is declared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DeclarationKind {
    /// `var`, a parameter, or a function at the top of a function.
    Var,
    /// `let`, `const`, `class`, `import`, or a function elsewhere.
    Lexical,
}

struct DeclarationScope<'a> {
    names: HashMap<&'a str, (DeclarationKind, Span)>,
    flags: ScopeFlags,
}

struct Finder<'a> {
    scopes: Vec<DeclarationScope<'a>>,
    found: Vec<Redeclaration<'a>>,
}

impl<'a> Finder<'a> {
    /// Declares in the innermost scope.
    fn declare(&mut self, id: &BindingIdentifier<'a>, kind: DeclarationKind) {
        let Some(scope) = self.scopes.last_mut() else { return };
        declare_in(scope, id, kind, &mut self.found);
    }

    /// Declares in every scope up to the function that holds them.
    fn declare_var(&mut self, id: &BindingIdentifier<'a>) {
        for scope in self.scopes.iter_mut().rev() {
            declare_in(scope, id, DeclarationKind::Var, &mut self.found);
            if scope.flags.is_var() {
                return;
            }
        }
    }

    /// The name of a function is bound outside of it.
    fn declare_function(&mut self, id: &BindingIdentifier<'a>) {
        let top = self.scopes.last().map_or(ScopeFlags::Top, |scope| scope.flags);
        let kind = if top.is_function() { DeclarationKind::Var } else { DeclarationKind::Lexical };
        self.declare(id, kind);
    }

    fn pattern(&mut self, pattern: &BindingPattern<'a>, kind: DeclarationKind) {
        for id in pattern.get_binding_identifiers() {
            self.declare(id, kind);
        }
    }
}

fn declare_in<'a>(
    scope: &mut DeclarationScope<'a>,
    id: &BindingIdentifier<'a>,
    kind: DeclarationKind,
    found: &mut Vec<Redeclaration<'a>>,
) {
    let name = id.name.as_str();
    match scope.names.get(name) {
        Some((first, span))
            if *first == DeclarationKind::Lexical || kind == DeclarationKind::Lexical =>
        {
            found.push(Redeclaration { name, first: *span, span: id.span });
        }
        Some(_) => {}
        None => {
            scope.names.insert(name, (kind, id.span));
        }
    }
}

impl<'a> Visit<'a> for Finder<'a> {
    fn enter_scope(&mut self, flags: ScopeFlags, _: &Cell<Option<ScopeId>>) {
        self.scopes.push(DeclarationScope { names: HashMap::new(), flags });
    }

    fn leave_scope(&mut self) {
        self.scopes.pop();
    }

    fn visit_variable_declaration(&mut self, it: &VariableDeclaration<'a>) {
        for declarator in &it.declarations {
            if it.kind.is_var() {
                for id in declarator.id.get_binding_identifiers() {
                    self.declare_var(id);
                }
            } else {
                self.pattern(&declarator.id, DeclarationKind::Lexical);
            }
        }
        walk::walk_variable_declaration(self, it);
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        if let Some(id) = it.id.as_ref().filter(|_| it.is_declaration()) {
            self.declare_function(id);
        }
        walk::walk_function(self, it, flags);
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        if let Some(id) = it.id.as_ref().filter(|_| it.is_declaration()) {
            self.declare(id, DeclarationKind::Lexical);
        }
        walk::walk_class(self, it);
    }

    fn visit_formal_parameter(&mut self, it: &FormalParameter<'a>) {
        self.pattern(&it.pattern, DeclarationKind::Var);
        walk::walk_formal_parameter(self, it);
    }

    fn visit_formal_parameter_rest(&mut self, it: &FormalParameterRest<'a>) {
        self.pattern(&it.rest.argument, DeclarationKind::Var);
        walk::walk_formal_parameter_rest(self, it);
    }

    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        for specifier in it.specifiers.iter().flatten() {
            self.declare(specifier.local(), DeclarationKind::Lexical);
        }
    }
}
