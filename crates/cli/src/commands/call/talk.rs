//! Messages on stderr while a call runs.

use aileron_orchestrator::{ConversationEvent, EventSource, Observer};
use aileron_runtime::Registry;

use crate::output::{self, tame};
use crate::settings::Settings;

/// Prints messages of handlers and policies.
#[derive(Debug)]
pub(super) struct Stderr;

impl Observer for Stderr {
    fn on_event(&self, _: EventSource<'_>, event: ConversationEvent) {
        if let Some(line) = event.line() {
            output::talk(&tame(&line));
        }
    }
}

/// Warns about engines that the tool needs and that are not configured.
pub(super) fn warn_of_absent_engines(registry: &Registry, tool: &str, settings: &Settings) {
    let Some(tool) = registry.tool(tool) else { return };
    let spec = tool.spec();
    let engines = [
        ("calendar", "calendar", settings.calendar.is_off()),
        ("images", "image engine", settings.images.is_off()),
    ];
    for (name, engine, is_off) in engines {
        if is_off && spec.capabilities.iter().any(|it| it == name) {
            output::talk(&format!(
                "no {engine} is configured; `{}` will get the fault UNAVAILABLE from this capability",
                spec.tool_id
            ));
        }
    }
}
