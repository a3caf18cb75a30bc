//! A target's dialect of JSON Schema: the treatment of each keyword.

/// The treatment of a keyword for a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Treatment {
    /// Copied; the schemas inside of it are lowered.
    Keep,
    /// Left out and reported.
    Drop,
    /// Left out and reported; a sentence in the description replaces it.
    Describe,
    /// Left out and reported: the target would refuse the request.
    Refuse,
    /// Converted by the code of the dialect.
    Rewrite,
}

/// The target's support of `$ref`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refs {
    /// Only to definitions and without siblings; inlined otherwise.
    Bare(Cycles),
    /// Not supported: inlined.
    WrittenOut,
}

/// Where a kept `$ref` may be recursive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cycles {
    Anywhere,
    /// Only inside of a property that is not required.
    OptionalOnly,
}

/// The allowed names of properties.
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
    /// Keywords that the target refuses only at the root.
    pub(super) refused_at_root: &'static [&'static str],
    /// The treatment of parts of an `allOf` that cannot be merged.
    pub(super) conflict: Treatment,
}

impl Dialect {
    /// How a keyword is treated.
    pub(super) fn treatment(&self, keyword: &str) -> Treatment {
        let row = self.table.iter().find(|(_, keywords)| keywords.contains(&keyword));
        row.map_or(self.otherwise, |(treatment, _)| *treatment)
    }
}
