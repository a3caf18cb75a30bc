//! A directory whose name is no tool name.

use aileron_contract::ToolId;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::Source;
use crate::tree::SourceTree;

rule! {
    /// The directory's name is not a valid tool name.
    ///
    /// ## Why
    /// The directory's name is the tool id with dashes: `kb-search` holds `kb_search`. The id
    /// travels to every provider, and the strictest accepts 64 characters of letters, digits,
    /// `_` and `-`. One spelling for one tool keeps file systems that fold case from
    /// mixing two of them up.
    ///
    /// ## Example
    /// `tools/KB_Search/`, `tools/search the kb/`, `tools/2fa/`
    ///
    /// ## Fix
    /// Rename it: lower-case letters, digits and dashes, a letter first, at most 64 characters.
    /// A directory that is no tool starts with `_` or `.`.
    BAD_DIRECTORY_NAME, "AIL-F007", "bad-directory-name", Error
}

pub(crate) fn check(tree: &dyn SourceTree, name: &str, found: &mut Vec<Diagnostic>) {
    if ToolId::from_directory(name).is_ok() {
        return;
    }
    let folder = Source::new(tree.display(name), "");
    let message = format!(
        "directory {name:?} is not a valid tool name: expected lower-case letters, digits and dashes, a letter first, at most 64 characters"
    );
    found.push(Diagnostic::new(&BAD_DIRECTORY_NAME, &folder, message).help(help(name)));
}

fn help(name: &str) -> String {
    let folded: String = name
        .to_lowercase()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let candidate = folded.trim_matches(|c: char| c == '-' || c.is_ascii_digit());
    let candidate: String = candidate.chars().take(64).collect();
    match ToolId::from_directory(&candidate) {
        Ok(id) => format!(
            "rename it to `{}`, or start its name with `_` if it is no tool",
            id.directory()
        ),
        Err(_) => "rename it, or start its name with `_` if it is no tool".to_owned(),
    }
}
