//! The declaration of a tool for one provider. Declarations are most of a registry's text and few
//! are used, so each is parsed on first use.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// One provider's declaration of a tool.
#[derive(Debug, Clone)]
pub struct Declaration(DeclarationForm);

#[derive(Debug, Clone)]
enum DeclarationForm {
    Read(Value),
    Text(Box<str>),
}

impl Declaration {
    pub(super) fn of_text(text: &RawValue) -> Self {
        Self(DeclarationForm::Text(text.get().into()))
    }

    /// The declaration, parsed if it was not. A text that is not JSON gives `null`.
    pub fn value(&self) -> Cow<'_, Value> {
        match &self.0 {
            DeclarationForm::Read(value) => Cow::Borrowed(value),
            DeclarationForm::Text(text) => {
                Cow::Owned(serde_json::from_str(text).unwrap_or_default())
            }
        }
    }
}

impl From<Value> for Declaration {
    fn from(value: Value) -> Self {
        Self(DeclarationForm::Read(value))
    }
}

impl PartialEq for Declaration {
    fn eq(&self, other: &Self) -> bool {
        self.value() == other.value()
    }
}

impl Serialize for Declaration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Declaration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self::from)
    }
}
