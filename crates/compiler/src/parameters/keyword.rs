//! Every keyword of JSON Schema 2020-12: the types it applies to and the form of its value.

use super::types::Types;

/// A keyword of the dialect.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Keyword {
    pub(crate) name: &'static str,
    /// The types of value it applies to.
    pub(crate) on: Types,
    pub(crate) shape: KeywordType,
    /// The keyword that it depends on.
    pub(crate) needs: Option<&'static str>,
}

/// The required form of a keyword's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeywordType {
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

impl KeywordType {
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

const fn plain(name: &'static str, shape: KeywordType) -> Keyword {
    on(Types::ANY, name, shape)
}

const fn on(on: Types, name: &'static str, shape: KeywordType) -> Keyword {
    Keyword { name, on, shape, needs: None }
}

const fn beside(needs: &'static str, keyword: Keyword) -> Keyword {
    Keyword { needs: Some(needs), ..keyword }
}

/// Sorted by name.
#[rustfmt::skip]
pub(crate) const KEYWORDS: &[Keyword] = &[
    plain("$anchor", KeywordType::Anchor),
    plain("$comment", KeywordType::Text),
    plain("$defs", KeywordType::SchemaMap),
    plain("$dynamicAnchor", KeywordType::Anchor),
    plain("$dynamicRef", KeywordType::Reference),
    plain("$id", KeywordType::Identifier),
    plain("$ref", KeywordType::Reference),
    plain("$schema", KeywordType::Text),
    plain("$vocabulary", KeywordType::Vocabularies),
    on(Types::OBJECT, "additionalProperties", KeywordType::Schema),
    plain("allOf", KeywordType::SchemasInPlace),
    plain("anyOf", KeywordType::SchemasInPlace),
    plain("const", KeywordType::Any),
    on(Types::ARRAY, "contains", KeywordType::Schema),
    on(Types::STRING, "contentEncoding", KeywordType::Text),
    on(Types::STRING, "contentMediaType", KeywordType::Text),
    beside("contentMediaType", on(Types::STRING, "contentSchema", KeywordType::Schema)),
    plain("default", KeywordType::Any),
    on(Types::OBJECT, "dependentRequired", KeywordType::NameMap),
    on(Types::OBJECT, "dependentSchemas", KeywordType::SchemaMapInPlace),
    plain("deprecated", KeywordType::Flag),
    plain("description", KeywordType::Text),
    beside("if", plain("else", KeywordType::SchemaInPlace)),
    plain("enum", KeywordType::Enum),
    plain("examples", KeywordType::List),
    on(Types::NUMBER, "exclusiveMaximum", KeywordType::Number),
    on(Types::NUMBER, "exclusiveMinimum", KeywordType::Number),
    plain("format", KeywordType::Text),
    plain("if", KeywordType::SchemaInPlace),
    on(Types::ARRAY, "items", KeywordType::Schema),
    beside("contains", on(Types::ARRAY, "maxContains", KeywordType::Count)),
    on(Types::ARRAY, "maxItems", KeywordType::Count),
    on(Types::STRING, "maxLength", KeywordType::Count),
    on(Types::OBJECT, "maxProperties", KeywordType::Count),
    on(Types::NUMBER, "maximum", KeywordType::Number),
    beside("contains", on(Types::ARRAY, "minContains", KeywordType::Count)),
    on(Types::ARRAY, "minItems", KeywordType::Count),
    on(Types::STRING, "minLength", KeywordType::Count),
    on(Types::OBJECT, "minProperties", KeywordType::Count),
    on(Types::NUMBER, "minimum", KeywordType::Number),
    on(Types::NUMBER, "multipleOf", KeywordType::Positive),
    plain("not", KeywordType::SchemaInPlace),
    plain("oneOf", KeywordType::SchemasInPlace),
    on(Types::STRING, "pattern", KeywordType::Pattern),
    on(Types::OBJECT, "patternProperties", KeywordType::PatternMap),
    on(Types::ARRAY, "prefixItems", KeywordType::Schemas),
    on(Types::OBJECT, "properties", KeywordType::SchemaMap),
    on(Types::OBJECT, "propertyNames", KeywordType::Schema),
    plain("readOnly", KeywordType::Flag),
    on(Types::OBJECT, "required", KeywordType::Names),
    beside("if", plain("then", KeywordType::SchemaInPlace)),
    plain("title", KeywordType::Text),
    plain("type", KeywordType::Type),
    on(Types::ARRAY, "unevaluatedItems", KeywordType::Schema),
    on(Types::OBJECT, "unevaluatedProperties", KeywordType::Schema),
    on(Types::ARRAY, "uniqueItems", KeywordType::Flag),
    plain("writeOnly", KeywordType::Flag),
];
