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
    /// The first assignment to `module.exports` or `exports.x`.
    pub(super) common_js: Option<Span>,
    /// The exports of a CommonJS module: name, value and place.
    pub(super) common_js_exports: Vec<(&'a str, CommonJsValue<'a>, Span)>,
    /// Whether a CommonJS module may have exports that are not listed.
    pub(super) opaque: bool,
    /// `process.env.NAME`
    pub(super) environment: Vec<(&'a str, Span)>,
    /// Unsupported syntax: name, help and place.
    pub(super) unsupported: Vec<(&'static str, &'static str, Span)>,
}

/// The value of an export of a CommonJS module.
#[derive(Debug, Clone, Copy)]
pub(super) enum CommonJsValue<'a> {
    /// A name of the module.
    Local(&'a str),
    /// A function that begins at this place.
    Function(u32),
    Unknown,
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
            survey.common_js_exports.clear();
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

impl<'a> Survey<'a> {
    /// `module.exports = { ... }`, `module.exports.name = ...` or `exports.name = ...`
    fn common_js_export(&mut self, target: &MemberExpression<'a>, value: &Expression<'a>) {
        let whole = target.is_specific_member_access("module", "exports");
        match (whole, target.static_property_name(), value) {
            (true, _, Expression::ObjectExpression(object)) => {
                for property in &object.properties {
                    self.common_js_property(property);
                }
            }
            (false, Some(name), value) => {
                self.common_js_exports.push((name, common_js_value(value), target.span()));
            }
            _ => self.opaque = true,
        }
    }

    fn common_js_property(&mut self, property: &ObjectPropertyKind<'a>) {
        let named = match property {
            ObjectPropertyKind::ObjectProperty(it) => match &it.key {
                PropertyKey::StaticIdentifier(key) => Some((key.name.as_str(), &it.value, it.span)),
                PropertyKey::StringLiteral(key) => Some((key.value.as_str(), &it.value, it.span)),
                _ => None,
            },
            ObjectPropertyKind::SpreadProperty(_) => None,
        };
        match named {
            Some((name, value, span)) => {
                self.common_js_exports.push((name, common_js_value(value), span));
            }
            None => self.opaque = true,
        }
    }
}

fn common_js_value<'a>(value: &Expression<'a>) -> CommonJsValue<'a> {
    match value.without_parentheses() {
        Expression::Identifier(it) => CommonJsValue::Local(it.name.as_str()),
        Expression::FunctionExpression(it) if !it.generator => {
            CommonJsValue::Function(it.span.start)
        }
        Expression::ArrowFunctionExpression(it) => CommonJsValue::Function(it.span.start),
        _ => CommonJsValue::Unknown,
    }
}

impl<'a> Visit<'a> for Survey<'a> {
    fn visit_static_member_expression(&mut self, it: &StaticMemberExpression<'a>) {
        if it.object.is_specific_member_access("process", "env") {
            self.environment.push((it.property.name.as_str(), it.span));
        }
        walk::walk_static_member_expression(self, it);
    }

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
        if let Some(target) = it.left.as_member_expression().filter(|it| is_common_js(it)) {
            self.common_js.get_or_insert(it.left.span());
            self.common_js_export(target, &it.right);
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
