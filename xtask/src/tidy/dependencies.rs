//! Licences, banned crates and sources of dependencies, as `deny.toml` says. Cargo's own metadata is
//! enough for these; `cargo deny`, which knows advisories too, runs besides where it is installed.

mod licence;

use std::fs;
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

const POLICY: &str = "deny.toml";

/// The one registry that is known unless `deny.toml` allows others.
const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The parts of `deny.toml` that are checked here.
#[derive(Debug, Deserialize)]
struct Policy {
    licenses: Licences,
    bans: Bans,
    sources: Sources,
}

#[derive(Debug, Deserialize)]
struct Licences {
    allow: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Bans {
    #[serde(default)]
    wildcards: Level,
    #[serde(default, rename = "allow-wildcard-paths")]
    allow_wildcard_paths: bool,
    #[serde(default)]
    deny: Vec<Banned>,
}

#[derive(Debug, Deserialize)]
struct Banned {
    #[serde(rename = "crate")]
    name: String,
    reason: String,
}

#[derive(Debug, Deserialize)]
struct Sources {
    #[serde(default, rename = "unknown-registry")]
    unknown_registry: Level,
    #[serde(default, rename = "unknown-git")]
    unknown_git: Level,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Level {
    #[default]
    Allow,
    Warn,
    Deny,
}

#[derive(Debug, Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Debug, Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
    /// None for a package of this workspace.
    source: Option<String>,
    dependencies: Vec<Dependency>,
}

#[derive(Debug, Deserialize)]
struct Dependency {
    name: String,
    req: String,
    path: Option<String>,
}

pub(super) fn check(root: &Path) -> Result<Vec<String>, String> {
    let policy = fs::read_to_string(root.join(POLICY)).map_err(|error| error.to_string())?;
    let policy: Policy = toml::from_str(&policy).map_err(|error| format!("{POLICY}: {error}"))?;
    let mut findings = violations(&policy, &metadata(root)?);
    findings.extend(cargo_deny(root)?);
    Ok(findings)
}

/// Reads the packages of every platform. Cargo downloads those that a build for this one has no use
/// for, once.
fn metadata(root: &Path) -> Result<Metadata, String> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--all-features", "--locked"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cargo could not be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr)));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))
}

/// Runs `cargo deny check`, advisories included, if there is one.
fn cargo_deny(root: &Path) -> Result<Option<String>, String> {
    let deny = |args: &[&str]| {
        let run = Command::new(env!("CARGO")).arg("deny").args(args).current_dir(root).output();
        run.map_err(|error| format!("cargo could not be started: {error}"))
    };
    if !deny(&["--version"])?.status.success() {
        return Ok(None);
    }
    let checked = deny(&["check"])?;
    let report = String::from_utf8_lossy(&checked.stderr).into_owned();
    Ok((!checked.status.success()).then(|| format!("cargo deny check: {report}")))
}

fn violations(policy: &Policy, metadata: &Metadata) -> Vec<String> {
    metadata.packages.iter().flat_map(|package| package.violations(policy)).collect()
}

impl Package {
    fn violations(&self, policy: &Policy) -> Vec<String> {
        let found = [self.licence(policy), self.ban(policy), self.origin(policy)];
        let mut found: Vec<String> = found.into_iter().flatten().collect();
        found.extend(self.wildcards(policy));
        found.into_iter().map(|why| format!("{} {}: {why}", self.name, self.version)).collect()
    }

    fn licence(&self, policy: &Policy) -> Option<String> {
        let Some(written) = &self.license else {
            return Some("has no licence expression".to_owned());
        };
        let allowed = |name: &str| policy.licenses.allow.iter().any(|it| it == name);
        (!licence::is_allowed(written, &allowed))
            .then(|| format!("the licence `{written}` is not allowed by {POLICY}"))
    }

    fn ban(&self, policy: &Policy) -> Option<String> {
        let banned = policy.bans.deny.iter().find(|banned| banned.name == self.name)?;
        Some(format!("is banned by {POLICY}: {}", banned.reason))
    }

    fn origin(&self, policy: &Policy) -> Option<String> {
        let source = self.source.as_deref().filter(|source| *source != CRATES_IO)?;
        let level = match source.starts_with("git+") {
            true => policy.sources.unknown_git,
            false => policy.sources.unknown_registry,
        };
        (level == Level::Deny).then(|| format!("the source {source} is not allowed by {POLICY}"))
    }

    /// Only the manifests of this workspace are checked.
    fn wildcards(&self, policy: &Policy) -> Vec<String> {
        let Bans { wildcards, allow_wildcard_paths, .. } = policy.bans;
        if self.source.is_some() || wildcards != Level::Deny {
            return Vec::new();
        }
        let is_wild =
            |it: &&Dependency| it.req == "*" && !(allow_wildcard_paths && it.path.is_some());
        let wild = self.dependencies.iter().filter(is_wild);
        wild.map(|it| format!("takes any version of {}; name one", it.name)).collect()
    }
}

#[cfg(test)]
#[path = "dependencies_tests.rs"]
mod tests;
