//! A promise: a rule, and the step a tool's version must take to break it.

use super::step::VersionStep;
use crate::rule::Rule;

/// A rule with the step it needs.
#[derive(Debug)]
pub(super) struct Promise {
    pub(super) rule: &'static Rule,
    pub(super) needs: VersionStep,
}

/// One change that a promise is about.
#[derive(Debug)]
pub(super) struct PromiseBreach {
    pub(super) promise: &'static Promise,
    /// JSON Pointer into `schema.json`.
    pub(super) pointer: String,
    pub(super) message: String,
}

impl PromiseBreach {
    pub(super) fn new(
        promise: &'static Promise,
        pointer: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self { promise, pointer: pointer.into(), message: message.into() }
    }
}

/// Defines a rule from its doc comment, ends that with the step it needs, and
/// pairs the two as `PROMISE`.
macro_rules! promise {
    ($(#[doc = $doc:literal])+ $id:ident, $code:literal, $name:literal, Major) => {
        promise!(@ [" A major step: 1.4.2 needs 2.0.0, and 0.4.2 needs 0.5.0."]
            $(#[doc = $doc])+ $id, $code, $name, Major);
    };
    ($(#[doc = $doc:literal])+ $id:ident, $code:literal, $name:literal, Minor) => {
        promise!(@ [" A minor step: 1.4.2 needs 1.5.0, and 0.4.2 needs 0.4.3."]
            $(#[doc = $doc])+ $id, $code, $name, Minor);
    };
    ($(#[doc = $doc:literal])+ $id:ident, $code:literal, $name:literal, Patch) => {
        promise!(@ [" A patch step: 1.4.2 needs 1.4.3, and 0.4.2 needs 0.4.3."]
            $(#[doc = $doc])+ $id, $code, $name, Patch);
    };
    (@ [$needs:literal] $(#[doc = $doc:literal])+ $id:ident, $code:literal, $name:literal, $step:ident) => {
        $crate::rule::rule! {
            $(#[doc = $doc])+
            #[doc = ""]
            #[doc = " ## Needs"]
            #[doc = $needs]
            $id, $code, $name, Error
        }

        pub(in crate::breaking) static PROMISE: $crate::breaking::promise::Promise =
            $crate::breaking::promise::Promise {
                rule: &$id,
                needs: $crate::breaking::step::VersionStep::$step,
            };
    };
}
pub(super) use promise;
