//! A schema with defaults: fills in missing values, then checks the result.

use serde_json::Value;

use crate::defaults::Defaults;
use crate::faults::Faults;
use crate::validator::{SchemaError, Validator, ValidatorImpl};

/// A compiled schema and its defaults.
#[derive(Debug)]
pub struct CompiledSchema {
    validator: Validator,
    /// Empty if the validator's plan fills them in during its walk.
    defaults: Defaults,
}

impl CompiledSchema {
    /// Compiles a 2020-12 schema.
    pub fn compile(schema: &Value) -> Result<Self, SchemaError> {
        let validator = Validator::compile(schema)?;
        let defaults = match &validator.0 {
            ValidatorImpl::Plan(_) => Defaults::default(),
            ValidatorImpl::Whole(_) => Defaults::of(schema),
        };
        Ok(Self { validator, defaults })
    }

    /// Fills in missing values and returns the faults of the result.
    pub fn fill(&self, value: &mut Value) -> Faults {
        if let ValidatorImpl::Plan(plan) = &self.validator.0 {
            return plan.fill(value);
        }
        self.defaults.fill(value);
        self.validator.faults(value)
    }

    /// Whether the value fits as it is.
    pub fn accepts(&self, value: &Value) -> bool {
        self.validator.accepts(value)
    }
}
