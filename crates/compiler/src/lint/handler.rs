//! Handlers: `AIL-H`. Faults of a tool's code.

use crate::rule::Rule;

pub(crate) mod calls_left_out_tool;
pub(crate) mod dynamic_import;
pub(crate) mod execute_not_a_function;
pub(crate) mod foreign_import;
pub(crate) mod handler_syntax;
pub(crate) mod import_outside;
pub(crate) mod message_without_intent;
pub(crate) mod missing_export;
pub(crate) mod missing_global;
pub(crate) mod missing_handler;
pub(crate) mod missing_package;
pub(crate) mod native_not_built;
pub(crate) mod no_execute;
pub(crate) mod not_erasable;
pub(crate) mod runtime_mismatch;
pub(crate) mod several_handlers;
pub(crate) mod too_many_modules;
pub(crate) mod trusted_code;
pub(crate) mod undeclared_capability;
pub(crate) mod undeclared_environment;
pub(crate) mod unknown_context_member;
pub(crate) mod unresolved_import;
pub(crate) mod unused_capability;

pub(crate) const RULES: &[&Rule] = &[
    &missing_handler::MISSING_HANDLER,
    &several_handlers::SEVERAL_HANDLERS,
    &handler_syntax::HANDLER_SYNTAX,
    &no_execute::NO_EXECUTE,
    &unresolved_import::UNRESOLVED_IMPORT,
    &import_outside::IMPORT_OUTSIDE,
    &not_erasable::NOT_ERASABLE,
    &foreign_import::FOREIGN_IMPORT,
    &dynamic_import::DYNAMIC_IMPORT,
    &undeclared_capability::UNDECLARED_CAPABILITY,
    &execute_not_a_function::EXECUTE_NOT_A_FUNCTION,
    &too_many_modules::TOO_MANY_MODULES,
    &missing_export::MISSING_EXPORT,
    &unused_capability::UNUSED_CAPABILITY,
    &missing_global::MISSING_GLOBAL,
    &native_not_built::NATIVE_NOT_BUILT,
    &runtime_mismatch::RUNTIME_MISMATCH,
    &missing_package::MISSING_PACKAGE,
    &trusted_code::TRUSTED_CODE,
    &undeclared_environment::UNDECLARED_ENVIRONMENT,
    &message_without_intent::MESSAGE_WITHOUT_INTENT,
    &unknown_context_member::UNKNOWN_CONTEXT_MEMBER,
    &calls_left_out_tool::CALLS_LEFT_OUT_TOOL,
];

#[cfg(test)]
#[path = "handler_tests.rs"]
mod tests;
