//! Visits a TypeScript module and marks its types.

use std::collections::BTreeSet;

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_parser::Kind;
use oxc_span::{GetSpan, Span};

use super::blank::{BlankRange, Edits, Guard};
use super::tokens::Tokens;
use crate::lint::handler::not_erasable::Construct;
use crate::source;

/// The visitor and its marks.
pub(super) struct Eraser<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: Tokens<'t>,
    pub(super) edits: Edits,
    pub(super) refused: Vec<(Construct, source::Span)>,
    pub(super) types: BTreeSet<String>,
    pub(super) own_types: BTreeSet<String>,
}

impl<'t> Eraser<'t> {
    pub(super) fn run(text: &'t str, tokens: Tokens<'t>, program: &Program<'_>) -> Self {
        let mut eraser = Self {
            text,
            tokens,
            edits: Edits::default(),
            refused: Vec::new(),
            types: BTreeSet::new(),
            own_types: BTreeSet::new(),
        };
        eraser.visit_program(program);
        eraser
    }

    pub(super) fn blank(&mut self, start: u32, end: u32, guard: Guard) {
        self.edits.blanks.push(BlankRange { start, end, guard });
    }

    pub(super) fn blank_span(&mut self, span: Span) {
        self.blank(span.start, span.end, Guard::None);
    }

    fn blank_statement(&mut self, it: &Statement<'_>) {
        self.blank(it.span().start, it.span().end, Guard::Statement);
    }

    /// Blanks an item of a list together with its comma.
    pub(super) fn blank_item(&mut self, span: Span) {
        let comma = self.tokens.expect(span.end, Kind::Comma);
        self.blank(span.start, comma.map_or(span.end, |comma| comma.end()), Guard::None);
    }

    /// Blanks the first token at or after a place, if it is of that kind.
    pub(super) fn blank_token(&mut self, place: u32, kind: Kind) {
        if let Some(token) = self.tokens.expect(place, kind) {
            self.blank_span(token.span());
        }
    }

    pub(super) fn refuse(&mut self, construct: Construct, span: Span) {
        let place = span.start as usize..span.end as usize;
        self.refused.push((construct, place));
    }

    /// Erases an assertion and keeps its expression.
    fn assertion(&mut self, expression: &Expression<'_>, span: Span) {
        self.blank(expression.span().end, span.end, Guard::Expression);
    }

    /// `a ** b as T ** c` begins at its left, `a ** b ** c` at its right.
    fn power(&mut self, it: &BinaryExpression<'_>) {
        let mut inner = &it.left;
        while let Some(asserted) = asserted(inner) {
            inner = asserted;
        }
        let is_power = |operator| operator == BinaryOperator::Exponential;
        if let Expression::BinaryExpression(left) = inner
            && is_power(left.operator)
            && is_power(it.operator)
        {
            self.refuse(Construct::Power, it.left.span());
        }
    }

    fn has_newline(&self, start: u32, end: u32) -> bool {
        let between = self.text.get(start as usize..end as usize).unwrap_or_default();
        between.contains(['\n', '\r', '\u{2028}', '\u{2029}'])
    }

    /// `async <T>(newline)(x)`: no line end may precede the parameters.
    fn pull_parenthesis(&mut self, types: Span, params: Span) {
        if self.has_newline(types.start, params.start) {
            self.blank(params.start, params.start + 1, Guard::None);
            self.edits.puts.insert(types.start, '(');
        }
    }

    /// `(x): (newline) T => x`: no line end may precede the arrow.
    fn push_parenthesis(&mut self, params: Span, result: Span) {
        let arrow = self.tokens.from(result.end).map_or(result.end, |arrow| arrow.start());
        if params.end == 0 || !self.has_newline(params.end, arrow) {
            return;
        }
        let types = self.text.get(result.start as usize..result.end as usize);
        let width = types.and_then(|types| types.chars().next_back()).map_or(1, char::len_utf8);
        let last = (result.end as usize).saturating_sub(width);
        self.blank(params.end - 1, params.end, Guard::None);
        self.edits.puts.extend(u32::try_from(last).map(|last| (last, ')')));
    }
}

/// The expression inside of `... as T` or `... satisfies T`.
fn asserted<'e, 'a>(expression: &'e Expression<'a>) -> Option<&'e Expression<'a>> {
    match expression {
        Expression::TSAsExpression(it) => Some(&it.expression),
        Expression::TSSatisfiesExpression(it) => Some(&it.expression),
        _ => None,
    }
}

