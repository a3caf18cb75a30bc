//! One definition of the corpus, and the tool directory it becomes.

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::ops::Range;
use std::path::Path;

use aileron_contract::{ContentHash, ToolId};
use aileron_schema::Validator;
use flate2::read::GzDecoder;
use serde_json::{Value, json};

/// A published tool.
pub(crate) struct Definition {
    pub(crate) name: String,
    /// The directory made of the name.
    pub(crate) directory: String,
    description: String,
    parameters: Value,
    pub(crate) examples: Vec<Example>,
}

/// Arguments, and whether two validators agree that they fit.
pub(crate) struct Example {
    args: Value,
    pub(crate) fits: Option<bool>,
}

/// A change of the parameters before they are compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parameters {
    /// Nothing.
    AsWritten,
    /// An object that allows no other properties, as the compiler's first two findings require.
    Closed,
}

/// Reads every definition.
pub(crate) fn read(path: &Path) -> Result<Vec<Definition>, String> {
    let file = fs::File::open(path).map_err(|error| error.to_string())?;
    let lines = BufReader::new(GzDecoder::new(file)).lines();
    lines
        .enumerate()
        .map(|(number, line)| parse(number, &line.map_err(|error| error.to_string())?))
        .collect()
}

fn parse(number: usize, line: &str) -> Result<Definition, String> {
    let value: Value =
        serde_json::from_str(line).map_err(|error| format!("line {}: {error}", number + 1))?;
    let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let examples = value["examples"].as_array().map(Vec::as_slice).unwrap_or_default();
    Ok(Definition {
        directory: directory(number, &text("name")),
        name: text("name"),
        description: text("description"),
        parameters: value["parameters"].clone(),
        examples: examples.iter().map(example).collect(),
    })
}

fn example(value: &Value) -> Example {
    let verdict = |key: &str| value[key].as_bool();
    let fits = match (verdict("py"), verdict("rs")) {
        (Some(one), Some(other)) if one == other => Some(one),
        _ => None,
    };
    Example { args: value["args"].clone(), fits }
}

/// A name that every provider accepts, made unique by the definition's number.
fn directory(number: usize, name: &str) -> String {
    let kept: String = name
        .to_lowercase()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let kept: String = kept.trim_matches('-').chars().take(40).collect();
    let hash = ContentHash::of_bytes(name.as_bytes());
    format!("t-{}-{number}-{}", kept.trim_matches('-'), &hash.as_str()[..4]).replace("--", "-")
}

impl Definition {
    /// Whether arguments are valid if `format` is an annotation, as in the two validators.
    pub(crate) fn fits_without_formats(&self, example: &Example) -> bool {
        let schema = without_formats(self.parameters.clone());
        Validator::compile(&schema).is_ok_and(|validator| validator.accepts(&example.args))
    }

    /// Writes the tool directory.
    pub(crate) fn write(&self, tools: &Path, parameters: Parameters) -> io::Result<()> {
        let folder = tools.join(&self.directory);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("schema.json"), self.schema(parameters).to_string())?;
        fs::write(folder.join("guide.md"), self.guide().0)?;
        fs::write(
            folder.join("handler.js"),
            "export function execute() {\n  return { ok: true, data: {} };\n}\n",
        )
    }

    fn schema(&self, parameters: Parameters) -> Value {
        let mut schema = self.parameters.clone();
        if parameters == Parameters::Closed
            && let Value::Object(fields) = &mut schema
        {
            fields.insert("type".into(), json!("object"));
            fields.insert("additionalProperties".into(), json!(false));
            fields.remove("$schema");
        }
        let description: String = self.description.chars().take(1024).collect();
        json!({
            "toolId": self.id(), "version": "1.0.0",
            "description": if description.is_empty() { self.name.clone() } else { description },
            "category": "utility", "sideEffects": "none", "idempotent": true, "requiresConfirmation": false,
            "allowedModes": ["text"], "latencyBudgetMs": 1000, "parameters": schema,
        })
    }

    fn id(&self) -> String {
        ToolId::from_directory(&self.directory).map(String::from).unwrap_or_default()
    }

    /// The guide, and the lines on which each example stands.
    pub(crate) fn guide(&self) -> (String, Vec<Range<usize>>) {
        let mut text = format!("# {}\n\nTaken from a public corpus.\n\n## Examples\n", self.id());
        let mut lines = Vec::new();
        for example in &self.examples {
            let start = text.lines().count() + 1;
            text.push_str(&format!("\n```json\n{}\n```\n", example.args));
            lines.push(start..text.lines().count() + 1);
        }
        (text, lines)
    }
}

fn without_formats(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(fields) => {
            fields.retain(|key, value| key != "format" || !value.is_string());
            fields.values_mut().for_each(|value| *value = without_formats(value.take()));
        }
        Value::Array(items) => {
            items.iter_mut().for_each(|item| *item = without_formats(item.take()));
        }
        _ => {}
    }
    schema
}
