//! A set of texts known beforehand, such as the names of properties.
//!
//! Names are short and in the CPU cache, because the parser has just written them: comparing two
//! integers made from them is several times as fast as comparing their bytes.

/// Texts, and the position of each in the given order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Keys(Vec<PropertyKey>);

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct PropertyKey {
    head: Head,
    text: Box<str>,
    place: usize,
}

/// The length of a text, its first bytes and its last: all of it, up to `HEAD` bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Head(usize, u64, u64);

const HEAD: usize = 16;

/// Maximum number of keys for a linear search.
const FEW: usize = 16;

impl Keys {
    pub(crate) fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let key = |(place, text): (usize, &str)| PropertyKey {
            head: head(text),
            text: text.into(),
            place,
        };
        let mut keys: Vec<_> = texts.into_iter().enumerate().map(key).collect();
        keys.sort();
        Self(keys)
    }

    /// The place of a text among those given.
    #[inline]
    pub(crate) fn find(&self, text: &str) -> Option<usize> {
        let head = head(text);
        let Self(keys) = self;
        let found = if keys.len() <= FEW {
            keys.iter().find(|key| key.head == head && (text.len() <= HEAD || *key.text == *text))
        } else {
            let compare =
                |key: &PropertyKey| key.head.cmp(&head).then_with(|| (*key.text).cmp(text));
            keys.binary_search_by(compare).ok().and_then(|at| keys.get(at))
        };
        found.map(|key| key.place)
    }
}

#[inline]
fn head(text: &str) -> Head {
    let bytes = text.as_bytes();
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => {
            Head(bytes.len(), u64::from_le_bytes(*first), u64::from_le_bytes(*last))
        }
        _ => short_head(bytes),
    }
}

#[inline]
fn short_head(bytes: &[u8]) -> Head {
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => {
            Head(bytes.len(), u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into())
        }
        _ => {
            let all = bytes.iter().fold(0, |all, byte| all << 8 | u64::from(*byte));
            Head(bytes.len(), all, 0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_at_its_place_and_no_other_is() {
        let (long, other) = ("prefix00middlesuffix00", "prefix00muddlesuffix00");
        let texts = ["query", "", "a", "top_k", "namespace", "include_snippets", long, "é", "\0"];
        check(&texts, &Keys::of(texts), other);
        let more: Vec<String> = (0..2 * FEW).map(|number| format!("more_{number}")).collect();
        check(&texts, &Keys::of(texts.into_iter().chain(more.iter().map(String::as_str))), other);
    }

    #[track_caller]
    fn check(texts: &[&str], keys: &Keys, other: &str) {
        for (place, text) in texts.iter().enumerate() {
            assert_eq!(keys.find(text), Some(place), "{text:?}");
        }
        for text in ["quer", "query ", "b", "\0\0", other, "namespacE", "include_snippet"] {
            assert_eq!(keys.find(text), None, "{text:?}");
        }
    }
}
