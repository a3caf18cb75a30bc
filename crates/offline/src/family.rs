//! Which kind of tool a declaration is, by its name and parameters.

use super::schema::Parameters;
use aileron_contract::model_input::ToolDeclaration;

/// The kinds of tools that the rules know how to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    Search,
    Read,
    Propose,
    Book,
    DraftImage,
    MakeImage,
    ShowImage,
    Contacts,
    FormatDate,
    Rank,
    EndVoice,
    StartVoice,
    Block,
    /// Reads the documentation of another tool, which rules do not need.
    Guide,
}

/// Words that the name must have, and a parameter that the tool must have, for each family.
const KNOWN: &[(Family, &[&str], Option<&str>)] = &[
    (Family::Propose, &["propose", "event"], Some("attendees")),
    (Family::Book, &["create", "event"], Some("event_draft_id")),
    (Family::DraftImage, &["image", "draft"], Some("subject")),
    (Family::MakeImage, &["image", "generate"], Some("prompt")),
    (Family::ShowImage, &["send", "image"], Some("image")),
    (Family::Contacts, &["contacts"], Some("text")),
    (Family::FormatDate, &["format", "date"], Some("value")),
    (Family::Rank, &["rank"], Some("items")),
    (Family::EndVoice, &["end", "voice"], None),
    (Family::StartVoice, &["start", "voice"], None),
    (Family::Block, &["ignore", "user"], Some("farewell_message")),
    (Family::Guide, &["describe", "tool"], Some("tool_id")),
    (Family::Search, &["search"], Some("query")),
    (Family::Read, &["get"], Some("ids")),
];

impl Family {
    /// The family of a tool.
    pub(super) fn of(tool: &ToolDeclaration) -> Option<Self> {
        let parameters = Parameters::new(&tool.parameters);
        let fits = |words: &[&str], takes: Option<&str>| {
            let named = words.iter().all(|word| tool.name.contains(word));
            named && takes.is_none_or(|name| parameters.one(name).is_some())
        };
        KNOWN.iter().find(|(_, words, takes)| fits(words, *takes)).map(|(family, ..)| *family)
    }

    /// The family that a name suggests, for a tool that is not declared here.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        let fits = |words: &[&str]| words.iter().all(|word| name.contains(word));
        KNOWN.iter().find(|(_, words, _)| fits(words)).map(|(family, ..)| *family)
    }
}
