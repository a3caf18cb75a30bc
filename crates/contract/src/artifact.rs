//! `tool_registry.json`: the compiled toolset, and the only thing a runtime needs.
//!
//! Each tool has a hash over everything it says and does; the content hash
//! covers all tools; the version is its first eight digits. Build time and
//! commit are recorded outside of the hash.

mod declaration;
mod fields;
mod handler;
mod outline;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::hash::ContentHash;
use crate::provider::Provider;
use crate::spec::ToolSpec;

use fields::Fields;
use outline::Outline;

pub use declaration::Declaration;
pub use handler::{Handler, Packages, WorkerCode, code_hash};

/// The format this code writes and reads.
pub const FORMAT_VERSION: u64 = 1;

/// The default file name.
pub const FILE_NAME: &str = "tool_registry.json";

/// A compiled toolset.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Artifact {
    pub version: String,
    pub content_hash: ContentHash,
    pub format_version: u64,
    pub git_commit: Option<String>,
    pub build_timestamp: Option<String>,
    /// The directories that this build left out. Not part of the hash, which covers the tools.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOutTool>,
    pub tools: Vec<ArtifactTool>,
}

/// A tool directory that is not in the registry, because it did not compile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOutTool {
    /// The name of its directory: `crm-lookup`.
    pub directory: String,
    /// The codes of its errors: `AIL-H006`.
    pub codes: Vec<String>,
}

/// One compiled tool: the spec, its declarations, its documentation and its code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ArtifactTool {
    #[serde(flatten)]
    pub spec: ArtifactSpec,
    pub hash: ContentHash,
    pub provider_schemas: BTreeMap<Provider, Declaration>,
    pub summary: String,
    pub documentation: String,
    pub handler: Handler,
}

/// The spec in the artifact's spelling: `parameters` is called `jsonSchema`.
#[derive(Debug, Clone, PartialEq)]
pub struct ArtifactSpec(pub ToolSpec);

/// The text of a source file as it is stored and hashed: no byte order mark, `\n` line ends.
pub fn source_text(text: &str) -> String {
    text.trim_start_matches('\u{feff}').replace("\r\n", "\n")
}

/// The hash of one tool, over all its fields but the hash itself, which is taken out.
pub fn tool_hash(tool: &mut Value) -> ContentHash {
    if let Value::Object(fields) = tool {
        fields.remove("hash");
    }
    ContentHash::of_value(tool)
}

/// The hash of a toolset, over its format and the hashes of its tools in order.
pub fn content_hash<'a>(tools: impl Iterator<Item = &'a ContentHash>) -> ContentHash {
    let tools: Vec<_> = tools.map(ContentHash::as_str).collect();
    ContentHash::of_value(&json!({ "formatVersion": FORMAT_VERSION, "tools": tools }))
}

/// The registry version that belongs to a content hash.
pub fn version_of(hash: &ContentHash) -> String {
    format!("1.0.{}", hash.short())
}

/// Why a text is not a valid artifact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArtifactError {
    NotJson(String),
    UnknownFormat { found: String },
    BadShape(String),
    ToolHashMismatch { tool: String, recorded: String, actual: String },
    HandlerHashMismatch { tool: String, recorded: String, actual: String },
    ContentHashMismatch { recorded: String, actual: String },
    VersionMismatch { recorded: String, expected: String },
    NotSorted { tool: String },
}

const REBUILD: &str = "; rebuild it with `aileron build`";

