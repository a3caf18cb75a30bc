//! Erases the types in a class.

use oxc_ast::ast::*;
use oxc_parser::Kind;
use oxc_span::{GetSpan, Span};

use super::blank::Guard;
use super::erase::Eraser;

/// Modifiers of members that concern only types.
const MODIFIERS: &[Kind] = &[
    Kind::Public,
    Kind::Private,
    Kind::Protected,
    Kind::Readonly,
    Kind::Override,
    Kind::Abstract,
    Kind::Declare,
];

/// Names that, alone before another member, would read as its modifier.
const KEYWORD_NAMES: &[&str] = &["get", "set", "static", "async", "accessor"];

impl Eraser<'_> {
    /// Erases the modifiers and type clauses of the class.
    pub(super) fn class(&mut self, it: &Class<'_>) {
        if !it.r#abstract {
            return;
        }
        let start = it.decorators.last().map_or(it.span.start, |last| last.span.end);
        let keyword =
            self.tokens.between(start, it.body.span.start).find(|t| t.kind() == Kind::Class);
        let before = keyword.and_then(|keyword| self.tokens.before(keyword.start()));
        if let Some(word) = before.filter(|word| word.kind() == Kind::Abstract) {
            self.blank_span(word.span());
        }
    }

    pub(super) fn implements(&mut self, it: &[TSClassImplements<'_>]) {
        let (Some(first), Some(last)) = (it.first(), it.last()) else { return };
        let word = self.tokens.before(first.span.start);
        let start = word.map_or(first.span.start, |word| word.start());
        self.blank(start, last.span.end, Guard::None);
    }

    /// Whether a method remains to be visited.
    pub(super) fn method(&mut self, it: &MethodDefinition<'_>) -> bool {
        if it.value.body.is_none() {
            self.remove_member(it.span);
            return false;
        }
        self.modifiers(it.span, it.decorators.last(), it.key.span());
        if it.optional {
            self.blank_token(self.after_key(&it.key, it.computed), Kind::Question);
        }
        true
    }

    /// Whether a field remains to be visited.
    pub(super) fn field(&mut self, it: &PropertyDefinition<'_>) -> bool {
        if it.declare || it.r#type == PropertyDefinitionType::TSAbstractPropertyDefinition {
            self.remove_member(it.span);
            return false;
        }
        self.modifiers(it.span, it.decorators.last(), it.key.span());
        let after = self.after_key(&it.key, it.computed);
        self.blank_token(after, Kind::Question);
        self.blank_token(after, Kind::Bang);
        let end = it.type_annotation.as_ref().map_or(after, |annotation| annotation.span.end);
        let name = it.key.static_name().filter(|_| !it.computed && it.value.is_none());
        if name.is_some_and(|name| KEYWORD_NAMES.contains(&&*name)) && end > after {
            self.blank(after, end, Guard::FieldName);
        }
        true
    }

    /// Whether an accessor remains to be visited.
    pub(super) fn accessor(&mut self, it: &AccessorProperty<'_>) -> bool {
        if it.r#type == AccessorPropertyType::TSAbstractAccessorProperty {
            self.remove_member(it.span);
            return false;
        }
        self.modifiers(it.span, it.decorators.last(), it.key.span());
        self.blank_token(self.after_key(&it.key, it.computed), Kind::Bang);
        true
    }

    fn remove_member(&mut self, span: Span) {
        self.blank(span.start, span.end, Guard::Member);
    }

    /// Blanks the modifiers between the start of a member and its name. Only those in front of kept
    /// text are at the beginning of the member.
    fn modifiers(&mut self, member: Span, decorator: Option<&Decorator<'_>>, key: Span) {
        let start = decorator.map_or(member.start, |last| last.span.end);
        let mut guard = Guard::Member;
        for word in self.tokens.between(start, key.start) {
            if MODIFIERS.contains(&word.kind()) {
                self.blank(word.start(), word.end(), guard);
            } else {
                guard = Guard::None;
            }
        }
    }

    /// The place right after a member's name, its bracket included.
    fn after_key(&self, key: &PropertyKey<'_>, computed: bool) -> u32 {
        let end = key.span().end;
        let bracket = self.tokens.expect(end, Kind::RBrack).filter(|_| computed);
        bracket.map_or(end, |bracket| bracket.end())
    }
}
