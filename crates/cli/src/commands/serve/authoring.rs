//! Tool authoring for the server: compares registries, and saves cases in the folder of the tools.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use aileron_compiler::breaking::{self, Break};
use aileron_compiler::{Folder, Options, Overlay, Severity, SourceTree, compile};
use aileron_contract::{Artifact, ToolId};
use aileron_runtime::cases;
use aileron_server::{Authoring, ChangeKind, RegistryChange, SaveCaseError};
use serde_json::Value;

/// The file of a tool's cases.
const CASES: &str = "cases.json";

/// The rules whose break lets a tool do more, or be seen less, than before.
const POLICY_RULES: [&str; 9] = [
    "CONFIRMATION_NO_DROP",
    "PREVIEW_NO_HIDE",
    "SIDE_EFFECTS_NO_ESCALATE",
    "SIDE_EFFECTS_NO_UNDERSTATE",
    "CAPABILITY_NO_WIDEN",
    "IDEMPOTENT_NO_DROP",
    "PERMISSION_NO_LOOSEN",
    "RATE_LIMIT_NO_DROP",
    "REDACT_NO_DROP",
];

const TOOL_NO_DELETE: &str = "TOOL_NO_DELETE";

/// Authoring with the folder of tools that the server compiles.
#[derive(Debug)]
pub(super) struct ToolFolder {
    /// `None` if it serves an artifact.
    folder: Option<PathBuf>,
    options: Options,
    /// Held while a file of cases is read and written: of two cases that are saved at the same time, none is lost.
    saving: Mutex<()>,
}

impl ToolFolder {
    pub(super) fn new(folder: Option<PathBuf>, options: Options) -> Self {
        Self { folder, options, saving: Mutex::default() }
    }

    fn tool(&self, tool: &str) -> Option<PathBuf> {
        let id = ToolId::new(tool).ok()?;
        let folder = self.folder.as_ref()?.join(id.directory());
        folder.is_dir().then_some(folder)
    }
}

impl ToolFolder {
    /// Compiles the tools with the new cases, so that no case is saved that stops the next build.
    fn check(&self, tool: &Path, cases: &str) -> Result<(), SaveCaseError> {
        let (Some(root), Some(name)) = (&self.folder, tool.file_name()) else {
            return Err(SaveCaseError::NoSources);
        };
        let path = format!("{}/{CASES}", name.to_string_lossy());
        let folder = Folder::open(root).map_err(|_| SaveCaseError::NoSources)?;
        let mut tree = Overlay::new(&folder);
        tree.insert(path.as_str(), cases);
        let shown = tree.display(&path);
        let compilation = compile(&tree, &self.options, &|_, _| {});
        let errors = compilation
            .diagnostics
            .iter()
            .filter(|found| found.severity == Severity::Error && found.source.path == shown);
        let errors: Vec<_> =
            errors.map(|found| format!("{}: {}", found.rule.code, found.message)).collect();
        match errors.is_empty() {
            true => Ok(()),
            false => Err(SaveCaseError::Invalid(errors.join("; "))),
        }
    }
}

impl Authoring for ToolFolder {
    fn compare(&self, old: &Artifact, new: &Artifact) -> Vec<RegistryChange> {
        let comparison = breaking::compare(old, new);
        let added = comparison.added.iter().map(|added| RegistryChange {
            tool: added.tool.clone(),
            rule: None,
            kind: ChangeKind::Added,
            step: None,
            message: format!("new in version {}", added.version),
        });
        added.chain(comparison.changes.iter().map(change)).collect()
    }

    fn can_save_cases(&self) -> bool {
        self.folder.as_ref().is_some_and(|folder| folder.is_dir())
    }

    fn cases(&self, tool: &str) -> Option<Vec<Value>> {
        let text = fs::read_to_string(self.tool(tool)?.join(CASES)).ok()?;
        serde_json::from_str(&text).ok()
    }

    fn save_case(&self, tool: &str, case: Value) -> Result<String, SaveCaseError> {
        let folder = self.tool(tool).ok_or(SaveCaseError::NoSources)?;
        let path = folder.join(CASES);
        let _saving = self.saving.lock().unwrap_or_else(PoisonError::into_inner);
        let before = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => "[]".to_owned(),
            Err(error) => return Err(not_written(&path, &error)),
        };
        let known = cases::read(&before)
            .map_err(|error| SaveCaseError::Invalid(format!("{CASES} cannot be read: {error}")))?;
        if let Some(taken) =
            known.iter().find(|one| Some(one.name.as_str()) == case["name"].as_str())
        {
            let why = format!("a case is already called {:?}; choose another name", taken.name);
            return Err(SaveCaseError::Invalid(why));
        }
        let after = appended(&before, &case);
        cases::read(&after)
            .map_err(|error| SaveCaseError::Invalid(format!("this is no case: {error}")))?;
        self.check(&folder, &after)?;
        let draft = folder.join(format!(".{CASES}.new"));
        let written = fs::write(&draft, after).and_then(|()| fs::rename(&draft, &path));
        written.map_err(|error| not_written(&path, &error))?;
        Ok(path.display().to_string())
    }
}

fn not_written(path: &Path, error: &io::Error) -> SaveCaseError {
    SaveCaseError::Io(format!("cannot write {}: {error}", path.display()))
}

/// The array with another element at its end; the others keep their layout.
fn appended(array: &str, case: &Value) -> String {
    let case = serde_json::to_string_pretty(case).unwrap_or_default().replace('\n', "\n  ");
    let body = array.trim_end().strip_suffix(']').unwrap_or_default().trim_end();
    let comma = if body.ends_with('[') { "" } else { "," };
    format!("{body}{comma}\n  {case}\n]\n")
}

fn change(change: &Break) -> RegistryChange {
    let code = change.rule.code;
    RegistryChange {
        tool: change.tool.clone(),
        rule: Some(code.to_owned()),
        kind: match code {
            TOOL_NO_DELETE => ChangeKind::Removed,
            code if POLICY_RULES.contains(&code) => ChangeKind::Policy,
            _ if change.is_violation() => ChangeKind::Breaking,
            _ => ChangeKind::Compatible,
        },
        step: Some(change.needs.as_str().to_owned()),
        message: format!("{}: {}", change.pointer, change.message),
    }
}

#[cfg(test)]
#[path = "authoring_tests.rs"]
mod tests;
