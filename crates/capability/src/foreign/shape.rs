//! Which methods each declared capability has for handlers.

use super::host::CapabilityShape;
use crate::Capability;

/// The shapes of a tool's declared capabilities. Several hosts or secrets share one shape.
pub fn shapes(declared: &[Capability]) -> Vec<CapabilityShape> {
    let mut shapes: Vec<CapabilityShape> = Vec::new();
    for shape in declared.iter().map(shape) {
        if !shapes.contains(&shape) {
            shapes.push(shape);
        }
    }
    shapes
}

fn shape(capability: &Capability) -> CapabilityShape {
    match capability {
        Capability::Messaging => waiting("messaging", &["send"]),
        Capability::Voice => at_once("voice", &["isActive", "endSession"]),
        Capability::Audio => at_once("audio", &["suppress"]),
        Capability::Audit => at_once("audit", &["log"]),
        Capability::Kb => waiting("kb", &["search", "get"]),
        Capability::Calendar => {
            waiting("calendar", &["freeBusy", "saveDrafts", "getDraft", "createEvent"])
        }
        Capability::Images => waiting("images", &["generate", "get", "look"]),
        Capability::Tools => waiting("tools", &["call"]),
        Capability::Http(_) => waiting("http", &["fetch"]),
        Capability::Secret(_) => at_once("secret", &["get"]),
    }
}

fn waiting(name: &str, methods: &[&str]) -> CapabilityShape {
    CapabilityShape { name: name.to_owned(), methods: owned(methods), sync: Vec::new() }
}

fn at_once(name: &str, methods: &[&str]) -> CapabilityShape {
    CapabilityShape { name: name.to_owned(), methods: Vec::new(), sync: owned(methods) }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}