impl fmt::Display for ArtifactError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson(why) => write!(f, "expected a tool registry in JSON, found {why}")?,
            Self::UnknownFormat { found } => {
                return write!(
                    f,
                    "expected `formatVersion` {FORMAT_VERSION}, found {found}; use the aileron that built it, or rebuild it with this one"
                );
            }
            Self::BadShape(why) => {
                write!(f, "the registry does not have the expected fields: {why}")?;
            }
            Self::ToolHashMismatch { tool, recorded, actual } => {
                write!(
                    f,
                    "tool `{tool}` was changed after the build: its hash is recorded as {recorded}, its content has {actual}"
                )?;
            }
            Self::HandlerHashMismatch { tool, recorded, actual } => {
                write!(
                    f,
                    "the handler of `{tool}` was changed after the build: its hash is recorded as {recorded}, its code has {actual}"
                )?;
            }
            Self::ContentHashMismatch { recorded, actual } => {
                write!(
                    f,
                    "the registry was changed after the build: `contentHash` is recorded as {recorded}, the tools have {actual}"
                )?;
            }
            Self::VersionMismatch { recorded, expected } => {
                write!(f, "expected version {expected} for this content, found {recorded}")?;
            }
            Self::NotSorted { tool } => {
                write!(
                    f,
                    "the tools must be sorted by id without repeats, `{tool}` is out of place"
                )?;
            }
        }
        f.write_str(REBUILD)
    }
}

impl std::error::Error for ArtifactError {}

impl Artifact {
    /// Reads an artifact and checks its format, its hashes and its order.
    pub fn read(text: &str) -> Result<Self, ArtifactError> {
        Self::read_with(text, |tools| tools.into_iter().map(ArtifactTool::read).collect())
    }

    /// The same, with a function that reads all tools, for example in parallel.
    pub fn read_with(
        text: &str,
        read_all: impl Fn(Vec<&str>) -> Result<Vec<ArtifactTool>, ArtifactError>,
    ) -> Result<Self, ArtifactError> {
        if let Some(outline) = Outline::of_lines(text)
            && let Ok(tools) = read_all(outline.tools.clone())
        {
            return outline.finish(tools);
        }
        let outline = Outline::read(text)?;
        let tools = read_all(outline.tools.clone())?;
        outline.finish(tools)
    }

    /// The tool of that id.
    pub fn tool(&self, id: &str) -> Option<&ArtifactTool> {
        let at = self.tools.binary_search_by(|tool| tool.id().cmp(id)).ok()?;
        self.tools.get(at)
    }

    fn check(&self) -> Result<(), ArtifactError> {
        for pair in self.tools.windows(2) {
            if let [before, after] = pair
                && before.id() >= after.id()
            {
                return Err(ArtifactError::NotSorted { tool: after.id().into() });
            }
        }
        self.check_version()
    }

    fn check_version(&self) -> Result<(), ArtifactError> {
        let actual = content_hash(self.tools.iter().map(|tool| &tool.hash));
        if actual != self.content_hash {
            let recorded = self.content_hash.to_string();
            return Err(ArtifactError::ContentHashMismatch {
                recorded,
                actual: actual.to_string(),
            });
        }
        let expected = version_of(&actual);
        if self.version == expected {
            return Ok(());
        }
        Err(ArtifactError::VersionMismatch { recorded: self.version.clone(), expected })
    }
}

