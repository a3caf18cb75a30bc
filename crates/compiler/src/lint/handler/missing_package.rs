//! A package that no manifest names.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::{Source, Span};

rule! {
    /// A Node or Python handler imports a package that its manifest does not name, or has no manifest.
    ///
    /// ## Why
    /// The packages of a handler are not in the registry, only the path of its manifest and the hash of
    /// the lock file. A package that no manifest names may be installed here by chance, and is missing on
    /// the next machine. The manifest of a Node handler is the nearest `package.json`, of a Python handler
    /// the nearest `requirements.txt` or `pyproject.toml`: in the tool's directory, in the tools folder, or
    /// above it up to the folder of `aileron.toml` or of the git repository.
    ///
    /// ## Example
    /// ```js
    /// import Stripe from 'stripe';
    /// ```
    /// without `stripe` among the `dependencies` of `package.json`.
    ///
    /// ## Fix
    /// `npm install stripe` in the folder of `package.json`; in Python add a line to `requirements.txt`
    /// and run `python3 -m pip install -r requirements.txt`.
    MISSING_PACKAGE, "AIL-H018", "missing-package", Error
}

/// A Node package; `manifest` is the displayed path of the `package.json` that was read, if any.
pub(crate) fn node(
    source: &Arc<Source>,
    package: &str,
    manifest: Option<&str>,
    place: Span,
) -> Diagnostic {
    let message = match manifest {
        Some(manifest) => format!(
            "expected package `{package}` among the dependencies of `{manifest}`, found none of that name"
        ),
        None => format!(
            "expected a `package.json` that names package `{package}`, found none in the tool's directory or above it in the project"
        ),
    };
    let help = match manifest.and_then(|manifest| manifest.rsplit_once('/')) {
        Some((folder, _)) => format!("run `npm install {package}` in `{folder}`"),
        None if manifest.is_some() => format!("run `npm install {package}`"),
        None => format!(
            "run `npm init -y && npm install {package}` in the folder of your project, which holds the tools folder"
        ),
    };
    Diagnostic::new(&MISSING_PACKAGE, source, message).at(place).help(help)
}

/// A Python package without any manifest.
pub(crate) fn python(source: &Arc<Source>, package: &str, place: Span) -> Diagnostic {
    let message = format!(
        "expected `requirements.txt` or `pyproject.toml` for package `{package}`, found neither in the tool's directory nor above it in the project"
    );
    let help = "write the package's name into `requirements.txt` and run `python3 -m pip install -r requirements.txt`";
    Diagnostic::new(&MISSING_PACKAGE, source, message).at(place).help(help)
}

/// A `package.json` that is not a JSON object.
pub(crate) fn bad_manifest(source: &Arc<Source>, why: &str) -> Diagnostic {
    let message = format!("expected the manifest of the packages in JSON, found {why}");
    Diagnostic::new(&MISSING_PACKAGE, source, message).help("correct it; `npm pkg fix` may help")
}
