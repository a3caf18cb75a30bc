//! The tokens of a module, by their place.

use oxc_parser::{Kind, Token};

/// All tokens in order.
#[derive(Clone, Copy)]
pub(super) struct Tokens<'t>(&'t [Token]);

impl<'t> Tokens<'t> {
    pub(super) fn new(tokens: &'t [Token]) -> Self {
        Self(tokens)
    }

    /// The first token that starts at or after a place.
    pub(super) fn from(self, place: u32) -> Option<Token> {
        self.after(place).first().copied()
    }

    /// The last token that ends at or before a place.
    pub(super) fn before(self, place: u32) -> Option<Token> {
        let count = self.0.partition_point(|token| token.end() <= place);
        self.0.get(count.checked_sub(1)?).copied()
    }

    /// The tokens that start between two places.
    pub(super) fn between(self, start: u32, end: u32) -> impl Iterator<Item = Token> {
        self.after(start).iter().copied().take_while(move |token| token.start() < end)
    }

    /// The first token at or after a place, if it is of that kind.
    pub(super) fn expect(self, place: u32, kind: Kind) -> Option<Token> {
        self.from(place).filter(|token| token.kind() == kind)
    }

    /// Those that are kept when the given ranges, sorted, are blanked.
    pub(super) fn outside(self, blanks: &[(u32, u32)]) -> Vec<Token> {
        let mut blanks = blanks.iter().peekable();
        let kept = self.0.iter().filter(|token| {
            while blanks.next_if(|(_, end)| *end <= token.start()).is_some() {}
            blanks.peek().is_none_or(|(start, _)| token.start() < *start)
        });
        kept.copied().collect()
    }

    fn after(self, place: u32) -> &'t [Token] {
        let count = self.0.partition_point(|token| token.start() < place);
        self.0.get(count..).unwrap_or_default()
    }
}
