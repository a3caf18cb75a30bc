//! Earlier toolsets that stay loaded for a while, because another conversation may need them soon.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::toolset::Toolset;

/// How many of them stay. One that open conversations use stays loaded in any case.
pub(super) const KEPT: usize = 8;

/// Toolsets that are not offered, the one used last at the end.
#[derive(Debug, Default)]
pub(super) struct RecentToolsets(VecDeque<Arc<Toolset>>);

impl RecentToolsets {
    /// Adds a toolset, or moves it to the end; returns the first ones beyond the limit.
    pub(super) fn push(&mut self, toolset: Arc<Toolset>, limit: usize) -> Vec<Arc<Toolset>> {
        self.remove(toolset.registry().version());
        self.0.push_back(toolset);
        let surplus = self.0.len().saturating_sub(limit);
        self.0.drain(..surplus).collect()
    }

    pub(super) fn remove(&mut self, version: &str) {
        self.0.retain(|toolset| toolset.registry().version() != version);
    }

    pub(super) fn is_last(&self, version: &str) -> bool {
        self.0.back().is_some_and(|toolset| toolset.registry().version() == version)
    }
}
