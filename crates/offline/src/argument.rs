//! Builds a call from the known facts: leaves out arguments that are not declared or not valid, and
//! asks for required ones that are missing.

use serde_json::{Map, Value, json};

use super::date_time;
use super::extract;
use super::schema::{Parameters, ValueType, kind, texts};
use super::situation::Situation;
use super::word::{fold, has, stem, telling};
use aileron_contract::model_input::{ModelAction, PlannedCall, ToolDeclaration};

/// The beginning of a question for a missing argument; the reply is read together with the earlier
/// words.
pub(super) const ASKING: &str = "I still need";

/// Units at the end of a parameter's name.
const UNITS: &[&str] = &[" minutes", " seconds"];

/// A call with these arguments, or a question for the missing ones.
pub(super) fn call(tool: &ToolDeclaration, args: Value) -> Vec<ModelAction> {
    let parameters = Parameters::new(&tool.parameters);
    let given = match args {
        Value::Object(given) => given,
        _ => Map::new(),
    };
    let fitting = |(name, value): &(String, Value)| {
        parameters.one(name).is_some_and(|schema| parameters.fits(schema, value))
    };
    let args: Map<String, Value> = given.into_iter().filter(fitting).collect();
    let missing: Vec<&str> =
        parameters.required().into_iter().filter(|name| !args.contains_key(*name)).collect();
    if missing.is_empty() {
        return vec![ModelAction::Call(vec![PlannedCall {
            id: None,
            name: tool.name.clone(),
            args,
        }])];
    }
    vec![ModelAction::Say(ask(parameters, &missing))]
}

fn ask(parameters: Parameters<'_>, missing: &[&str]) -> String {
    let wanted: Vec<String> = missing.iter().map(|name| wanted(parameters, name)).collect();
    format!("{ASKING} {}.", wanted.join(" and "))
}

/// A parameter in plain words.
fn wanted(parameters: Parameters<'_>, name: &str) -> String {
    let spoken = name.replace(['_', '-'], " ");
    let spoken = UNITS.iter().fold(spoken, |spoken, unit| match spoken.strip_suffix(unit) {
        Some(what) => format!("{what} in{unit}"),
        None => spoken,
    });
    let description = parameters.one(name).and_then(|schema| schema.get("description")?.as_str());
    match description {
        Some(description) => {
            let first: String = description
                .split(['.', ';'])
                .next()
                .unwrap_or_default()
                .chars()
                .take(120)
                .collect();
            format!("the {spoken} ({})", first.trim())
        }
        None => format!("the {spoken}"),
    }
}

/// Arguments for a tool that no rule knows, from the words alone.
pub(super) fn from_words(situation: &Situation<'_>, tool: &ToolDeclaration) -> Value {
    let parameters = Parameters::new(&tool.parameters);
    let required = parameters.required();
    let mut args = Map::new();
    for (name, schema) in parameters.all() {
        let need =
            if required.contains(&name) { ArgumentNeed::Required } else { ArgumentNeed::Optional };
        let value = WantedArgument { situation, tool, name, schema, need }.value();
        args.extend(value.map(|value| (name.to_owned(), value)));
    }
    Value::Object(args)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ArgumentNeed {
    Required,
    Optional,
}

/// One argument to be found in the words.
struct WantedArgument<'a> {
    situation: &'a Situation<'a>,
    tool: &'a ToolDeclaration,
    name: &'a str,
    schema: &'a Value,
    need: ArgumentNeed,
}

