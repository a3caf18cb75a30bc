//! Keeps two statements apart whose separator was a type.
//!
//! ```ts
//! const a = b as T
//! (c)
//! ```
//! would become the call `b(c)`, so a semicolon takes the place of the `as`.

use oxc_parser::{Kind, Token};

use super::blank::{BlankRange, Edits, Guard};
use super::tokens::Tokens;

/// Inserts a semicolon wherever blanking would join separate code.
pub(super) fn guard(mut edits: Edits, tokens: Tokens<'_>) -> Edits {
    let kept = tokens.outside(&edits.ranges());
    let mut guarded: Vec<_> =
        edits.blanks.iter().filter(|blank| blank.guard != Guard::None).copied().collect();
    guarded.sort_unstable_by_key(|blank| blank.start);
    let mut last = None;
    for blank in guarded {
        let at = kept.partition_point(|token| token.start() < blank.end);
        let before = kept
            .partition_point(|token| token.end() <= blank.start)
            .checked_sub(1)
            .and_then(|index| kept.get(index));
        if last != Some(at) && kept.get(at).is_some_and(|next| joins(blank, before, next)) {
            edits.puts.insert(blank.start, ';');
            last = Some(at);
        }
    }
    edits
}

/// Whether the tokens before and after a blank would be parsed together.
fn joins(blank: BlankRange, before: Option<&Token>, next: &Token) -> bool {
    let separate =
        before.is_none_or(|token| matches!(token.kind(), Kind::Semicolon | Kind::LCurly));
    match blank.guard {
        Guard::None => false,
        Guard::Statement => !separate && continues_statement(next.kind()),
        Guard::Member => !separate && continues_field(next.kind()),
        Guard::Expression => continues_expression(next.kind()),
        Guard::FieldName => !matches!(next.kind(), Kind::Semicolon | Kind::RCurly | Kind::Eq),
    }
}

/// Tokens that can begin a statement and also continue the one before.
fn continues_statement(kind: Kind) -> bool {
    continues_expression(kind)
        || matches!(kind, Kind::Plus | Kind::Minus | Kind::Slash | Kind::SlashEq | Kind::RegExp)
}

/// Tokens that can begin a class member and also continue a field's value.
fn continues_field(kind: Kind) -> bool {
    matches!(kind, Kind::LBrack | Kind::Star | Kind::In | Kind::Instanceof)
}

/// Tokens that begin a new statement after an assertion, but without it would be a call, an index
/// or a tag.
fn continues_expression(kind: Kind) -> bool {
    matches!(kind, Kind::LParen | Kind::LBrack | Kind::NoSubstitutionTemplate | Kind::TemplateHead)
}
