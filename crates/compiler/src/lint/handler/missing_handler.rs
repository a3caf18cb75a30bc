//! A tool without code.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::Source;
use crate::suggest;

rule! {
    /// The directory has no handler.
    ///
    /// ## Why
    /// A tool that is declared to a model but has no code can only fail. The handler is found by
    /// its name, so a file with another name is not found.
    ///
    /// ## Example
    /// `tools/kb-search/` with `schema.json`, `guide.md` and `index.js`.
    ///
    /// ## Fix
    /// Write `handler.js` or `handler.ts` (or `handler.py` with `"runtime": "python"`, or `handler.rs`):
    /// ```js
    /// export async function execute({ args, context }) {
    ///   return { ok: true, data: {} };
    /// }
    /// ```
    MISSING_HANDLER, "AIL-H001", "missing-handler", Error
}

const ENDINGS: &[&str] = &["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "rs", "py"];
const STEMS: &[&str] = &["handler", "index", "main", "tool", "execute"];

pub(crate) fn diagnose(folder: &Arc<Source>, files: &BTreeSet<String>) -> Diagnostic {
    let message = "directory has no handler: expected `handler.js`, `handler.ts`, `handler.py` or `handler.rs`, found none";
    let help = files.iter().find_map(|name| rename(name));
    Diagnostic::new(&MISSING_HANDLER, folder, message)
        .help(help.unwrap_or_else(|| "write one that exports a function `execute`".to_owned()))
}

/// The correct name of a file that is probably the handler.
fn rename(name: &str) -> Option<String> {
    let (stem, ending) = name.rsplit_once('.')?;
    let ending = ENDINGS.iter().find(|known| ending.eq_ignore_ascii_case(known))?;
    suggest::closest(stem, STEMS.iter().copied())?;
    Some(match *ending {
        "rs" => format!("rename `{name}` to `handler.rs`"),
        "ts" | "mts" | "cts" | "tsx" => format!("rename `{name}` to `handler.ts`"),
        "py" => format!(
            "rename `{name}` to `handler.py` and add `\"runtime\": \"python\"` to `schema.json`"
        ),
        _ => format!("rename `{name}` to `handler.js`"),
    })
}
