//! `context?.kb['search']`: a name and the keys that follow it.

use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};

/// A name followed by keys.
#[derive(Debug)]
pub(super) struct Chain<'a> {
    pub(super) name: &'a str,
    /// Where the name begins.
    pub(super) start: u32,
    pub(super) keys: Vec<ChainKey<'a>>,
}

/// One key of a chain.
#[derive(Debug)]
pub(super) struct ChainKey<'a> {
    /// Absent when it is computed.
    pub(super) name: Option<&'a str>,
    /// Where the access ends.
    pub(super) end: u32,
}

/// The root of a chain of member accesses.
pub(super) enum ChainRoot<'e, 'a> {
    Name(&'e IdentifierReference<'a>),
    Expression(&'e Expression<'a>),
    Call(&'e CallExpression<'a>),
}

/// The parts of a chain.
pub(super) struct ChainParts<'e, 'a> {
    pub(super) bottom: ChainRoot<'e, 'a>,
    pub(super) keys: Vec<ChainKey<'a>>,
    /// The expressions of computed keys.
    pub(super) computed: Vec<&'e Expression<'a>>,
}

impl<'e, 'a> ChainParts<'e, 'a> {
    /// Takes an expression apart.
    pub(super) fn of(expression: &'e Expression<'a>) -> Self {
        let mut keys = Vec::new();
        let mut computed = Vec::new();
        let bottom = descend(expression, &mut keys, &mut computed);
        keys.reverse();
        Self { bottom, keys, computed }
    }

    /// Takes a member access apart.
    pub(super) fn of_member(member: &'e MemberExpression<'a>) -> Self {
        let mut keys = Vec::new();
        let mut computed = Vec::new();
        let object = step(member, &mut keys, &mut computed);
        let bottom = descend(object, &mut keys, &mut computed);
        keys.reverse();
        Self { bottom, keys, computed }
    }

    /// The chain, if its root is a name.
    pub(super) fn chain(self) -> Option<Chain<'a>> {
        let ChainRoot::Name(name) = self.bottom else { return None };
        Some(Chain { name: name.name.as_str(), start: name.span.start, keys: self.keys })
    }
}

fn step<'e, 'a>(
    member: &'e MemberExpression<'a>,
    keys: &mut Vec<ChainKey<'a>>,
    computed: &mut Vec<&'e Expression<'a>>,
) -> &'e Expression<'a> {
    let name = member.static_property_name();
    if let MemberExpression::ComputedMemberExpression(it) = member {
        computed.push(&it.expression);
    }
    keys.push(ChainKey { name, end: member.span().end });
    member.object()
}

fn descend<'e, 'a>(
    expression: &'e Expression<'a>,
    keys: &mut Vec<ChainKey<'a>>,
    computed: &mut Vec<&'e Expression<'a>>,
) -> ChainRoot<'e, 'a> {
    let mut expression = expression;
    loop {
        let member = match expression {
            Expression::Identifier(it) => return ChainRoot::Name(it),
            Expression::ParenthesizedExpression(it) => {
                expression = &it.expression;
                continue;
            }
            Expression::ChainExpression(it) => match &it.expression {
                ChainElement::CallExpression(it) => return ChainRoot::Call(it),
                other => other.as_member_expression(),
            },
            other => other.as_member_expression(),
        };
        let Some(member) = member else { return ChainRoot::Expression(expression) };
        expression = step(member, keys, computed);
    }
}

/// The span of a chain up to one of its keys.
pub(super) fn span(chain: &Chain<'_>, key: &ChainKey<'_>) -> Span {
    Span::new(chain.start, key.end)
}
