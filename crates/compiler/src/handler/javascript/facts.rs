//! Converts a syntax tree to facts: imports, exports and uses of a module.

use std::collections::BTreeMap;

use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};

use super::file::{ErasedTypes, File, ModuleHost};
use super::module::{Export, Facts, Import, Value};
use super::survey::{CommonJsValue, Survey};
use super::{context, globals, messages, redeclared, value};
use crate::diagnostic::Diagnostic;
use crate::handler::complaint::{MOST_ERRORS, range};
use crate::lint::handler::foreign_import::{self, ForeignReason};
use crate::lint::handler::missing_global::{self, GlobalsOf};
use crate::lint::handler::{dynamic_import, handler_syntax};
use crate::source;

/// Collects the facts of a module; its faults are added to `found`.
pub(super) fn collect(
    program: &Program<'_>,
    file: &File,
    erased: &ErasedTypes,
    found: &mut Vec<Diagnostic>,
) -> Facts {
    let survey = Survey::of(program);
    let mut collector = Collector {
        file,
        erased,
        found,
        facts: Facts::default(),
        locals: BTreeMap::new(),
        exported: Vec::new(),
        default_function: None,
        common_js_functions: BTreeMap::new(),
        has_imports: false,
        is_common_js: false,
    };
    for statement in &program.body {
        collector.statement(statement);
    }
    collector.survey(&survey);
    collector.redeclared(program);
    collector.globals(program, &survey);
    let entry = collector.entry();
    collector.settle(&survey);
    let mut facts = collector.facts;
    facts.uses = context::uses(program, &file.root, entry.as_ref(), &erased.offsets);
    facts.messages = messages::find(program, &erased.offsets);
    facts
}

/// Visits the statements of a module.
pub(super) struct Collector<'f> {
    pub(super) file: &'f File,
    pub(super) erased: &'f ErasedTypes,
    pub(super) found: &'f mut Vec<Diagnostic>,
    pub(super) facts: Facts,
    /// The top-level bindings and their places.
    pub(super) locals: BTreeMap<String, (Value, Span)>,
    /// `export { local as name }`, by name, local and place.
    pub(super) exported: Vec<(String, String, Span)>,
    /// The start of an anonymous default-exported function.
    pub(super) default_function: Option<u32>,
    /// The start of each function that a CommonJS module exports, by its name.
    pub(super) common_js_functions: BTreeMap<String, u32>,
    /// Whether the module has an `import` declaration.
    has_imports: bool,
    /// Whether the module is a CommonJS module of a Node.js project.
    is_common_js: bool,
}

