//! The variables of CEL conditions: one table for the compiler's checks, the
//! evaluation at run time and the documentation.
//!
//! A condition is `availability.condition` or `confirmation.when`. Evaluating
//! CEL is left to the orchestrator.

/// A field of `schema.json` that holds a CEL condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConditionField {
    /// JSON Pointer to the field.
    pub pointer: &'static str,
    /// The name as people write it.
    pub name: &'static str,
    /// The variables that the condition may use.
    pub variables: &'static [&'static Variable],
}

impl ConditionField {
    /// The variable of that name, if the condition has it.
    pub fn variable(&self, name: &str) -> Option<&'static Variable> {
        self.variables.iter().find(|variable| variable.name == name).copied()
    }
}

/// One variable of a condition.
#[derive(Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: &'static str,
    pub description: &'static str,
    pub content: ContentCheck,
    /// A condition that uses the variable.
    pub example: &'static str,
}

/// The content of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContentCheck {
    /// A text, one of these.
    Text(&'static [&'static str]),
    /// An object with these properties and no others.
    Closed(&'static [Property]),
    /// An object with these properties; a deployment may add others.
    Open(&'static [Property]),
    /// The validated arguments of the call, defaults included.
    Arguments,
}

impl ContentCheck {
    /// The properties that are always present.
    pub const fn properties(self) -> &'static [Property] {
        match self {
            Self::Closed(properties) | Self::Open(properties) => properties,
            Self::Text(_) | Self::Arguments => &[],
        }
    }
}

/// One property of a variable.
#[derive(Debug, PartialEq, Eq)]
pub struct Property {
    pub name: &'static str,
    /// The CEL type, as people write it.
    pub kind: &'static str,
    pub description: &'static str,
    /// A condition that uses the property.
    pub example: &'static str,
}

/// The mode of the conversation.
pub const MODE: Variable = Variable {
    name: "mode",
    description: "The mode of the conversation: `\"text\"` or `\"voice\"`.",
    content: ContentCheck::Text(&["text", "voice"]),
    example: "mode == \"text\"",
};

/// The person in the conversation.
pub const USER: Variable = Variable {
    name: "user",
    description: "The person in the conversation. Further properties are the claims that \
                  `[auth.jwt] claims` names in the settings; a token may lack them, so test with \
                  `has(user.plan)` first.",
    content: ContentCheck::Open(&[
        Property {
            name: "id",
            kind: "string or null",
            description: "The person's id; null if not authenticated.",
            example: "user.id != null",
        },
        Property {
            name: "authenticated",
            kind: "bool",
            description: "Whether the person is authenticated.",
            example: "user.authenticated",
        },
        Property {
            name: "scopes",
            kind: "list of strings",
            description: "The scopes of the person's credentials; empty if not authenticated.",
            example: "\"calendar.write\" in user.scopes",
        },
    ]),
    example: "user.authenticated",
};

/// The conversation, before any call of it.
pub const CONVERSATION: Variable = Variable {
    name: "conversation",
    description: "The conversation in which the tool would be called.",
    content: ContentCheck::Closed(&[
        Property {
            name: "id",
            kind: "string",
            description: "The conversation's id.",
            example: "conversation.id.startsWith(\"demo-\")",
        },
        Property {
            name: "turn",
            kind: "int",
            description: "The number of turns that have begun.",
            example: "conversation.turn > 1",
        },
        Property {
            name: "registryVersion",
            kind: "string",
            description: "The version of the registry that the conversation began with.",
            example: "conversation.registryVersion != \"1.0.a1b2c3d4\"",
        },
    ]),
    example: "conversation.turn > 1",
};

/// The arguments of the call.
pub const ARGS: Variable = Variable {
    name: "args",
    description: "The validated arguments of the call, defaults included. A parameter that is \
                  neither required nor has a default may be missing: test with `has(args.name)`.",
    content: ContentCheck::Arguments,
    example: "size(args.attendees) > 10",
};

/// Decides whether a tool is declared and callable; evaluated before there is a call.
pub const AVAILABILITY: ConditionField = ConditionField {
    pointer: "/availability/condition",
    name: "availability.condition",
    variables: &[&MODE, &USER, &CONVERSATION],
};

/// Decides whether the person is asked; evaluated for one call.
pub const CONFIRMATION: ConditionField = ConditionField {
    pointer: "/confirmation/when",
    name: "confirmation.when",
    variables: &[&ARGS, &MODE, &USER],
};

/// Every field that holds a condition.
pub const FIELDS: [&ConditionField; 2] = [&AVAILABILITY, &CONFIRMATION];
