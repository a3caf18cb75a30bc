//! Collects the exports of a module.

use std::collections::BTreeSet;

use oxc_ast::ast::*;
use oxc_span::GetSpan;

use super::context::EntryFunction;
use super::facts::Collector;
use super::module::{Export, Value};
use super::survey::Survey;
use super::value;
use crate::lint::handler::{handler_syntax, missing_export};
use crate::source;

impl Collector<'_> {
    pub(super) fn export_from(&mut self, it: &ExportFromDeclaration<'_>) {
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

    pub(super) fn export_all(&mut self, it: &ExportAllDeclaration<'_>) {
        match &it.exported {
            Some(name) => {
                let place = self.place(name.span());
                self.export(name.name().to_string(), Value::Other("a module"), place);
            }
            None => self.facts.stars.push(it.source.value.to_string()),
        }
        self.edge(&it.source, Vec::new(), it.with_clause.is_some());
    }

    pub(super) fn export_default(&mut self, it: &ExportDefaultDeclaration<'_>) {
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
    pub(super) fn entry(&self) -> Option<EntryFunction> {
        let wanted = self.file.root.export.as_deref()?;
        match self.exported.iter().find(|(name, _, _)| name == wanted) {
            Some((_, local, _)) => Some(EntryFunction::Named(self.last_alias(local))),
            None if wanted == "default" => self.default_function.map(EntryFunction::At),
            None => self.common_js_functions.get(wanted).copied().map(EntryFunction::At),
        }
    }

    /// Gives every exported local its value.
    pub(super) fn settle(&mut self, survey: &Survey<'_>) {
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

    /// A value with all aliases followed.
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
}
