//! A small tool in memory, right in every respect, for the tests of the rules.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::compile::compile;
use crate::diagnostic::Diagnostic;
use crate::options::Options;
use crate::tree::Memory;

const GUIDE: &str = "\
# kb_search

Search the knowledge base. Returns ranked evidence.

## Parameters

- `query` (required): a few words.
- `top_k`: how many.
- `filters`: conditions.
  - `filters.type`: one kind.
  - `filters.tags`: all of them.

## Examples

```json
{ \"query\": \"lighting lead\", \"top_k\": 3 }
```
";

const CASES: &str = r#"[
  { "name": "finds", "args": { "query": "x" }, "expect": { "ok": true } }
]"#;

/// A tool to bend.
pub(crate) struct Sample {
    schema: Value,
    files: BTreeMap<String, String>,
    options: Options,
}

impl Sample {
    pub(crate) fn new() -> Self {
        let files = [("guide.md", GUIDE), ("cases.json", CASES), ("handler.js", HANDLER)];
        let files = files.into_iter().map(|(name, text)| (name.to_owned(), text.to_owned()));
        Self { schema: schema(), files: files.collect(), options: Options::default() }
    }

    /// With that file.
    pub(crate) fn file(mut self, name: &str, text: &str) -> Self {
        self.files.insert(name.to_owned(), text.to_owned());
        self
    }

    /// Compiled in that way.
    pub(crate) fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Without that file.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.files.remove(name);
        self
    }

    /// With other fields in `schema.json`; `null` removes one.
    pub(crate) fn with(mut self, fields: Value) -> Self {
        let (Value::Object(schema), Value::Object(fields)) = (&mut self.schema, fields) else {
            return self;
        };
        for (name, value) in fields {
            match value {
                Value::Null => drop(schema.remove(&name)),
                value => drop(schema.insert(name, value)),
            }
        }
        self
    }

    /// The findings of one family.
    pub(crate) fn findings(&self, family: &str) -> Vec<Diagnostic> {
        let mut tree = Memory::new("");
        for (name, text) in &self.files {
            tree.insert(format!("kb-search/{name}"), text.as_str());
        }
        if !self.files.contains_key("schema.json") {
            let text = serde_json::to_string_pretty(&self.schema).unwrap();
            tree.insert("kb-search/schema.json", text);
        }
        let mut found = compile(&tree, &self.options, &|_, _| {}).diagnostics;
        found.retain(|finding| finding.rule.code.starts_with(family));
        found
    }

    /// The findings of a family, each as one text.
    #[track_caller]
    pub(crate) fn check(&self, family: &str, expected: &[&str]) {
        let found: Vec<_> = self.findings(family).iter().map(spelled).collect();
        assert_eq!(found, expected);
    }

    /// The texts that the findings of a family point at.
    #[track_caller]
    pub(crate) fn check_places(&self, family: &str, expected: &[&str]) {
        let found = self.findings(family);
        let place =
            |f: &Diagnostic| f.span.clone().map_or(String::new(), |s| f.source.text[s].to_owned());
        assert_eq!(found.iter().map(place).collect::<Vec<_>>(), expected);
    }
}

/// `code file:line message => help`, with the severity if it differs from the rule's.
fn spelled(finding: &Diagnostic) -> String {
    let name = finding.source.path.trim_start_matches("kb-search").trim_start_matches('/');
    let place = match &finding.span {
        Some(_) => format!("{name}:{}", finding.position().line),
        None => name.to_owned(),
    };
    let severity = match finding.severity {
        severity if severity == finding.rule.severity => String::new(),
        severity => format!(" {}", severity.as_str()),
    };
    let help = finding.help.as_ref().map(|help| format!(" => {help}")).unwrap_or_default();
    let code = finding.rule.code.trim_start_matches("AIL-");
    format!("{code}{severity} {place} {}{help}", finding.message).replace("  ", " ")
}

const HANDLER: &str =
    "export async function execute({ args }) {\n  return { ok: true, data: {} };\n}\n";

fn schema() -> Value {
    json!({
        "toolId": "kb_search", "version": "1.0.0", "description": "Search the knowledge base.",
        "category": "retrieval", "sideEffects": "read_only", "idempotent": true,
        "requiresConfirmation": false, "allowedModes": ["text", "voice"], "latencyBudgetMs": 800,
        "parameters": parameters()
    })
}

/// The parameters of the sample.
pub(crate) fn parameters() -> Value {
    json!({
        "type": "object", "additionalProperties": false, "required": ["query"],
        "properties": {
            "query": {"type": "string", "description": "What to look for", "minLength": 1, "maxLength": 200},
            "top_k": {"type": "integer", "description": "How many", "minimum": 1, "maximum": 10},
            "filters": {
                "type": "object", "description": "Conditions", "additionalProperties": false,
                "properties": {
                    "type": {"type": "string", "enum": ["person", "doc"]},
                    "tags": {"type": "array", "items": {"enum": ["new", "old"]}, "maxItems": 5}
                }
            }
        }
    })
}
