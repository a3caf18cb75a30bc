//! Loads the offered registries and their rules again, without a restart. The command that starts the server
//! provides the loading; this file makes the change: all of it, or nothing.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use aileron_orchestrator::{Offer, Offered, Orchestrator};

use crate::event_hub::EventHub;

const NO_SOURCE: &str = "this server was started without settings that can be read again";

/// Loads the registries and rules that the settings have at this moment.
pub trait RegistrySource: Send + Sync + fmt::Debug {
    /// The registries and rules, or every fault in words. May block.
    fn load(&self) -> Result<LoadedOffer, Vec<String>>;
}

/// Registries and rules that were loaded.
#[derive(Debug)]
pub struct LoadedOffer {
    pub offer: Offer,
    /// Probable mistakes, such as a rule that matches nobody.
    pub warnings: Vec<String>,
}

/// The difference that a reload made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReloadReport {
    /// Each offered name with its version.
    pub registries: BTreeMap<String, String>,
    pub rules: usize,
    /// Whether a registry or a rule is different from before.
    pub changed: bool,
    pub warnings: Vec<String>,
}

/// The source, and the warnings about the offer of this moment.
#[derive(Debug, Default)]
pub(crate) struct RegistryReloads {
    source: OnceLock<Arc<dyn RegistrySource>>,
    warnings: Mutex<Vec<String>>,
    /// Held while a reload runs: one after another.
    reloading: tokio::sync::Mutex<()>,
}

impl RegistryReloads {
    /// Sets the source. Only the first call has an effect.
    pub(crate) fn set(&self, source: Arc<dyn RegistrySource>, warnings: Vec<String>) {
        let _ = self.source.set(source);
        self.warn(warnings);
    }

    pub(crate) fn warnings(&self) -> Vec<String> {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn warn(&self, warnings: Vec<String>) {
        *self.warnings.lock().unwrap_or_else(PoisonError::into_inner) = warnings;
    }

    /// Loads the registries and rules again and offers them. If anything has a fault, the ones before stay.
    pub(crate) async fn reload(
        &self,
        orchestrator: &Orchestrator,
        event_hub: &EventHub,
        by: &str,
    ) -> Result<ReloadReport, Vec<String>> {
        let Some(source) = self.source.get().cloned() else {
            return Err(vec![NO_SOURCE.to_owned()]);
        };
        let _one = self.reloading.lock().await;
        let before = orchestrator.offered();
        let loading = tokio::task::spawn_blocking(move || source.load());
        let loaded = loading.await.unwrap_or_else(|panic| Err(vec![panic.to_string()]));
        let offered = loaded.and_then(|LoadedOffer { offer, warnings }| {
            orchestrator.offer(offer).map(|()| warnings)
        });
        let report = match offered {
            Ok(warnings) => self.report(&before, &orchestrator.offered(), warnings),
            Err(faults) => {
                let faults_text = faults.join("; ");
                tracing::warn!(
                    by,
                    faults = faults_text,
                    "The registries and their rules are refused; the ones before stay."
                );
                return Err(faults);
            }
        };
        announce(&before, &report, event_hub, by);
        Ok(report)
    }

    fn report(&self, before: &Offered, after: &Offered, warnings: Vec<String>) -> ReloadReport {
        self.warn(warnings.clone());
        let (old, registries) = (versions(before), versions(after));
        let changed = old != registries || before.assignment != after.assignment;
        ReloadReport { registries, rules: after.assignment.rules().len(), changed, warnings }
    }
}

fn announce(before: &Offered, report: &ReloadReport, event_hub: &EventHub, by: &str) {
    let ReloadReport { registries, rules, changed, warnings } = report;
    let named: Vec<_> =
        registries.iter().map(|(name, version)| format!("{name} {version}")).collect();
    let registries_text = named.join(", ");
    tracing::info!(
        by,
        registries = registries_text,
        rules,
        changed,
        "The registries and their rules were read again."
    );
    for warning in warnings {
        tracing::warn!(warning, "A rule of the registries is probably not meant.");
    }
    let known = versions(before);
    for version in registries.values().filter(|version| !known.values().any(|it| it == *version)) {
        event_hub.registry_loaded(version);
    }
}

fn versions(offered: &Offered) -> BTreeMap<String, String> {
    let version = |(name, registry): (&String, &Arc<aileron_runtime::Registry>)| {
        (name.clone(), registry.version().to_owned())
    };
    offered.registries.iter().map(version).collect()
}