impl Collector<'_> {
    pub(super) fn place(&self, span: Span) -> source::Span {
        self.erased.offsets.original(range(span))
    }

    fn statement(&mut self, it: &Statement<'_>) {
        match it {
            Statement::ImportDeclaration(it) => self.import(it),
            Statement::ExportDeclaration(it) => {
                for (name, span) in self.declare(&it.declaration) {
                    self.exported.push((name.clone(), name, span));
                }
            }
            Statement::ExportNamedDeclaration(it) => {
                self.exported.extend(it.specifiers.iter().map(|specifier| {
                    let name = specifier.exported.name().to_string();
                    (name, specifier.local.name().to_string(), specifier.span)
                }));
            }
            Statement::ExportFromDeclaration(it) => self.export_from(it),
            Statement::ExportAllDeclaration(it) => self.export_all(it),
            Statement::ExportDefaultDeclaration(it) => self.export_default(it),
            _ => {
                if let Some(declaration) = it.as_declaration() {
                    self.declare(declaration);
                }
            }
        }
    }

    /// Adds the bindings of a declaration; returns their names.
    fn declare(&mut self, it: &Declaration<'_>) -> Vec<(String, Span)> {
        let bound: Vec<(String, Value, Span)> = match it {
            Declaration::FunctionDeclaration(it) => {
                it.id.iter().map(|id| named(id, value::of_function(it))).collect()
            }
            Declaration::ClassDeclaration(it) => {
                it.id.iter().map(|id| named(id, Value::Other("a class"))).collect()
            }
            Declaration::VariableDeclaration(it) => {
                it.declarations.iter().flat_map(|one| variables(it.kind, one)).collect()
            }
            _ => Vec::new(),
        };
        let names = bound.iter().map(|(name, _, span)| (name.clone(), *span)).collect();
        self.locals.extend(bound.into_iter().map(|(name, value, span)| (name, (value, span))));
        names
    }

    fn import(&mut self, it: &ImportDeclaration<'_>) {
        self.has_imports = true;
        let mut names = Vec::new();
        for specifier in it.specifiers.iter().flatten() {
            let (name, span) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(it) => {
                    (it.imported.name().to_string(), it.imported.span())
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(it) => {
                    ("default".to_owned(), it.span)
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(it) => {
                    self.local(&it.local, Value::Other("a module"));
                    continue;
                }
            };
            let request = it.source.value.to_string();
            self.local(specifier.local(), Value::Imported { request, name: name.clone() });
            names.push((name, self.place(span)));
        }
        self.edge(&it.source, names, it.with_clause.is_some());
    }

    pub(super) fn local(&mut self, id: &BindingIdentifier<'_>, value: Value) {
        self.locals.insert(id.name.to_string(), (value, id.span));
    }

    pub(super) fn edge(
        &mut self,
        source: &StringLiteral<'_>,
        names: Vec<(String, source::Span)>,
        attributes: bool,
    ) {
        let (request, place) = (source.value.to_string(), self.place(source.span));
        self.request(request, place, names, attributes);
    }

    fn request(
        &mut self,
        request: String,
        place: source::Span,
        names: Vec<(String, source::Span)>,
        attributes: bool,
    ) {
        let sandboxed = self.file.host == ModuleHost::Sandbox;
        if sandboxed && attributes && !request.ends_with(".json") {
            let source = &self.file.source;
            self.found.push(foreign_import::diagnose(
                source,
                &request,
                ForeignReason::Attributes,
                place.clone(),
            ));
        }
        self.facts.imports.push(Import { request, place, names, required: false });
    }

    /// Adds the findings below the top level.
    fn survey(&mut self, survey: &Survey<'_>) {
        for dynamic in &survey.dynamic {
            let place = self.place(dynamic.span);
            match dynamic.request {
                Some(request) => {
                    self.request(request.to_owned(), place, Vec::new(), dynamic.attributes);
                }
                None if self.file.host == ModuleHost::Sandbox => {
                    self.found.push(dynamic_import::diagnose(&self.file.source, place));
                }
                None => self.facts.imports_by_expression = true,
            }
        }
        let environment = survey.environment.iter();
        self.facts.environment =
            environment.map(|(name, span)| ((*name).to_owned(), self.place(*span))).collect();
        self.is_common_js = self.has_format_common_js(survey);
        if self.is_common_js {
            self.common_js(survey);
        } else {
            self.refuse_requires(survey);
        }
        for (what, help, span) in &survey.unsupported {
            let place = self.place(*span);
            self.found.push(handler_syntax::unsupported(&self.file.source, what, help, place));
        }
        self.facts.common_js = survey.common_js.map(|span| self.place(span));
    }

    fn has_format_common_js(&self, survey: &Survey<'_>) -> bool {
        let has_es_syntax = !self.exported.is_empty()
            || !self.facts.exports.is_empty()
            || !self.facts.stars.is_empty()
            || self.has_imports;
        let has_common_js = survey.common_js.is_some() || !survey.requires.is_empty();
        self.file.may_be_common_js() && has_common_js && !has_es_syntax
    }

    fn common_js(&mut self, survey: &Survey<'_>) {
        for (request, span) in &survey.requires {
            let (request, place) = ((*request).to_owned(), self.place(*span));
            self.facts.imports.push(Import { request, place, names: Vec::new(), required: true });
        }
        self.facts.opaque = survey.opaque;
        for (name, value, span) in &survey.common_js_exports {
            let (name, place) = ((*name).to_owned(), self.place(*span));
            let value = match value {
                CommonJsValue::Local(local) => {
                    self.exported.push((name, (*local).to_owned(), *span));
                    continue;
                }
                CommonJsValue::Function(start) => {
                    self.common_js_functions.insert(name.clone(), *start);
                    Value::Function
                }
                CommonJsValue::Unknown => Value::Unknown,
            };
            self.facts.exports.insert(name, Export { value, place });
        }
    }

    /// `require` does not exist in an ES module.
    fn refuse_requires(&mut self, survey: &Survey<'_>) {
        let why = match self.file.host {
            ModuleHost::Sandbox => ForeignReason::Require,
            ModuleHost::Node(_) => ForeignReason::RequireInModule,
        };
        for (request, span) in &survey.requires {
            let place = self.place(*span);
            let source = &self.file.source;
            self.found.push(foreign_import::diagnose(source, request, why, place));
        }
    }

    /// Names of CommonJS have separate findings.
    fn globals(&mut self, program: &Program<'_>, survey: &Survey<'_>) {
        let told = |name: &str| match name {
            "require" => !survey.requires.is_empty(),
            "module" | "exports" => survey.common_js.is_some(),
            _ => false,
        };
        let runtime = match self.file.host {
            ModuleHost::Sandbox => GlobalsOf::Sandbox,
            ModuleHost::Node(_) if self.is_common_js => GlobalsOf::NodeCommonJs,
            ModuleHost::Node(_) => GlobalsOf::NodeModule,
        };
        for (name, span) in globals::missing(program, runtime).into_iter().take(MOST_ERRORS) {
            if !told(name) {
                let place = self.place(span);
                self.found.push(missing_global::diagnose(&self.file.source, runtime, name, place));
            }
        }
    }

    fn redeclared(&mut self, program: &Program<'_>) {
        for again in redeclared::find(program).into_iter().take(MOST_ERRORS) {
            let source = &self.file.source;
            let line = source.position(self.place(again.first).start).line;
            let place = self.place(again.span);
            self.found.push(handler_syntax::redeclared(source, again.name, line, place));
        }
    }
}

fn named(id: &BindingIdentifier<'_>, value: Value) -> (String, Value, Span) {
    (id.name.to_string(), value, id.span)
}

fn variables(
    kind: VariableDeclarationKind,
    it: &VariableDeclarator<'_>,
) -> Vec<(String, Value, Span)> {
    if let BindingPattern::BindingIdentifier(id) = &it.id {
        return vec![named(id, value::of_variable(kind, it.init.as_ref()))];
    }
    let names = it.id.get_binding_identifiers();
    names.into_iter().map(|id| named(id, Value::Unknown)).collect()
}
