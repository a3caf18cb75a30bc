//! How much stack parsing Rust may need, from its tokens.
//!
//! Rust can be tokenised without parsing, so brackets are certain. Within a pair of brackets,
//! everything up to a semicolon counts as nested.

use proc_macro2::{TokenStream, TokenTree, token_stream};

/// Bytes of stack for one token; the measured maximum is 4,800.
const TOKEN: usize = 8 << 10;
/// For one pair of brackets; the measured maximum is 7,200.
const GROUP: usize = 12 << 10;
/// For everything that does not depend on the text.
const BASE: usize = 1 << 20;
/// Maximum reserved stack.
const MOST: usize = 1 << 30;

/// The stack that parsing these tokens may need; `None` when it is too much.
pub(super) fn need(tokens: TokenStream) -> Option<usize> {
    let mut levels = vec![Level::new(tokens)];
    let mut deepest = 0;
    while let Some(level) = levels.last_mut() {
        match level.tokens.next() {
            Some(TokenTree::Group(group)) => {
                level.bytes += GROUP;
                levels.push(Level::new(group.stream()));
            }
            Some(TokenTree::Punct(punct)) if punct.as_char() == ';' => level.bytes = 0,
            Some(_) => level.bytes += TOKEN,
            None => {
                let inner = level.deepest.max(level.bytes);
                levels.pop();
                match levels.last_mut() {
                    Some(outer) => outer.deepest = outer.deepest.max(outer.bytes + inner),
                    None => deepest = inner,
                }
            }
        }
        if levels.last().is_some_and(|level| level.bytes > MOST) {
            return None;
        }
    }
    Some(deepest + BASE).filter(|bytes| *bytes <= MOST)
}

/// The tokens inside of one pair of brackets.
struct Level {
    tokens: token_stream::IntoIter,
    /// For the tokens since the last semicolon.
    bytes: usize,
    /// The maximum so far.
    deepest: usize,
}

impl Level {
    fn new(tokens: TokenStream) -> Self {
        Self { tokens: tokens.into_iter(), bytes: 0, deepest: 0 }
    }
}
