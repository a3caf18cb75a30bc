//! A syntax tree becomes facts: what a module imports, exports and uses.

use std::collections::{BTreeMap, BTreeSet};

use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};

use super::context::{self, Entry};
use super::module::{Export, Facts, Import, Value};
use super::parse::{Erased, File, range};
use super::survey::Survey;
use super::value;
use crate::diagnostic::Diagnostic;
use crate::lint::handler::foreign_import::{self, Foreign};
use crate::lint::handler::{dynamic_import, handler_syntax, missing_export};
use crate::source;

/// Collects the facts of a module; what is wrong with it goes to `found`.
pub(super) fn collect(
    program: &Program<'_>,
    file: &File,
    erased: &Erased,
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
    };
    for statement in &program.body {
        collector.statement(statement);
    }
    collector.survey(&survey);
    let entry = collector.entry();
    collector.settle(&survey);
    let mut facts = collector.facts;
    facts.uses = context::uses(program, &file.root, entry.as_ref(), &erased.offsets);
    facts
}

struct Collector<'f> {
    file: &'f File,
    erased: &'f Erased,
    found: &'f mut Vec<Diagnostic>,
    facts: Facts,
    /// What is bound at the top level, and where.
    locals: BTreeMap<String, (Value, Span)>,
    /// `export { local as name }`, by name, local and place.
    exported: Vec<(String, String, Span)>,
    /// Where the function begins that is the default export and has no name.
    default_function: Option<u32>,
}

impl Collector<'_> {
    fn place(&self, span: Span) -> source::Span {
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

    /// Binds what a declaration declares; gives the names.
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

    fn local(&mut self, id: &BindingIdentifier<'_>, value: Value) {
        self.locals.insert(id.name.to_string(), (value, id.span));
    }

    fn edge(
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
        if attributes && !request.ends_with(".json") {
            let source = &self.file.source;
            self.found.push(foreign_import::diagnose(
                source,
                &request,
                Foreign::Attributes,
                place.clone(),
            ));
        }
        self.facts.imports.push(Import { request, place, names });
    }

    fn export_from(&mut self, it: &ExportFromDeclaration<'_>) {
        let mut names = Vec::new();
        for specifier in &it.specifiers {
            let name = specifier.local.name().to_string();
            let place = self.place(specifier.local.span());
            names.push((name.clone(), place.clone()));
            let value = Value::Imported { request: it.source.value.to_string(), name };
            self.export(specifier.exported.name().to_string(), value, place);
        }
        self.edge(&it.source, names, it.with_clause.is_some());
    }

    fn export_all(&mut self, it: &ExportAllDeclaration<'_>) {
        match &it.exported {
            Some(name) => {
                let place = self.place(name.span());
                self.export(name.name().to_string(), Value::Other("a module"), place);
            }
            None => self.facts.stars.push(it.source.value.to_string()),
        }
        self.edge(&it.source, Vec::new(), it.with_clause.is_some());
    }

    fn export_default(&mut self, it: &ExportDefaultDeclaration<'_>) {
        let (value, id) = match &it.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(it) => {
                self.default_function = Some(it.span.start);
                (value::of_function(it), it.id.as_ref())
            }
            ExportDefaultDeclarationKind::ClassDeclaration(it) => {
                (Value::Other("a class"), it.id.as_ref())
            }
            other => {
                let expression = other.as_expression();
                self.default_function = expression.map(|it| it.without_parentheses().span().start);
                (expression.map_or(Value::Unknown, value::of), None)
            }
        };
        if let Some(id) = id {
            self.local(id, value.clone());
        }
        match (value, id) {
            (_, Some(id)) => {
                self.exported.push(("default".to_owned(), id.name.to_string(), it.span));
            }
            (Value::Alias(name), None) => {
                self.exported.push(("default".to_owned(), name, it.span));
            }
            (value, None) => {
                let place = self.place(it.span);
                self.export("default".to_owned(), value, place);
            }
        }
    }

    fn export(&mut self, name: String, value: Value, place: source::Span) {
        self.facts.exports.insert(name, Export { value, place });
    }

    /// The function that a call begins with.
    fn entry(&self) -> Option<Entry> {
        let wanted = self.file.root.export.as_deref()?;
        match self.exported.iter().find(|(name, _, _)| name == wanted) {
            Some((_, local, _)) => Some(Entry::Named(self.last_alias(local))),
            None if wanted == "default" => self.default_function.map(Entry::At),
            None => None,
        }
    }

    /// Gives every exported local its value.
    fn settle(&mut self, survey: &Survey<'_>) {
        for (name, local, span) in std::mem::take(&mut self.exported) {
            let place = self.place(span);
            if self.locals.contains_key(&local) || survey.names.contains(local.as_str()) {
                let value = self.follow(Value::Alias(local));
                self.export(name, value, place);
            } else if self.erased.own.contains(&local) {
                self.found.push(missing_export::exported_type(&self.file.source, &local, place));
            } else {
                self.found.push(handler_syntax::undeclared_export(
                    &self.file.source,
                    &local,
                    place,
                ));
            }
        }
        let own = self.locals.get("execute").filter(|(value, _)| *value == Value::Function);
        self.facts.private_execute = own.map(|(_, span)| self.place(*span));
    }

    /// What a value is once every alias was followed.
    fn follow(&self, value: Value) -> Value {
        let Value::Alias(name) = value else { return value };
        let last = self.last_alias(&name);
        match self.locals.get(&last) {
            Some((Value::Alias(_), _)) | None => Value::Unknown,
            Some((value, _)) => value.clone(),
        }
    }

    fn last_alias(&self, name: &str) -> String {
        let mut seen = BTreeSet::new();
        let mut name = name;
        while let Some((Value::Alias(next), _)) = self.locals.get(name)
            && seen.insert(name)
        {
            name = next;
        }
        name.to_owned()
    }

    /// What was found below the top level.
    fn survey(&mut self, survey: &Survey<'_>) {
        for dynamic in &survey.dynamic {
            let place = self.place(dynamic.span);
            match dynamic.request {
                Some(request) => {
                    self.request(request.to_owned(), place, Vec::new(), dynamic.attributes);
                }
                None => self.found.push(dynamic_import::diagnose(&self.file.source, place)),
            }
        }
        for (request, span) in &survey.requires {
            let place = self.place(*span);
            let source = &self.file.source;
            self.found.push(foreign_import::diagnose(source, request, Foreign::Require, place));
        }
        for (what, help, span) in &survey.unsupported {
            let place = self.place(*span);
            self.found.push(handler_syntax::unsupported(&self.file.source, what, help, place));
        }
        self.facts.common_js = survey.common_js.map(|span| self.place(span));
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
