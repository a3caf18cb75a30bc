//! The loaded registries: those offered to new conversations, with the rules that assign them, and earlier
//! ones that conversations still use. The archive loads earlier ones again.

mod recent;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak};

use aileron_runtime::Registry;

use self::recent::RecentToolsets;
use crate::archive::Archive;
use crate::assignment::{AssignError, AssignedRegistry, Assignment, DEFAULT, NewConversation};
use crate::open_error::OpenError;
use crate::toolset::Toolset;

#[derive(Debug, Default)]
pub(crate) struct Toolsets {
    loaded: RwLock<LoadedToolsets>,
    archive: OnceLock<Arc<dyn Archive>>,
}

/// The registries for new conversations by name, and the rules. Replaced as a whole.
#[derive(Debug, Clone, Default)]
pub(crate) struct OfferedToolsets {
    pub(crate) by_name: BTreeMap<String, Arc<Toolset>>,
    pub(crate) assignment: Assignment,
}

#[derive(Debug, Default)]
struct LoadedToolsets {
    /// Everything that is loaded. The offer, the recent toolsets and open conversations keep it loaded.
    by_version: BTreeMap<String, Weak<Toolset>>,
    offer: Arc<OfferedToolsets>,
    recent: RecentToolsets,
}

/// The toolset of a new conversation, and the reason; no reason where there is only one.
pub(crate) type NewToolset = (Arc<Toolset>, Option<AssignedRegistry>);

impl Toolsets {
    /// Makes a toolset the default one; the other offered ones and the rules stay.
    pub(crate) fn install(&self, toolset: Arc<Toolset>) {
        let mut loaded = self.write();
        let mut offer = OfferedToolsets::clone(&loaded.offer);
        offer.by_name.insert(DEFAULT.to_owned(), toolset);
        let dropped = loaded.replace(offer, self.limit());
        drop(loaded);
        drop(dropped);
    }

    /// Replaces the offered toolsets and the rules at once.
    pub(crate) fn offer(&self, offer: OfferedToolsets) {
        let dropped = self.write().replace(offer, self.limit());
        drop(dropped);
    }

    /// The offered toolsets and the rules of this moment.
    pub(crate) fn offered(&self) -> Arc<OfferedToolsets> {
        self.read().offer.clone()
    }

    /// Unloads a toolset, unless it is offered; returns whether it was loaded.
    pub(crate) fn retire(&self, version: &str) -> bool {
        let mut loaded = self.write();
        if loaded.offer.versions().contains(version) {
            return false;
        }
        loaded.recent.remove(version);
        loaded.by_version.remove(version).is_some()
    }

    /// Sets the archive of earlier registries. Only the first call has an effect.
    pub(crate) fn set_archive(&self, archive: Arc<dyn Archive>) {
        let _ = self.archive.set(archive);
    }

    /// The toolset of conversations that no rule matches.
    pub(crate) fn current(&self) -> Result<Arc<Toolset>, OpenError> {
        self.read().offer.by_name.get(DEFAULT).cloned().ok_or(OpenError::NoRegistry)
    }

    /// The toolset of a new conversation.
    pub(crate) fn assign(&self, new: NewConversation<'_>) -> Result<NewToolset, OpenError> {
        self.offered().assign(new)
    }

    /// The loaded toolsets, in the order of their versions.
    pub(crate) fn all(&self) -> Vec<Arc<Toolset>> {
        self.read().by_version.values().filter_map(Weak::upgrade).collect()
    }

    /// A loaded toolset.
    pub(crate) fn loaded(&self, version: &str) -> Result<Arc<Toolset>, OpenError> {
        let loaded = self.read();
        loaded.find(version).ok_or_else(|| OpenError::RegistryGone {
            pinned: version.to_owned(),
            loaded: loaded.versions(),
        })
    }

    /// A loaded toolset, or one from the archive, which new conversations do not use.
    pub(crate) async fn find(&self, version: &str) -> Result<Arc<Toolset>, OpenError> {
        let gone = match self.loaded(version) {
            Err(gone) => gone,
            Ok(found) => {
                self.used(&found);
                return Ok(found);
            }
        };
        let Some(archive) = self.archive.get().cloned() else { return Err(gone) };
        let wanted = version.to_owned();
        let loading = tokio::task::spawn_blocking(move || archive.load(&wanted));
        let loaded = loading.await.unwrap_or_else(|panic| Err(panic.to_string()));
        let unusable =
            |why: String| OpenError::RegistryUnusable { pinned: version.to_owned(), why };
        let Some(registry) = loaded.map_err(unusable)? else { return Err(gone) };
        let toolset = Toolset::new(registry).map_err(|error| unusable(error.to_string()))?;
        let (toolset, dropped) = self.write().add_earlier(Arc::new(toolset), self.limit());
        drop(dropped);
        Ok(toolset)
    }