impl WantedArgument<'_> {
    fn value(&self) -> Option<Value> {
        let text = &self.situation.words;
        match kind(self.schema) {
            ValueType::Text => self.text().map(Value::from),
            ValueType::Integer => self.number().map(|number| json!(number.round() as i64)),
            ValueType::Number => self.number().map(|number| json!(number)),
            ValueType::Boolean if self.is_named() => Some(json!(!has(&fold(text), "without"))),
            ValueType::Boolean if self.need == ArgumentNeed::Required => Some(json!(false)),
            ValueType::List => self.list(),
            ValueType::Object if self.need == ArgumentNeed::Required => Some(json!({})),
            ValueType::Boolean | ValueType::Object | ValueType::Null | ValueType::Any => None,
        }
    }

    /// Whether the words name the parameter.
    fn is_named(&self) -> bool {
        let named = fold(self.name);
        let words = fold(&self.situation.words);
        named.split_whitespace().any(|word| word.len() > 2 && has(&words, word))
    }

    fn text(&self) -> Option<String> {
        let words = &self.situation.words;
        let options = texts(self.schema);
        if !options.is_empty() {
            let folded = fold(words);
            return options
                .iter()
                .find(|option| has(&folded, fold(option).trim()))
                .map(|option| (*option).to_owned());
        }
        let name = self.name.to_lowercase();
        let format = self.schema.get("format").and_then(Value::as_str).unwrap_or_default();
        match format {
            "email" => return extract::emails(words).into_iter().next(),
            "uri" | "url" => return extract::links(words).into_iter().next(),
            "date-time" => return date_time::moment(words, self.situation.today.as_ref()),
            "date" => {
                return date_time::day(words, self.situation.today.as_ref())
                    .map(|day| day.to_string());
            }
            _ => {}
        }
        if name.contains("email") {
            return extract::emails(words).into_iter().next();
        }
        if name.contains("url") || name.contains("link") {
            return extract::links(words).into_iter().next();
        }
        self.labelled()
            .or_else(|| (self.need == ArgumentNeed::Required).then(|| self.rest()).flatten())
    }

    /// The words after the parameter's name: `city: Cluj`, `titled Review`.
    fn labelled(&self) -> Option<String> {
        let spoken = self.name.replace(['_', '-'], " ").to_lowercase();
        let labels = [format!("{spoken}: "), format!("{spoken} is "), format!("{spoken} = ")];
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let value = extract::after(&self.situation.words, &labels)?;
        let quoted = extract::quoted(value).into_iter().next();
        let plain = value
            .split([',', ';', '\n'])
            .next()
            .map(|value| value.trim_end_matches(['.', '?', '!']).trim().to_owned());
        quoted.or(plain).filter(|value| !value.is_empty())
    }

    /// The rest of the words: a quotation, the words after a preposition, or all except the tool's
    /// own words.
    fn rest(&self) -> Option<String> {
        let words = &self.situation.words;
        if let Some(quoted) = extract::quoted(words).into_iter().next() {
            return Some(quoted);
        }
        let end = |text: &str| {
            text.split([',', ';', '?', '!', '\n'])
                .next()
                .unwrap_or_default()
                .trim()
                .trim_end_matches('.')
                .to_owned()
        };
        let behind =
            extract::after(words, &[" in ", " for ", " about ", " of ", " to ", " on "]).map(end);
        if let Some(behind) = behind.filter(|behind| !behind.is_empty()) {
            return Some(behind);
        }
        let own: Vec<String> = telling(&self.tool.name.replace(['_', '-'], " "))
            .iter()
            .map(|word| stem(word))
            .collect();
        let rest: Vec<String> =
            telling(words).into_iter().filter(|word| !own.contains(&stem(word))).collect();
        Some(rest.join(" ")).filter(|rest| !rest.is_empty())
    }

    fn number(&self) -> Option<f64> {
        let name = self.name.to_lowercase();
        if name.contains("minutes") || name.contains("duration") {
            let minutes = date_time::minutes(&self.situation.words)?;
            let seconds = name.contains("seconds");
            return Some(if seconds { minutes * 60 } else { minutes } as f64);
        }
        let wanted = self.need == ArgumentNeed::Required || self.is_named();
        extract::numbers(&self.situation.words).into_iter().next().filter(|_| wanted)
    }

    fn list(&self) -> Option<Value> {
        let words = &self.situation.words;
        let items = self.schema.get("items");
        let format = items.and_then(|items| items.get("format")?.as_str()).unwrap_or_default();
        let values: Vec<String> = if format == "email" || self.name.contains("email") {
            extract::emails(words)
        } else if self.name.ends_with("ids") {
            extract::record_ids(words)
        } else if let Some(options) = items.map(texts).filter(|options| !options.is_empty()) {
            let folded = fold(words);
            options
                .into_iter()
                .filter(|option| has(&folded, fold(option).trim()))
                .map(str::to_owned)
                .collect()
        } else {
            extract::quoted(words)
        };
        (!values.is_empty()).then(|| json!(values))
    }
}

#[cfg(test)]
#[path = "argument_tests.rs"]
mod tests;
