//! How far a version must be raised.
//!
//! Before 1.0.0 the steps move down by one: a minor raise counts as major and a patch as minor, so
//! 0.4.2 becomes 0.5.0 for a broken promise and 0.4.3 for anything else. A pre-release promises
//! nothing: any later version may break it, and a pre-release of a version counts as that version.

use std::cmp::Ordering;
use std::fmt;

use semver::Version;

/// A step of a semantic version, smallest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VersionStep {
    Patch,
    Minor,
    Major,
}

impl VersionStep {
    /// The name in every output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Patch => "patch",
            Self::Minor => "minor",
            Self::Major => "major",
        }
    }
}

impl fmt::Display for VersionStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The versions that are far enough from a previous one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequiredVersion {
    /// This release, a pre-release of it, or anything later.
    AtLeast(Version),
    /// Anything later than this pre-release.
    After(Version),
}

impl RequiredVersion {
    /// The versions that a step requires after a previous version.
    pub fn new(previous: &Version, step: VersionStep) -> Self {
        if !previous.pre.is_empty() {
            return Self::After(previous.clone());
        }
        let Version { major, minor, patch, .. } = *previous;
        Self::AtLeast(match (major, step) {
            (0, VersionStep::Major) => Version::new(0, minor.saturating_add(1), 0),
            (_, VersionStep::Major) => Version::new(major.saturating_add(1), 0, 0),
            (1.., VersionStep::Minor) => Version::new(major, minor.saturating_add(1), 0),
            (0, VersionStep::Minor) | (_, VersionStep::Patch) => {
                Version::new(major, minor, patch.saturating_add(1))
            }
        })
    }

    /// Whether a version is far enough.
    pub fn met_by(&self, current: &Version) -> bool {
        match self {
            Self::AtLeast(needed) => release(current) >= release(needed),
            Self::After(previous) => current.cmp_precedence(previous) == Ordering::Greater,
        }
    }

    /// The smallest release that is far enough.
    pub fn release(&self) -> Version {
        let (Self::AtLeast(version) | Self::After(version)) = self;
        release(version)
    }
}

impl fmt::Display for RequiredVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(version) => write!(f, "{version} or later"),
            Self::After(version) => write!(f, "a version after {version}"),
        }
    }
}

/// The version without pre-release and build.
fn release(version: &Version) -> Version {
    Version::new(version.major, version.minor, version.patch)
}

#[cfg(test)]
#[path = "step_tests.rs"]
mod tests;
