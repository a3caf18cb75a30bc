//! The bindings of a pattern: `{ args, context: { kb }, ...rest }`.

use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};

/// The parts of a pattern through which the context can flow.
#[derive(Debug)]
pub(super) enum PatternShape<'a> {
    Name(&'a str),
    Object(Vec<PatternEntry<'a>>),
    /// An array, or something that is not followed.
    Other,
}

/// One entry of an object pattern.
#[derive(Debug)]
pub(super) enum PatternEntry<'a> {
    Key { name: &'a str, place: Span, value: PatternShape<'a> },
    Computed,
    Rest(PatternShape<'a>),
}

impl<'a> PatternShape<'a> {
    pub(super) fn of(pattern: &BindingPattern<'a>) -> Self {
        match pattern {
            BindingPattern::BindingIdentifier(it) => Self::Name(it.name.as_str()),
            BindingPattern::AssignmentPattern(it) => Self::of(&it.left),
            BindingPattern::ArrayPattern(_) => Self::Other,
            BindingPattern::ObjectPattern(it) => {
                let mut entries: Vec<_> = it
                    .properties
                    .iter()
                    .map(|property| {
                        PatternEntry::new(&property.key, property.computed, || {
                            Self::of(&property.value)
                        })
                    })
                    .collect();
                entries.extend(it.rest.iter().map(|it| PatternEntry::Rest(Self::of(&it.argument))));
                Self::Object(entries)
            }
        }
    }

    pub(super) fn of_target(target: &AssignmentTarget<'a>) -> Self {
        match target {
            AssignmentTarget::AssignmentTargetIdentifier(it) => Self::Name(it.name.as_str()),
            AssignmentTarget::ObjectAssignmentTarget(it) => {
                let mut entries: Vec<_> =
                    it.properties.iter().map(PatternEntry::of_target).collect();
                let rest = it.rest.iter().map(|it| PatternEntry::Rest(Self::of_target(&it.target)));
                entries.extend(rest);
                Self::Object(entries)
            }
            _ => Self::Other,
        }
    }

    fn of_default(target: &AssignmentTargetMaybeDefault<'a>) -> Self {
        match target {
            AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(it) => {
                Self::of_target(&it.binding)
            }
            other => other.as_assignment_target().map_or(Self::Other, Self::of_target),
        }
    }
}

impl<'a> PatternEntry<'a> {
    fn new(
        key: &PropertyKey<'a>,
        computed: bool,
        value: impl FnOnce() -> PatternShape<'a>,
    ) -> Self {
        let name = match key {
            PropertyKey::StaticIdentifier(it) => Some(it.name.as_str()),
            PropertyKey::StringLiteral(it) => Some(it.value.as_str()),
            _ if computed => None,
            _ => Some(""),
        };
        match name {
            Some(name) => Self::Key { name, place: key.span(), value: value() },
            None => Self::Computed,
        }
    }

    fn of_target(property: &AssignmentTargetProperty<'a>) -> Self {
        match property {
            AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(it) => {
                let name = it.binding.name.as_str();
                Self::Key { name, place: it.binding.span, value: PatternShape::Name(name) }
            }
            AssignmentTargetProperty::AssignmentTargetPropertyProperty(it) => {
                Self::new(&it.name, it.computed, || PatternShape::of_default(&it.binding))
            }
        }
    }
}