    /// Keeps an earlier toolset that was just used longer than the others.
    fn used(&self, toolset: &Arc<Toolset>) {
        let version = toolset.registry().version();
        let is_last = {
            let loaded = self.read();
            loaded.offer.versions().contains(version) || loaded.recent.is_last(version)
        };
        if !is_last {
            let dropped = self.write().recent.push(toolset.clone(), self.limit());
            drop(dropped);
        }
    }

    /// How many earlier toolsets stay loaded without a conversation that uses them. Without an archive they
    /// could not be loaded again, so all of them stay.
    fn limit(&self) -> usize {
        if self.archive.get().is_some() { recent::KEPT } else { usize::MAX }
    }

    fn read(&self) -> RwLockReadGuard<'_, LoadedToolsets> {
        self.loaded.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, LoadedToolsets> {
        self.loaded.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OfferedToolsets {
    /// The toolset of a new conversation.
    pub(crate) fn assign(&self, new: NewConversation<'_>) -> Result<NewToolset, OpenError> {
        let assigned = self.assignment.assign(new).map_err(OpenError::RegistryRefused)?;
        let found = self.by_name.get(&assigned.name).cloned().ok_or(OpenError::NoRegistry)?;
        let is_told = !self.assignment.is_trivial();
        Ok((found, is_told.then_some(assigned)))
    }

    fn versions(&self) -> BTreeSet<&str> {
        self.by_name.values().map(|toolset| toolset.registry().version()).collect()
    }
}

impl LoadedToolsets {
    /// Replaces the offer. Toolsets that are no longer offered stay for their conversations. Returns those that
    /// nothing needs; the end of a handler's engine may take a while, so they are dropped without the lock.
    fn replace(&mut self, mut offer: OfferedToolsets, limit: usize) -> Vec<Arc<Toolset>> {
        for toolset in offer.by_name.values_mut() {
            // One version is loaded once, so that all of its conversations share it.
            if let Some(same) = self.find_same(toolset) {
                *toolset = same;
            }
            let version = toolset.registry().version().to_owned();
            self.by_version.insert(version, Arc::downgrade(toolset));
        }
        let before = std::mem::replace(&mut self.offer, Arc::new(offer));
        let offered: BTreeSet<String> =
            self.offer.versions().into_iter().map(str::to_owned).collect();
        offered.iter().for_each(|version| self.recent.remove(version));
        let mut dropped = Vec::new();
        for toolset in before.by_name.values() {
            if !offered.contains(toolset.registry().version()) {
                dropped.extend(self.recent.push(toolset.clone(), limit));
            }
        }
        self.by_version.retain(|_, toolset| toolset.strong_count() > 0);
        dropped
    }

    /// Adds an earlier toolset, unless another thread has added it meanwhile.
    fn add_earlier(
        &mut self,
        toolset: Arc<Toolset>,
        limit: usize,
    ) -> (Arc<Toolset>, Vec<Arc<Toolset>>) {
        let version = toolset.registry().version().to_owned();
        let kept = self.find(&version).unwrap_or(toolset);
        self.by_version.insert(version, Arc::downgrade(&kept));
        let dropped = self.recent.push(kept.clone(), limit);
        self.by_version.retain(|_, toolset| toolset.strong_count() > 0);
        (kept, dropped)
    }

    fn find(&self, version: &str) -> Option<Arc<Toolset>> {
        self.by_version.get(version).and_then(Weak::upgrade)
    }

    /// The loaded toolset of the same content. A version shows only a part of the hash of its content.
    fn find_same(&self, toolset: &Toolset) -> Option<Arc<Toolset>> {
        let found = self.find(toolset.registry().version())?;
        let is_same = found.registry().content_hash() == toolset.registry().content_hash();
        is_same.then_some(found)
    }

    fn versions(&self) -> Vec<String> {
        let loaded = self.by_version.iter().filter(|(_, toolset)| toolset.strong_count() > 0);
        loaded.map(|(version, _)| version.clone()).collect()
    }
}

/// The registries for new conversations by name, and the rules, at one moment.
#[derive(Debug, Clone, Default)]
pub struct Offered {
    /// Each name with its registry.
    pub registries: BTreeMap<String, Arc<Registry>>,
    pub assignment: Assignment,
}

impl From<&OfferedToolsets> for Offered {
    fn from(offer: &OfferedToolsets) -> Self {
        let registry =
            |(name, toolset): (&String, &Arc<Toolset>)| (name.clone(), toolset.registry().clone());
        Self {
            registries: offer.by_name.iter().map(registry).collect(),
            assignment: offer.assignment.clone(),
        }
    }
}

impl Offered {
    /// The registry of a conversation that would begin now.
    pub fn assign(
        &self,
        new: NewConversation<'_>,
    ) -> Result<(Arc<Registry>, AssignedRegistry), AssignError> {
        let assigned = self.assignment.assign(new)?;
        let unknown = || AssignError::Unknown {
            wanted: assigned.name.clone(),
            offered: self.registries.keys().cloned().collect(),
        };
        let registry = self.registries.get(&assigned.name).cloned().ok_or_else(unknown)?;
        Ok((registry, assigned))
    }
}