impl<'a> Visit<'a> for Eraser<'_> {
    fn visit_program(&mut self, it: &Program<'a>) {
        for statement in &it.body {
            match statement.as_module_declaration() {
                Some(module) if self.is_type_module(module) => self.blank_statement(statement),
                Some(module) => self.visit_module_declaration(module),
                None => self.visit_statement(statement),
            }
        }
    }

    fn visit_statement(&mut self, it: &Statement<'a>) {
        match it.as_declaration() {
            Some(declaration) if self.is_type_declaration(declaration) => self.blank_statement(it),
            _ => walk::walk_statement(self, it),
        }
    }

    fn visit_ts_type_annotation(&mut self, it: &TSTypeAnnotation<'a>) {
        self.blank_span(it.span);
    }

    fn visit_ts_type_parameter_declaration(&mut self, it: &TSTypeParameterDeclaration<'a>) {
        self.blank_span(it.span);
    }

    fn visit_ts_type_parameter_instantiation(&mut self, it: &TSTypeParameterInstantiation<'a>) {
        self.blank_span(it.span);
    }

    fn visit_ts_this_parameter(&mut self, it: &TSThisParameter<'a>) {
        self.blank_item(it.span);
    }

    fn visit_ts_as_expression(&mut self, it: &TSAsExpression<'a>) {
        self.assertion(&it.expression, it.span);
        self.visit_expression(&it.expression);
    }

    fn visit_ts_satisfies_expression(&mut self, it: &TSSatisfiesExpression<'a>) {
        self.assertion(&it.expression, it.span);
        self.visit_expression(&it.expression);
    }

    fn visit_ts_non_null_expression(&mut self, it: &TSNonNullExpression<'a>) {
        self.blank(it.expression.span().end, it.span.end, Guard::None);
        self.visit_expression(&it.expression);
    }

    fn visit_ts_instantiation_expression(&mut self, it: &TSInstantiationExpression<'a>) {
        self.assertion(&it.expression, it.span);
        self.visit_expression(&it.expression);
    }

    fn visit_binary_expression(&mut self, it: &BinaryExpression<'a>) {
        self.power(it);
        walk::walk_binary_expression(self, it);
    }

    fn visit_formal_parameter(&mut self, it: &FormalParameter<'a>) {
        if it.has_modifier() {
            self.refuse(Construct::ParameterProperty, it.span);
        }
        if it.optional {
            self.blank_token(it.pattern.span().end, Kind::Question);
        }
        walk::walk_formal_parameter(self, it);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        if it.definite {
            self.blank_token(it.id.span().end, Kind::Bang);
        }
        walk::walk_variable_declarator(self, it);
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        if let Some(types) = &it.type_parameters {
            self.pull_parenthesis(types.span, it.params.span);
        }
        if let Some(result) = &it.return_type {
            self.push_parenthesis(it.params.span, result.span);
        }
        walk::walk_arrow_function_expression(self, it);
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        self.class(it);
        walk::walk_class(self, it);
    }

    fn visit_ts_class_implements_list(
        &mut self,
        it: &oxc_allocator::Vec<'a, TSClassImplements<'a>>,
    ) {
        self.implements(it);
    }

    fn visit_method_definition(&mut self, it: &MethodDefinition<'a>) {
        if self.method(it) {
            walk::walk_method_definition(self, it);
        }
    }

    fn visit_property_definition(&mut self, it: &PropertyDefinition<'a>) {
        if self.field(it) {
            walk::walk_property_definition(self, it);
        }
    }

    fn visit_accessor_property(&mut self, it: &AccessorProperty<'a>) {
        if self.accessor(it) {
            walk::walk_accessor_property(self, it);
        }
    }

    fn visit_ts_index_signature(&mut self, it: &TSIndexSignature<'a>) {
        self.blank(it.span.start, it.span.end, Guard::Member);
    }

    fn visit_import_specifier(&mut self, it: &ImportSpecifier<'a>) {
        if it.import_kind.is_type() {
            self.own_types.insert(it.local.name.to_string());
            self.blank_item(it.span);
        }
    }

    fn visit_export_specifier(&mut self, it: &ExportSpecifier<'a>) {
        if it.export_kind.is_type() {
            self.types.insert(it.exported.name().to_string());
            self.blank_item(it.span);
        }
    }

    fn visit_ts_enum_declaration(&mut self, it: &TSEnumDeclaration<'a>) {
        self.refuse(Construct::Enum, it.span);
    }

    fn visit_ts_namespace_declaration(&mut self, it: &TSNamespaceDeclaration<'a>) {
        self.refuse(Construct::Namespace, it.span);
    }

    fn visit_ts_import_equals_declaration(&mut self, it: &TSImportEqualsDeclaration<'a>) {
        self.refuse(Construct::ImportEquals, it.span);
    }

    fn visit_ts_export_assignment(&mut self, it: &TSExportAssignment<'a>) {
        self.refuse(Construct::ExportEquals, it.span);
    }

    fn visit_ts_namespace_export_declaration(&mut self, it: &TSNamespaceExportDeclaration<'a>) {
        self.refuse(Construct::ExportAsNamespace, it.span);
    }

    fn visit_ts_type_assertion(&mut self, it: &TSTypeAssertion<'a>) {
        self.refuse(Construct::Cast, it.span);
        self.visit_expression(&it.expression);
    }

    fn visit_decorator(&mut self, it: &Decorator<'a>) {
        self.refuse(Construct::Decorator, it.span);
    }
}
