//! Counts the results of the corpus, and the wrong ones.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use aileron_compiler::{Compilation, Diagnostic, Severity};
use aileron_contract::Provider;

use super::definition::{Definition, Parameters};

/// The rules that refuse an example.
const EXAMPLE_RULES: [&str; 2] = ["AIL-D008", "AIL-D009"];

/// The counts of one run.
pub(crate) struct Tally {
    parameters: Parameters,
    definitions: usize,
    /// Tools and findings by code.
    codes: BTreeMap<&'static str, (BTreeSet<String>, usize)>,
    refused_by: BTreeMap<Provider, BTreeSet<String>>,
    verdicts: Verdicts,
    pub(crate) wrong: Vec<String>,
}

#[derive(Default)]
struct Verdicts {
    fitting_accepted: usize,
    unfitting_refused: usize,
    refused_for_format: usize,
    not_judged: usize,
    without_agreement: usize,
}

impl Tally {
    pub(crate) fn of(
        definitions: &[Definition],
        compilation: &Compilation,
        parameters: Parameters,
    ) -> Self {
        let mut tally = Self {
            parameters,
            definitions: definitions.len(),
            codes: BTreeMap::new(),
            refused_by: BTreeMap::new(),
            verdicts: Verdicts::default(),
            wrong: Vec::new(),
        };
        let by_directory = by_directory(&compilation.diagnostics);
        compilation.diagnostics.iter().for_each(|finding| tally.count(finding));
        let built: BTreeSet<_> = compilation.tools.iter().map(|tool| tool.id.directory()).collect();
        for definition in definitions {
            let findings = by_directory
                .get(definition.directory.as_str())
                .map(Vec::as_slice)
                .unwrap_or_default();
            let failed = findings.iter().any(|finding| finding.severity == Severity::Error);
            if built.contains(&definition.directory) == failed {
                tally
                    .wrong
                    .push(format!("{}: neither artifact nor error, or both", definition.directory));
            }
            if parameters == Parameters::AsWritten {
                tally.judge(definition, findings);
            }
        }
        tally
    }

    fn count(&mut self, finding: &Diagnostic) {
        let directory = directory_of(finding).to_owned();
        if let (Some(target), Severity::Error) = (finding.target, finding.severity) {
            self.refused_by.entry(target).or_default().insert(directory.clone());
        }
        let (tools, findings) = self.codes.entry(finding.rule.code).or_default();
        tools.insert(directory);
        *findings += 1;
    }

    fn judge(&mut self, definition: &Definition, findings: &[&Diagnostic]) {
        let no_schema =
            findings.iter().any(|f| f.rule.code == "AIL-A020" || f.rule.code == "AIL-A009");
        for (example, lines) in definition.examples.iter().zip(definition.guide().1) {
            let on_example = |f: &&&Diagnostic| {
                EXAMPLE_RULES.contains(&f.rule.code) && lines.contains(&f.position().line)
            };
            let refused = findings.iter().any(|f| on_example(&f));
            match (example.fits, refused) {
                (None, _) => self.verdicts.without_agreement += 1,
                (Some(true), false) => self.verdicts.fitting_accepted += 1,
                (Some(false), true) => self.verdicts.unfitting_refused += 1,
                (Some(true), true) if definition.fits_without_formats(example) => {
                    self.verdicts.refused_for_format += 1;
                }
                (Some(_), false) if no_schema => self.verdicts.not_judged += 1,
                (Some(true), true) => self.wrong.push(format!(
                    "{}: fitting arguments refused, guide.md:{}",
                    definition.directory, lines.start
                )),
                (Some(false), false) => self.wrong.push(format!(
                    "{}: unfitting arguments accepted, guide.md:{}",
                    definition.directory, lines.start
                )),
            }
        }
    }

    /// The report of one run, in Markdown.
    pub(crate) fn table(&self, compilation: &Compilation, time: Duration) -> String {
        let mut lines = vec![
            format!(
                "## Parameters {}",
                match self.parameters {
                    Parameters::AsWritten => "as written",
                    Parameters::Closed => "closed, as AIL-A018 and AIL-A019 ask",
                }
            ),
            format!(
                "{} definitions: {} in the artifact, {} with errors, {} ms with writing",
                self.definitions,
                compilation.tools.len(),
                self.definitions - compilation.tools.len(),
                time.as_millis()
            ),
        ];
        lines.extend(Provider::ALL.map(|target| {
            let refused = self.refused_by.get(&target).map_or(0, BTreeSet::len);
            format!(
                "{:<18} {} declared, {refused} refused",
                target.as_str(),
                self.definitions - refused
            )
        }));
        if self.parameters == Parameters::AsWritten {
            let Verdicts {
                fitting_accepted,
                unfitting_refused,
                refused_for_format,
                not_judged,
                without_agreement,
            } = self.verdicts;
            lines.push(format!("examples: {fitting_accepted} fitting accepted, {unfitting_refused} unfitting refused, {refused_for_format} refused for a `format` that the two validators do not assert, {not_judged} not judged (no schema), {without_agreement} without agreement, {} wrong", self.wrong.len()));
        }
        lines.push("\n| code | tools | findings |\n|---|---|---|".to_owned());
        lines.extend(
            self.codes.iter().map(|(code, (tools, findings))| {
                format!("| {code} | {} | {findings} |", tools.len())
            }),
        );
        lines.join("\n") + "\n"
    }
}

fn by_directory(findings: &[Diagnostic]) -> HashMap<&str, Vec<&Diagnostic>> {
    let mut map: HashMap<&str, Vec<&Diagnostic>> = HashMap::new();
    for finding in findings {
        map.entry(directory_of(finding)).or_default().push(finding);
    }
    map
}

/// The tool directory in a path that ends in `tools/<directory>/<file>` or `tools/<directory>`.
fn directory_of(finding: &Diagnostic) -> &str {
    let path = finding.source.path.as_str();
    let below = path.rsplit_once("/tools/").map_or("", |(_, below)| below);
    below.split('/').next().unwrap_or_default()
}
