//! The files in the program. The build script writes their table.

use std::borrow::Cow;

use crate::{CacheRule, PageFile, content_type};

struct BuiltInFile {
    path: &'static str,
    fingerprint: &'static str,
    identity: &'static [u8],
    brotli: Option<&'static [u8]>,
    gzip: Option<&'static [u8]>,
}

include!(concat!(env!("OUT_DIR"), "/files.rs"));

pub(crate) fn version() -> &'static str {
    VERSION
}

/// The table is sorted by path.
pub(crate) fn find(path: &str) -> Option<PageFile> {
    let at = FILES.binary_search_by_key(&path, |file| file.path).ok()?;
    let file = FILES.get(at)?;
    Some(PageFile {
        content_type: content_type::of(path),
        fingerprint: Cow::Borrowed(file.fingerprint),
        cache: CacheRule::of(path),
        identity: Cow::Borrowed(file.identity),
        brotli: file.brotli,
        gzip: file.gzip,
    })
}

#[cfg(test)]
#[path = "built_in_tests.rs"]
mod tests;
