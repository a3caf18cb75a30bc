//! Losses: keywords that a target cannot express as written, and the messages about them.

use crate::document::join;

/// A keyword that the target cannot express as written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Loss {
    pub section: Section,
    /// JSON Pointer of the schema below the section.
    pub pointer: String,
    /// The keyword; for a bad name, the property's name.
    pub keyword: String,
    pub kind: LossKind,
    /// Understandable on its own: names the target, the keyword and the place.
    pub message: String,
}

impl Loss {
    /// The pointer of the keyword in `schema.json`.
    pub fn place(&self) -> String {
        join(&self.schema_place(), &self.keyword)
    }

    /// The pointer of the keyword's schema in `schema.json`.
    pub fn schema_place(&self) -> String {
        format!("{}{}", self.section.pointer(), self.pointer)
    }
}

/// The schema of a tool that a loss is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    Parameters,
    Returns,
}

impl Section {
    /// Its JSON Pointer in `schema.json`.
    pub const fn pointer(self) -> &'static str {
        match self {
            Self::Parameters => "/parameters",
            Self::Returns => "/returns",
        }
    }
}

/// The kind of a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LossKind {
    /// Left out; moved to the description if that helps the model.
    Dropped,
    /// Expressed by another keyword.
    Rewritten,
    /// Cut where it refers to itself.
    Recursive,
    /// The target would refuse the request.
    Refused,
    /// The target would refuse the request because of a property's name.
    BadName,
    /// Too large or too deep for the target once `$ref`s are inlined.
    TooLarge,
}

impl LossKind {
    /// Whether the target would refuse the request.
    pub const fn is_refusal(self) -> bool {
        match self {
            Self::Refused | Self::BadName | Self::TooLarge => true,
            Self::Dropped | Self::Rewritten | Self::Recursive => false,
        }
    }
}

/// Whether a sentence replaces a dropped keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LossDescription {
    Yes,
    No,
}

/// Collects the losses of one declaration.
#[derive(Debug)]
pub(super) struct Losses {
    /// The target's name in every message.
    title: &'static str,
    list: Vec<Loss>,
}

impl Losses {
    pub(super) fn new(title: &'static str) -> Self {
        Self { title, list: Vec::new() }
    }

    /// The losses in their order, without repeats.
    pub(super) fn finish(mut self) -> Vec<Loss> {
        self.list.sort();
        self.list.dedup();
        self.list
    }

    pub(super) fn dropped(&mut self, at: &str, keyword: &str, described: LossDescription) {
        let tail = match described {
            LossDescription::Yes => "; the description says it instead",
            LossDescription::No => "",
        };
        let message = format!("{} drops `{keyword}` at {}{tail}", self.title, shown(at));
        self.push(LossKind::Dropped, at, keyword, message);
    }

    pub(super) fn dropped_because(&mut self, at: &str, keyword: &str, why: &str) {
        let message = format!("{} drops `{keyword}` at {}: {why}", self.title, shown(at));
        self.push(LossKind::Dropped, at, keyword, message);
    }

    pub(super) fn rewritten(&mut self, at: &str, keyword: &str, how: &str) {
        let message = format!("{} says `{keyword}` at {} as {how}", self.title, shown(at));
        self.push(LossKind::Rewritten, at, keyword, message);
    }

    pub(super) fn supplied(&mut self, at: &str, keyword: &str, how: &str) {
        let message =
            format!("{} needs `{keyword}` at {} and is given {how}", self.title, shown(at));
        self.push(LossKind::Rewritten, at, keyword, message);
    }

    pub(super) fn refused(&mut self, at: &str, keyword: &str, why: &str) {
        let message = format!("{} refuses `{keyword}` at {}: {why}", self.title, shown(at));
        self.push(LossKind::Refused, at, keyword, message);
    }

    pub(super) fn bad_name(&mut self, at: &str, name: &str, expected: &str) {
        let message = format!(
            "{} refuses the property name {name:?} at {}: expected {expected}",
            self.title,
            shown(at)
        );
        self.push(LossKind::BadName, at, name, message);
    }

    pub(super) fn recursive(&mut self, at: &str, name: &str) {
        let message =
            format!("{} cuts the recursion at {}: it leads back to {name}", self.title, shown(at));
        self.push(LossKind::Recursive, at, "$ref", message);
    }

    pub(super) fn too_large(&mut self, limit: &str) {
        let message = format!("{} cannot carry the schema: written out, it {limit}", self.title);
        self.push(LossKind::TooLarge, "", "", message);
    }

    pub(super) fn returns_dropped(&mut self, why: &str) {
        let message = format!("{} drops `returns`: {why}", self.title);
        let (section, kind) = (Section::Returns, LossKind::Dropped);
        let (pointer, keyword) = (String::new(), "type".to_owned());
        self.list.push(Loss { section, pointer, keyword, kind, message });
    }

    fn push(&mut self, kind: LossKind, at: &str, keyword: &str, message: String) {
        self.list.push(Loss {
            section: Section::Parameters,
            pointer: at.to_owned(),
            keyword: keyword.to_owned(),
            kind,
            message,
        });
    }
}

fn shown(at: &str) -> &str {
    if at.is_empty() { "the root" } else { at }
}
