//! The JSON Schema of the arguments, checked keyword by keyword.
//!
//! One walk checks every keyword at its place; then references are followed, and finally the schema
//! is compiled. The rules are in `lint/parameters`.

pub(crate) mod ambiguity;
pub(crate) mod assertion;
pub(crate) mod cycle;
pub(crate) mod keyword;
pub(crate) mod reference;
pub(crate) mod regex;
pub(crate) mod site;
pub(crate) mod survey;
pub(crate) mod types;
mod walk;
pub(crate) mod words;

use std::collections::HashSet;

use aileron_schema::Validator;
use serde_json::Value;

use self::reference::UnresolvedReference;
use self::site::Site;
use self::survey::Survey;
use self::walk::SchemaWalk;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::lint::parameters::{
    bad_default, bad_keyword_value, bad_pattern, endless_ref, enum_value_mismatch,
    impossible_bounds, keyword_does_not_apply, never_valid, not_a_schema, open_parameters,
    openapi_keyword, other_dialect, remote_ref, root_not_object, undefined_required,
    unknown_keyword, unresolved_ref,
};
use crate::rule::{Rule, Severity};

/// The faults of a schema that still compiles.
const HARMLESS: &[&Rule] = &[
    &unknown_keyword::UNKNOWN_KEYWORD,
    &keyword_does_not_apply::KEYWORD_DOES_NOT_APPLY,
    &impossible_bounds::IMPOSSIBLE_BOUNDS,
    &undefined_required::UNDEFINED_REQUIRED,
    &bad_default::BAD_DEFAULT,
    &openapi_keyword::OPENAPI_KEYWORD,
    &enum_value_mismatch::ENUM_VALUE_MISMATCH,
    &root_not_object::ROOT_NOT_OBJECT,
    &open_parameters::OPEN_PARAMETERS,
];

/// Checks the schema at a pointer of `schema.json` and compiles it.
pub(crate) fn check(
    document: &Document,
    root: &str,
    found: &mut Vec<Diagnostic>,
) -> Option<Validator> {
    let schema = document.get(root)?;
    let before = found.len();
    check_root(document, root, schema, found);
    if !schema.is_object() {
        return Validator::compile(schema).ok();
    }
    let (survey, targets) = survey(document, root, found);
    let sound = found.len();
    endless_ref::check(document, &survey, &targets, found);
    if found.len() > sound {
        return None;
    }
    let compiled = compile(document, root, schema, &survey, before, found);
    bad_default::check(document, &survey, compiled.as_ref(), found);
    compiled
}

fn check_root(document: &Document, root: &str, schema: &Value, found: &mut Vec<Diagnostic>) {
    if root == "/parameters" {
        root_not_object::check(document, root, schema, found);
    } else if let Value::Bool(false) = schema {
        found.push(never_valid::diagnose_false(document, root));
    } else if !schema.is_object() && !schema.is_boolean() {
        found.push(bad_keyword_value::not_a_schema(document, root, schema));
    }
    let Some(object) = schema.as_object() else { return };
    if root == "/parameters" {
        open_parameters::check(document, root, object, found);
    }
    other_dialect::check(&Site::new(document, root, object), found);
}

/// Walks the schema and the targets of its references; returns the target of each reference.
fn survey<'a>(
    document: &'a Document,
    root: &str,
    found: &mut Vec<Diagnostic>,
) -> (Survey<'a>, Vec<Option<String>>) {
    let mut lost = Vec::new();
    let mut targets = Vec::new();
    let mut aside = HashSet::new();
    let mut walk = SchemaWalk::new(document, root, found);
    walk.visit(root);
    while let Some(reference) = walk.survey.references.get(targets.len()) {
        let target = match reference::resolve(document, &walk.survey, reference) {
            Ok(target) => Some(target),
            Err(UnresolvedReference::Outside) => {
                lost.push(remote_ref::diagnose(document, &walk.survey, reference));
                None
            }
            Err(why) => {
                lost.push(unresolved_ref::diagnose(document, &walk.survey, reference, &why));
                None
            }
        };
        if let Some(target) = &target
            && !reference::is_on_the_way(document, root, target)
            && aside.insert(target.clone())
        {
            walk.visit(target);
        }
        targets.push(target);
    }
    let survey = walk.survey;
    found.append(&mut lost);
    (survey, targets)
}

fn compile(
    document: &Document,
    root: &str,
    schema: &Value,
    survey: &Survey<'_>,
    before: usize,
    found: &mut Vec<Diagnostic>,
) -> Option<Validator> {
    match Validator::compile(schema) {
        Ok(validator) => Some(validator),
        Err(error) => {
            bad_pattern::recheck(document, &survey.patterns, found);
            if !found.iter().skip(before).any(explains) {
                found.push(not_a_schema::diagnose(document, root, &error));
            }
            None
        }
    }
}

/// Whether a finding explains why a schema does not compile.
fn explains(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error && !HARMLESS.contains(&finding.rule)
}

#[cfg(test)]
mod mutation_tests;
#[cfg(test)]
mod pattern_tests;
#[cfg(test)]
mod reference_tests;
#[cfg(test)]
mod suite_tests;
#[cfg(test)]
#[path = "parameters_tests.rs"]
mod tests;
