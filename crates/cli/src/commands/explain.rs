//! `aileron explain`: explains a diagnostic code and how to fix it.

use aileron_compiler::{Rule, rules};
use serde_json::{Value, json};

use crate::args::{DataFormat, ExplainArgs};
use crate::commands::findings::pretty;
use crate::output::{self, ExitOutcome, Failure};

pub(crate) fn run(args: &ExplainArgs) -> Result<ExitOutcome, Failure> {
    let text = match (&args.code, args.format) {
        (None, DataFormat::Text) => list(),
        (None, DataFormat::Json) => pretty(&rules::all().into_iter().map(as_json).collect()),
        (Some(code), DataFormat::Text) => find(code)?.page(),
        (Some(code), DataFormat::Json) => pretty(&as_json(find(code)?)),
    };
    output::data(text.trim_end())?;
    Ok(ExitOutcome::Fine)
}

fn find(code: &str) -> Result<&'static Rule, Failure> {
    rules::find(code).ok_or_else(|| {
        let near = rules::closest(code)
            .map(|rule| format!("did you mean {}? ", rule.code))
            .unwrap_or_default();
        Failure::Usage(format!(
            "there is no code {code:?}; {near}`aileron explain` lists all of them"
        ))
    })
}

fn list() -> String {
    let line =
        |rule: &Rule| format!("{:<28} {:<8} {}", rule.code, rule.severity.as_str(), rule.summary());
    rules::all().into_iter().map(line).collect::<Vec<_>>().join("\n")
}

fn as_json(rule: &Rule) -> Value {
    json!({
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity.as_str(),
        "explanation": rule.page(),
    })
}
