//! Surveys a whole module for constructs other than import and export declarations.

use std::collections::HashSet;

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};

/// The findings of a survey.
#[derive(Default)]
pub(super) struct Survey<'a> {
    /// Every name that is bound somewhere.
    pub(super) names: HashSet<&'a str>,
    /// `import(...)`, with the path if it is a literal.
    pub(super) dynamic: Vec<Dynamic<'a>>,
    /// `require('...')`
    pub(super) requires: Vec<(&'a str, Span)>,
    /// Assignments to `module.exports` or `exports.x`.
    pub(super) common_js: Option<Span>,
    /// Unsupported syntax: name, help and place.
    pub(super) unsupported: Vec<(&'static str, &'static str, Span)>,
}

/// A dynamic import.
pub(super) struct Dynamic<'a> {
    pub(super) request: Option<&'a str>,
    pub(super) attributes: bool,
    pub(super) span: Span,
}

impl<'a> Survey<'a> {
    pub(super) fn of(program: &Program<'a>) -> Self {
        let mut survey = Self::default();
        survey.visit_program(program);
        if survey.names.contains("require") {
            survey.requires.clear();
        }
        if survey.names.contains("module") || survey.names.contains("exports") {
            survey.common_js = None;
        }
        survey
    }
}

/// The text of a literal, if the expression is one.
pub(super) fn literal<'a>(expression: &Expression<'a>) -> Option<&'a str> {
    match expression {
        Expression::StringLiteral(it) => Some(it.value.as_str()),
        Expression::TemplateLiteral(it) => it.single_quasi().map(|text| text.as_str()),
        _ => None,
    }
}

fn is_common_js(target: &MemberExpression<'_>) -> bool {
    let object = target.object();
    target.is_specific_member_access("module", "exports")
        || object.is_specific_id("exports")
        || object.is_specific_member_access("module", "exports")
}

impl<'a> Visit<'a> for Survey<'a> {
    fn visit_binding_identifier(&mut self, it: &BindingIdentifier<'a>) {
        self.names.insert(it.name.as_str());
    }

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        let request = literal(&it.source);
        self.dynamic.push(Dynamic {
            request,
            attributes: it.options.is_some(),
            span: if request.is_some() { it.source.span() } else { it.span },
        });
        if it.phase.is_some() {
            self.unsupported.push(PHASE.at(it.span));
        }
        walk::walk_import_expression(self, it);
    }

    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        if it.phase.is_some() {
            self.unsupported.push(PHASE.at(it.span));
        }
        walk::walk_import_declaration(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        if it.callee.is_specific_id("require")
            && let Some(request) =
                it.arguments.first().and_then(Argument::as_expression).and_then(literal)
        {
            self.requires.push((request, it.span));
        }
        walk::walk_call_expression(self, it);
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        if it.left.as_member_expression().is_some_and(is_common_js) {
            self.common_js.get_or_insert(it.left.span());
        }
        walk::walk_assignment_expression(self, it);
    }

    fn visit_with_statement(&mut self, it: &WithStatement<'a>) {
        self.unsupported.push(WITH.at(Span::new(it.span.start, it.object.span().end)));
        walk::walk_with_statement(self, it);
    }

    fn visit_decorator(&mut self, it: &Decorator<'a>) {
        self.unsupported.push(DECORATOR.at(it.span));
    }

    fn visit_accessor_property(&mut self, it: &AccessorProperty<'a>) {
        self.unsupported.push(ACCESSOR.at(it.span));
    }
}

struct Unsupported(&'static str, &'static str);

impl Unsupported {
    const fn at(&self, span: Span) -> (&'static str, &'static str, Span) {
        (self.0, self.1, span)
    }
}

const WITH: Unsupported = Unsupported("`with`", "modules are strict: name the object each time");
const PHASE: Unsupported = Unsupported("an import phase", "write a plain `import`");
const DECORATOR: Unsupported = Unsupported("a decorator", "call the function by hand");
const ACCESSOR: Unsupported =
    Unsupported("an `accessor` field", "write a field, or a getter and a setter");
