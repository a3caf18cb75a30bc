//! An image engine in memory: it draws nothing, but returns ids and addresses like a real engine.

use std::collections::BTreeMap;
use std::sync::Mutex;

use aileron_contract::ConversationId;
use serde::Deserialize;

use super::{answer, check, locked, stable_id};
use crate::images::{
    GenerateRequest, GeneratedImages, Image, ImageRequest, LookRequest, MissingImage, ProbedImage,
    ProgressSink,
};
use crate::{Answer, Caller, CapabilityFault, Images};

/// The initial contents of the image engine.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ImagesContents {
    /// Images that every conversation may use.
    pub stored: Vec<Image>,
    /// How many images of a request are generated; the others are declined.
    pub makes: Option<u32>,
    /// The label of every generated image.
    pub label: Option<String>,
    /// The fault of every call.
    pub error: Option<CapabilityFault>,
}

/// An image engine in memory.
#[derive(Debug, Default)]
pub struct MemoryImages {
    contents: ImagesContents,
    /// By conversation and key.
    made: Mutex<BTreeMap<(ConversationId, String), Vec<Image>>>,
}

impl From<ImagesContents> for MemoryImages {
    fn from(contents: ImagesContents) -> Self {
        Self { contents, made: Mutex::default() }
    }
}

impl Images for MemoryImages {
    fn generate(
        &self,
        caller: &Caller,
        request: GenerateRequest,
        _: ProgressSink,
    ) -> Answer<GeneratedImages> {
        answer(self.make(caller, request))
    }

    fn get(&self, caller: &Caller, request: ImageRequest) -> Answer<Option<Image>> {
        answer(self.find(caller, &request.id))
    }

    /// There is no network: every address is one small image.
    fn look(&self, _: &Caller, _: LookRequest) -> Answer<ProbedImage> {
        let seen =
            ProbedImage { content_type: "image/png".to_owned(), bytes: 1, width: 1, height: 1 };
        answer(check(self.contents.error.as_ref()).map(|()| seen))
    }
}

impl MemoryImages {
    fn make(
        &self,
        caller: &Caller,
        request: GenerateRequest,
    ) -> Result<GeneratedImages, CapabilityFault> {
        check(self.contents.error.as_ref())?;
        let key = (caller.conversation.clone(), request.idempotency_key);
        let draw = |number| self.image(stable_id("img_", caller, &key.1, number));
        let requested = request.count;
        let count = self.contents.makes.unwrap_or(requested).min(requested);
        let fresh = (0..count).map(draw).collect();
        let images = locked(&self.made).entry(key.clone()).or_insert(fresh).clone();
        Ok(GeneratedImages {
            images,
            requested,
            missing: (count + 1..=requested).map(declined).collect(),
        })
    }

    /// An address under `.invalid` cannot be resolved, and shows that it is not real.
    fn image(&self, id: String) -> Image {
        Image {
            url: format!("https://images.invalid/{id}.png"),
            id,
            width: None,
            height: None,
            content_type: None,
            made_by: None,
            label: self.contents.label.clone(),
            note: None,
        }
    }

    fn find(&self, caller: &Caller, id: &str) -> Result<Option<Image>, CapabilityFault> {
        check(self.contents.error.as_ref())?;
        let made = locked(&self.made);
        let own = made.iter().filter(|((owner, _), _)| *owner == caller.conversation);
        let mut known = self.contents.stored.iter().chain(own.flat_map(|(_, images)| images));
        Ok(known.find(|image| image.id == id).cloned())
    }
}

fn declined(number: u32) -> MissingImage {
    MissingImage { number, reason: "declined".to_owned(), may_be_charged: false }
}

#[cfg(test)]
#[path = "images_tests.rs"]
mod tests;