impl ArtifactTool {
    /// Reads one tool and checks its hashes.
    pub fn read(text: &str) -> Result<Self, ArtifactError> {
        let Ok(fields) = serde_json::from_str::<Fields<'_>>(text) else {
            return Self::read_slowly(text);
        };
        check_tool_hash(text, &fields.others)?;
        let tool = Self::from_fields(fields).map_err(bad_shape)?;
        tool.check_handler()?;
        Ok(tool)
    }

    /// Reads a text that the fast path refused, and names the fault.
    fn read_slowly(text: &str) -> Result<Self, ArtifactError> {
        let value: Value = serde_json::from_str(text).map_err(bad_shape)?;
        check_tool_hash(text, value.as_object().unwrap_or(&Map::new()))?;
        let tool: Self = serde_json::from_value(value).map_err(bad_shape)?;
        tool.check_handler()?;
        Ok(tool)
    }

    /// Same result as deserialising, but faster: `#[serde(flatten)]` buffers all fields first.
    fn from_fields(fields: Fields<'_>) -> Result<Self, serde_json::Error> {
        let Fields { declarations, others: mut fields } = fields;
        let mut part = |name: &'static str| {
            let missing = || serde::de::Error::missing_field(name);
            fields.remove(name).ok_or_else(missing)
        };
        let hash = part("hash")?;
        let missing = || serde::de::Error::missing_field("providerSchemas");
        let declarations = declarations.ok_or_else(missing)?;
        let (summary, documentation) = (part("summary")?, part("documentation")?);
        let handler = part("handler")?;
        let declared = |(name, text): (String, &RawValue)| {
            Ok((serde_json::from_value(name.into())?, Declaration::of_text(text)))
        };
        Ok(Self {
            hash: serde_json::from_value(hash)?,
            provider_schemas: declarations.into_iter().map(declared).collect::<Result<_, _>>()?,
            summary: serde_json::from_value(summary)?,
            documentation: serde_json::from_value(documentation)?,
            handler: serde_json::from_value(handler)?,
            spec: ArtifactSpec::from_fields(fields)?,
        })
    }

    /// The tool's id.
    pub fn id(&self) -> &str {
        self.spec.0.tool_id.as_str()
    }

    /// The tool's declaration for a provider.
    pub fn declaration(&self, provider: Provider) -> Option<Value> {
        self.provider_schemas.get(&provider).map(|declared| declared.value().into_owned())
    }

    fn check_handler(&self) -> Result<(), ArtifactError> {
        let actual = self.handler.actual_hash();
        if &actual == self.handler.hash() {
            return Ok(());
        }
        Err(ArtifactError::HandlerHashMismatch {
            tool: self.id().into(),
            recorded: self.handler.hash().to_string(),
            actual: actual.to_string(),
        })
    }
}

fn bad_shape(error: serde_json::Error) -> ArtifactError {
    ArtifactError::BadShape(error.to_string())
}

/// Hashes the text of the file itself, so that unknown fields are covered too.
fn check_tool_hash(text: &str, fields: &Map<String, Value>) -> Result<(), ArtifactError> {
    let member = |key| fields.get(key).and_then(Value::as_str).unwrap_or("none");
    let recorded = member("hash");
    if is_as_written(text, recorded) {
        return Ok(());
    }
    let actual = tool_hash(&mut serde_json::from_str(text).map_err(bad_shape)?);
    if recorded == actual.as_str() {
        return Ok(());
    }
    Err(ArtifactError::ToolHashMismatch {
        tool: member("toolId").to_owned(),
        recorded: recorded.to_owned(),
        actual: actual.to_string(),
    })
}

/// Whether this is a tool's text exactly as a compiler wrote it, in canonical form. Then the text
/// without the hash is the hashed text and need not be serialised again. Removing another member
/// instead of the hash cannot succeed: the rest would have to contain its own hash.
fn is_as_written(text: &str, recorded: &str) -> bool {
    let parts = text.split_once(&format!("\"hash\":\"{recorded}\","));
    parts.is_some_and(|(before, after)| ContentHash::of_parts([before, after]).as_str() == recorded)
}

impl Serialize for ArtifactSpec {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut value = serde_json::to_value(&self.0).map_err(serde::ser::Error::custom)?;
        if let Value::Object(fields) = &mut value
            && let Some(parameters) = fields.remove("parameters")
        {
            fields.insert("jsonSchema".into(), parameters);
        }
        value.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ArtifactSpec {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = Map::deserialize(deserializer)?;
        Self::from_fields(fields).map_err(serde::de::Error::custom)
    }
}

impl ArtifactSpec {
    /// The schemas are moved and not read anew: they are most of a spec.
    fn from_fields(mut fields: Map<String, Value>) -> Result<Self, serde_json::Error> {
        let parameters = fields.remove("jsonSchema");
        let returns = fields.remove("returns");
        if parameters.is_some() {
            fields.insert("parameters".into(), Value::Null);
        }
        let mut spec: ToolSpec = serde_json::from_value(Value::Object(fields))?;
        spec.parameters = parameters.unwrap_or_default();
        spec.returns = returns.filter(|schema| !schema.is_null());
        Ok(Self(spec))
    }
}

#[cfg(test)]
#[path = "artifact_tests.rs"]
mod tests;
