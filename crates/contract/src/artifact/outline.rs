//! Splits an artifact's text without parsing its tools, so that they can be parsed in parallel.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Artifact, ArtifactError, ArtifactTool, FORMAT_VERSION, LeftOutTool};
use crate::hash::ContentHash;

/// The parts of an artifact, with its tools left unparsed.
#[derive(Debug)]
pub(super) struct Outline<'a> {
    header: Header,
    /// The text of each tool, for [`ArtifactTool::read`].
    pub(super) tools: Vec<&'a str>,
}

/// The text that the compiler writes around the lines of tools.
const BEFORE: &str = "\n  \"tools\": [\n";
const AFTER: &str = "\n  ]\n}\n";

/// Everything but the tools.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Header {
    version: String,
    content_hash: ContentHash,
    format_version: u64,
    git_commit: Option<String>,
    build_timestamp: Option<String>,
    #[serde(default)]
    left_out: Vec<LeftOutTool>,
}

impl<'a> Outline<'a> {
    /// Splits a text that has one tool per line, as the compiler writes it, without parsing the
    /// lines. Their reader parses each line; for any fault, `read` gives the error.
    pub(super) fn of_lines(text: &'a str) -> Option<Self> {
        let (before, rest) = text.split_once(BEFORE)?;
        let mut tools: Vec<_> = rest.strip_suffix(AFTER)?.split('\n').collect();
        let last = tools.pop()?;
        tools = tools.into_iter().map(|line| line.strip_suffix(',')).collect::<Option<_>>()?;
        tools.push(last);
        let without = format!("{before}\"tools\":[]}}");
        let outline = Outline::read(&without).ok().filter(|outline| outline.tools.is_empty())?;
        Some(Outline { header: outline.header, tools })
    }

    /// Splits a text and checks its format.
    pub(super) fn read(text: &'a str) -> Result<Self, ArtifactError> {
        let parts: ArtifactParts<'a> = serde_json::from_str(text)
            .map_err(|error| ArtifactError::NotJson(error.to_string()))?;
        check_format(&parts.header)?;
        let bad_shape = |error: serde_json::Error| ArtifactError::BadShape(error.to_string());
        let header = serde_json::from_value(parts.header).map_err(bad_shape)?;
        let none = || ArtifactError::BadShape("missing field `tools`".to_owned());
        let tools = parts.tools.ok_or_else(none)?.into_iter().map(RawValue::get).collect();
        Ok(Self { header, tools })
    }

    /// The artifact, given its tools in order.
    pub(super) fn finish(self, tools: Vec<ArtifactTool>) -> Result<Artifact, ArtifactError> {
        let Header { version, content_hash, format_version, git_commit, build_timestamp, left_out } =
            self.header;
        let artifact = Artifact {
            version,
            content_hash,
            format_version,
            git_commit,
            build_timestamp,
            left_out,
            tools,
        };
        artifact.check()?;
        Ok(artifact)
    }
}

/// The members of the text, unchecked.
struct ArtifactParts<'a> {
    header: Value,
    tools: Option<Vec<&'a RawValue>>,
}

impl<'de: 'a, 'a> Deserialize<'de> for ArtifactParts<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PartsVisitor(std::marker::PhantomData))
    }
}

struct PartsVisitor<'a>(std::marker::PhantomData<&'a ()>);

impl<'de: 'a, 'a> Visitor<'de> for PartsVisitor<'a> {
    type Value = ArtifactParts<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<ArtifactParts<'a>, A::Error> {
        let mut header = serde_json::Map::new();
        let mut tools = None;
        while let Some(key) = members.next_key::<String>()? {
            match key.as_str() {
                "tools" => tools = Some(members.next_value()?),
                _ => drop(header.insert(key, members.next_value()?)),
            }
        }
        Ok(ArtifactParts { header: Value::Object(header), tools })
    }

    /// A list has no format version, and the error says so.
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<ArtifactParts<'a>, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(ArtifactParts { header: Value::Null, tools: None })
    }
}

fn check_format(header: &Value) -> Result<(), ArtifactError> {
    match header.get("formatVersion") {
        Some(version) if version.as_u64() == Some(FORMAT_VERSION) => Ok(()),
        Some(version) => Err(ArtifactError::UnknownFormat { found: version.to_string() }),
        None => Err(ArtifactError::UnknownFormat { found: "none".into() }),
    }
}
