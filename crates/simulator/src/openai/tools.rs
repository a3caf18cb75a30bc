//! The tools of a request: their names, their schemas, strict mode, and which of them may be called.

use serde_json::{Map, Value, json};

use crate::http::RequestRefusal;
use crate::simulated_model::ToolDeclaration;

const MOST_TOOLS: usize = 128;
const LONGEST_NAME: usize = 64;

/// Keywords that strict mode does not support.
const NOT_STRICT: &[&str] = &[
    "allOf",
    "contains",
    "dependentRequired",
    "dependentSchemas",
    "else",
    "if",
    "maxProperties",
    "minProperties",
    "not",
    "oneOf",
    "patternProperties",
    "prefixItems",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
    "uniqueItems",
];

/// One function of a request.
#[derive(Debug, Clone)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) parameters: Option<Value>,
    pub(super) strict: Option<bool>,
    /// Its path in the request.
    pub(super) path: String,
}

/// Checks the functions and declares them.
pub(super) fn declared(functions: Vec<Function>) -> Result<Vec<ToolDeclaration>, RequestRefusal> {
    if functions.len() > MOST_TOOLS {
        let message = format!("Invalid 'tools': at most {MOST_TOOLS}, found {}", functions.len());
        return Err(RequestRefusal::invalid(message).at("tools").code("array_above_max_length"));
    }
    functions.into_iter().map(declare).collect()
}

fn declare(function: Function) -> Result<ToolDeclaration, RequestRefusal> {
    let Function { name, description, parameters, strict, path } = function;
    let letters = name.chars().all(|next| next.is_ascii_alphanumeric() || "_-".contains(next));
    if !letters || !(1..=LONGEST_NAME).contains(&name.len()) {
        let message = format!(
            "Invalid '{path}.name': {name:?} does not match ^[a-zA-Z0-9_-]+$ of at most {LONGEST_NAME}"
        );
        return Err(RequestRefusal::invalid(message)
            .at(format!("{path}.name"))
            .code("invalid_value"));
    }
    let parameters = parameters.unwrap_or_else(|| json!({ "type": "object", "properties": {} }));
    let invalid = |fault: String| {
        let message = format!("Invalid schema for function '{name}': {fault}");
        RequestRefusal::invalid(message)
            .at(format!("{path}.parameters"))
            .code("invalid_function_parameters")
    };
    if parameters.get("type").and_then(Value::as_str) != Some("object") {
        return Err(invalid("schema must have type 'object'".to_owned()));
    }
    if strict == Some(true) {
        check_strict(&parameters, "()").map_err(invalid)?;
    }
    Ok(ToolDeclaration { name, description: description.unwrap_or_default(), parameters })
}

/// Every object must be closed, every property required, and every keyword supported.
fn check_strict(schema: &Value, context: &str) -> Result<(), String> {
    let Some(fields) = schema.as_object() else { return Ok(()) };
    if let Some(word) = NOT_STRICT.iter().find(|word| fields.contains_key(**word)) {
        return Err(format!("In context={context}, '{word}' is not permitted"));
    }
    if let Some(properties) = fields.get("properties").and_then(Value::as_object) {
        check_object(fields, properties, context)?;
    }
    let inner = fields.get("properties").and_then(Value::as_object).into_iter().flatten();
    for (name, property) in inner {
        check_strict(property, &format!("{context}.properties.{name}"))?;
    }
    if let Some(items) = fields.get("items") {
        check_strict(items, &format!("{context}.items"))?;
    }
    let choices = fields.get("anyOf").and_then(Value::as_array).into_iter().flatten();
    choices.into_iter().try_for_each(|choice| check_strict(choice, &format!("{context}.anyOf")))
}

fn check_object(
    fields: &Map<String, Value>,
    properties: &Map<String, Value>,
    context: &str,
) -> Result<(), String> {
    if fields.get("additionalProperties") != Some(&Value::Bool(false)) {
        return Err(format!(
            "In context={context}, 'additionalProperties' must be supplied and be false"
        ));
    }
    let required = fields.get("required").and_then(Value::as_array);
    let missing = properties.keys().find(|name| {
        !required.is_some_and(|required| required.iter().any(|known| known == name.as_str()))
    });
    match missing {
        Some(name) => Err(format!(
            "In context={context}, 'required' must name every property. Missing '{name}'"
        )),
        None => Ok(()),
    }
}

/// The tools that `tool_choice` allows. `named` finds the name in a choice of one function.
pub(super) fn chosen(
    tools: Vec<ToolDeclaration>,
    choice: Option<&Value>,
    named: fn(&Value) -> Option<&str>,
) -> Result<Vec<ToolDeclaration>, RequestRefusal> {
    let invalid = |message: String| RequestRefusal::invalid(message).at("tool_choice");
    match choice {
        None | Some(Value::Null) => Ok(tools),
        Some(Value::String(word)) => match word.as_str() {
            "none" => Ok(Vec::new()),
            "auto" => Ok(tools),
            "required" if tools.is_empty() => {
                Err(invalid("'required' is only allowed when 'tools' are specified".to_owned()))
            }
            "required" => Ok(tools),
            word => {
                Err(invalid(format!("Invalid value: '{word}'. Supported: none, auto, required")))
            }
        },
        Some(choice) => {
            let Some(name) = named(choice) else { return Ok(tools) };
            let found: Vec<_> = tools.into_iter().filter(|tool| tool.name == name).collect();
            let missing = || invalid(format!("Tool choice '{name}' not found in 'tools'"));
            if found.is_empty() { Err(missing()) } else { Ok(found) }
        }
    }
}
