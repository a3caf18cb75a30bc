//! Finds messages that announce a block or a voice session, and the intents that a module names.
//!
//! An object `{ type: 'timeout', ... }` counts as a message wherever it is written, because handlers
//! build messages in variables and functions. An intent counts as returned if its name is anywhere in
//! the handler's modules: the rule reports handlers that cannot return it.

use std::collections::BTreeSet;

use aileron_contract::intent::announced_intent;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::Span;

use super::survey::literal;
use crate::handler::complaint::range;
use crate::handler::typescript::Offsets;
use crate::source;

/// The messages of a module, and what it names.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    pub(super) sent: Vec<Announcement>,
    /// The intents whose names the module has.
    pub(super) intents: BTreeSet<String>,
    /// Whether the module sends messages to the person.
    pub(super) sends: bool,
    /// Where an intent can be added to a result, in order of the text.
    pub(super) room: Vec<ResultRoom>,
}

/// A message that announces an intent.
#[derive(Debug)]
pub(super) struct Announcement {
    pub(super) kind: String,
    pub(super) intent: &'static str,
    /// The variable with the end of the block.
    pub(super) until: Option<String>,
    pub(super) place: source::Span,
}

/// A place in a result for an intent.
#[derive(Debug)]
pub(super) struct ResultRoom {
    pub(super) place: source::Span,
    pub(super) room: Room,
    /// Where the result ends.
    pub(super) end: usize,
}

/// How an intent is added at a place.
#[derive(Debug, Clone, Copy)]
pub(super) enum Room {
    /// After `intents: [`.
    List,
    /// After `ok: true` of a result without intents.
    Result,
}

/// The intents that a message can announce.
const ANNOUNCED: [&str; 3] = ["BLOCK_USER", "START_VOICE_SESSION", "END_VOICE_SESSION"];

/// Names of the end of a block.
const UNTIL: [&str; 4] = ["timeoutUntil", "until", "blockedUntil", "expiresAt"];

/// The messages of a module. Places refer to its source.
pub(super) fn find(program: &Program<'_>, offsets: &Offsets) -> Messages {
    let mut finder = Finder { messages: Messages::default(), offsets };
    finder.visit_program(program);
    finder.messages
}

struct Finder<'o> {
    messages: Messages,
    offsets: &'o Offsets,
}

impl Finder<'_> {
    fn place(&self, span: Span) -> source::Span {
        self.offsets.original(range(span))
    }

    fn point(&self, at: u32) -> source::Span {
        self.place(Span::new(at, at))
    }

    fn name_intent(&mut self, name: &str) {
        if ANNOUNCED.contains(&name) {
            self.messages.intents.insert(name.to_owned());
        }
    }

    fn message(&mut self, object: &ObjectExpression<'_>) {
        let text = |name| property(object, name).and_then(|it| literal(&it.value));
        let kind = text("type").map(|kind| (kind, true));
        let action = text("action").map(|kind| (kind, false));
        let announced = kind.into_iter().chain(action).find_map(|(kind, is_type)| {
            let intent = announced_intent(kind).filter(|intent| *intent != kind)?;
            (is_type || intent != "BLOCK_USER").then_some((kind, intent))
        });
        let Some((kind, intent)) = announced else { return };
        let until = UNTIL.iter().find_map(|name| match &property(object, name)?.value {
            Expression::Identifier(it) => Some(it.name.to_string()),
            _ => None,
        });
        let place = self.place(object.span);
        self.messages.sent.push(Announcement { kind: kind.to_owned(), intent, until, place });
    }

    /// Where a result takes intents.
    fn result(&mut self, object: &ObjectExpression<'_>) {
        let Some(ok) = property(object, "ok") else { return };
        let is_success = matches!(&ok.value, Expression::BooleanLiteral(it) if it.value);
        let (at, room) = match property(object, "intents").map(|it| &it.value) {
            Some(Expression::ArrayExpression(list)) if is_success => {
                (list.span.start + 1, Room::List)
            }
            None if is_success => (ok.span.end, Room::Result),
            _ => return,
        };
        let (place, end) = (self.point(at), self.point(object.span.end).end);
        self.messages.room.push(ResultRoom { place, room, end });
    }
}

/// The property of that name.
fn property<'e, 'a>(
    object: &'e ObjectExpression<'a>,
    name: &str,
) -> Option<&'e ObjectProperty<'a>> {
    object.properties.iter().find_map(|property| match property {
        ObjectPropertyKind::ObjectProperty(it) => {
            it.key.static_name().is_some_and(|key| key == name).then_some(&**it)
        }
        ObjectPropertyKind::SpreadProperty(_) => None,
    })
}

/// Whether an expression is `messaging` or ends with `.messaging`.
fn is_messaging(expression: &Expression<'_>) -> bool {
    match expression.without_parentheses() {
        Expression::Identifier(it) => it.name == "messaging",
        other => other
            .as_member_expression()
            .and_then(MemberExpression::static_property_name)
            .is_some_and(|name| name == "messaging"),
    }
}

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_object_expression(&mut self, it: &ObjectExpression<'a>) {
        self.message(it);
        self.result(it);
        walk::walk_object_expression(self, it);
    }

    fn visit_string_literal(&mut self, it: &StringLiteral<'a>) {
        self.name_intent(it.value.as_str());
    }

    fn visit_static_member_expression(&mut self, it: &StaticMemberExpression<'a>) {
        let name = it.property.name.as_str();
        self.name_intent(name);
        self.messages.sends |= name == "send" && is_messaging(&it.object);
        if name == "endSession" {
            self.messages.intents.insert("END_VOICE_SESSION".to_owned());
        }
        walk::walk_static_member_expression(self, it);
    }

    fn visit_template_literal(&mut self, it: &TemplateLiteral<'a>) {
        if let Some(text) = it.single_quasi() {
            self.name_intent(text.as_str());
        }
        walk::walk_template_literal(self, it);
    }
}
