//! A target's dialect of JSON Schema: which keyword is treated how.

/// What happens to a keyword on its way to a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Treatment {
    /// Copied; the schemas inside of it are lowered.
    Keep,
    /// Left out and reported.
    Drop,
    /// Left out and reported; a sentence in the description stands for it.
    Describe,
    /// Left out and reported: the target would refuse the request.
    Refuse,
    /// Said in other words by the dialect's own code.
    Rewrite,
}

/// How a target takes `$ref`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refs {
    /// To definitions, with nothing beside it; written out otherwise.
    Bare(Cycles),
    /// Not at all: written out.
    WrittenOut,
}

/// Where a kept `$ref` may lead back to where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cycles {
    Anywhere,
    /// Only inside of a property that is not required.
    OptionalOnly,
}

/// What a property may be called.
#[derive(Debug)]
pub(super) struct NameRule {
    pub(super) allows: fn(&str) -> bool,
    pub(super) expected: &'static str,
}

/// Keywords that are treated alike.
pub(super) type Row = (Treatment, &'static [&'static str]);

/// A target's dialect.
#[derive(Debug)]
pub(super) struct Dialect {
    /// The target's name in messages.
    pub(super) title: &'static str,
    pub(super) table: &'static [Row],
    /// For keywords that are not in the table.
    pub(super) otherwise: Treatment,
    pub(super) refs: Refs,
    pub(super) names: Option<&'static NameRule>,
    /// What the target refuses at the root, though not below.
    pub(super) refused_at_root: &'static [&'static str],
    /// What becomes of the parts of an `allOf` that cannot be said at once.
    pub(super) conflict: Treatment,
}

impl Dialect {
    /// How a keyword is treated.
    pub(super) fn treatment(&self, keyword: &str) -> Treatment {
        let row = self.table.iter().find(|(_, keywords)| keywords.contains(&keyword));
        row.map_or(self.otherwise, |(treatment, _)| *treatment)
    }
}
