//! Every keyword of JSON Schema 2020-12: what it applies to and what its value must be.

use super::types::Types;

/// A keyword of the dialect.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Keyword {
    pub(crate) name: &'static str,
    /// The types of value it says something about.
    pub(crate) on: Types,
    pub(crate) shape: Shape,
    /// The keyword without which it says nothing.
    pub(crate) needs: Option<&'static str>,
}

/// What the value of a keyword must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A schema for a part of the value.
    Schema,
    /// A schema for the value itself.
    SchemaInPlace,
    /// A list of schemas for parts of the value.
    Schemas,
    /// A list of schemas for the value itself.
    SchemasInPlace,
    /// Schemas by name, for parts of the value.
    SchemaMap,
    /// Schemas by name, for the value itself.
    SchemaMapInPlace,
    /// Schemas by regular expression.
    PatternMap,
    Reference,
    Identifier,
    Anchor,
    Vocabularies,
    Text,
    Pattern,
    Flag,
    Any,
    List,
    Type,
    Enum,
    Number,
    Positive,
    Count,
    Names,
    NameMap,
}

/// How the schemas of a keyword are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Container {
    One,
    List,
    Map,
}

impl Shape {
    /// How it holds schemas, if it does.
    pub(crate) const fn container(self) -> Option<Container> {
        match self {
            Self::Schema | Self::SchemaInPlace => Some(Container::One),
            Self::Schemas | Self::SchemasInPlace => Some(Container::List),
            Self::SchemaMap | Self::SchemaMapInPlace | Self::PatternMap => Some(Container::Map),
            _ => None,
        }
    }

    /// Whether its schemas are about the value itself, not about a part of it.
    pub(crate) const fn is_in_place(self) -> bool {
        matches!(self, Self::SchemaInPlace | Self::SchemasInPlace | Self::SchemaMapInPlace)
    }
}

/// The keyword of that name.
pub(crate) fn find(name: &str) -> Option<&'static Keyword> {
    KEYWORDS.binary_search_by(|keyword| keyword.name.cmp(name)).ok().map(|at| &KEYWORDS[at])
}

/// Every keyword's name, for suggestions.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    KEYWORDS.iter().map(|keyword| keyword.name)
}

const fn plain(name: &'static str, shape: Shape) -> Keyword {
    on(Types::ANY, name, shape)
}

const fn on(on: Types, name: &'static str, shape: Shape) -> Keyword {
    Keyword { name, on, shape, needs: None }
}

const fn beside(needs: &'static str, keyword: Keyword) -> Keyword {
    Keyword { needs: Some(needs), ..keyword }
}

/// Sorted by name.
#[rustfmt::skip]
pub(crate) const KEYWORDS: &[Keyword] = &[
    plain("$anchor", Shape::Anchor),
    plain("$comment", Shape::Text),
    plain("$defs", Shape::SchemaMap),
    plain("$dynamicAnchor", Shape::Anchor),
    plain("$dynamicRef", Shape::Reference),
    plain("$id", Shape::Identifier),
    plain("$ref", Shape::Reference),
    plain("$schema", Shape::Text),
    plain("$vocabulary", Shape::Vocabularies),
    on(Types::OBJECT, "additionalProperties", Shape::Schema),
    plain("allOf", Shape::SchemasInPlace),
    plain("anyOf", Shape::SchemasInPlace),
    plain("const", Shape::Any),
    on(Types::ARRAY, "contains", Shape::Schema),
    on(Types::STRING, "contentEncoding", Shape::Text),
    on(Types::STRING, "contentMediaType", Shape::Text),
    beside("contentMediaType", on(Types::STRING, "contentSchema", Shape::Schema)),
    plain("default", Shape::Any),
    on(Types::OBJECT, "dependentRequired", Shape::NameMap),
    on(Types::OBJECT, "dependentSchemas", Shape::SchemaMapInPlace),
    plain("deprecated", Shape::Flag),
    plain("description", Shape::Text),
    beside("if", plain("else", Shape::SchemaInPlace)),
    plain("enum", Shape::Enum),
    plain("examples", Shape::List),
    on(Types::NUMBER, "exclusiveMaximum", Shape::Number),
    on(Types::NUMBER, "exclusiveMinimum", Shape::Number),
    plain("format", Shape::Text),
    plain("if", Shape::SchemaInPlace),
    on(Types::ARRAY, "items", Shape::Schema),
    beside("contains", on(Types::ARRAY, "maxContains", Shape::Count)),
    on(Types::ARRAY, "maxItems", Shape::Count),
    on(Types::STRING, "maxLength", Shape::Count),
    on(Types::OBJECT, "maxProperties", Shape::Count),
    on(Types::NUMBER, "maximum", Shape::Number),
    beside("contains", on(Types::ARRAY, "minContains", Shape::Count)),
    on(Types::ARRAY, "minItems", Shape::Count),
    on(Types::STRING, "minLength", Shape::Count),
    on(Types::OBJECT, "minProperties", Shape::Count),
    on(Types::NUMBER, "minimum", Shape::Number),
    on(Types::NUMBER, "multipleOf", Shape::Positive),
    plain("not", Shape::SchemaInPlace),
    plain("oneOf", Shape::SchemasInPlace),
    on(Types::STRING, "pattern", Shape::Pattern),
    on(Types::OBJECT, "patternProperties", Shape::PatternMap),
    on(Types::ARRAY, "prefixItems", Shape::Schemas),
    on(Types::OBJECT, "properties", Shape::SchemaMap),
    on(Types::OBJECT, "propertyNames", Shape::Schema),
    plain("readOnly", Shape::Flag),
    on(Types::OBJECT, "required", Shape::Names),
    beside("if", plain("then", Shape::SchemaInPlace)),
    plain("title", Shape::Text),
    plain("type", Shape::Type),
    on(Types::ARRAY, "unevaluatedItems", Shape::Schema),
    on(Types::OBJECT, "unevaluatedProperties", Shape::Schema),
    on(Types::ARRAY, "uniqueItems", Shape::Flag),
    plain("writeOnly", Shape::Flag),
];
