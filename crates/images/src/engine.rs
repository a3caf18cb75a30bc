//! The engine behind the `images` capability: one key makes its images once, everything is
//! checked before it is kept, and what takes long says so.

use std::collections::HashMap;
use std::sync::{Arc, Mutex as StdMutex, PoisonError, Weak};
use std::time::Duration;

use aileron_runtime::Clock;
use aileron_runtime::capability::images::{
    GenerateRequest, Image, ImageRequest, LookRequest, Progress, Seen,
};
use aileron_runtime::capability::{Answer, Caller, Fault, FaultCode, Images};
use aileron_runtime::http::HttpClient;
use futures_util::FutureExt;
use serde_json::json;
use tokio::sync::Mutex;

use crate::generator::{Drawing, Generator, Shape};
use crate::inspect::{Unfit, inspect};
use crate::store::{Attempt, Fresh, ImageStore};

const OPEN: &str =
    "an earlier attempt with this key may have made the images; they are not made again";
const EMPTY: &str = "expected a prompt, found none";

/// How often the person hears that an image is still being made.
const HEARTBEAT: Duration = Duration::from_secs(2);

/// What is asked and kept at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageLimits {
    pub prompt_bytes: usize,
    pub image_bytes: usize,
    pub count: u32,
    /// For one picture.
    pub timeout: Duration,
    pub max_age: Duration,
}

impl Default for ImageLimits {
    fn default() -> Self {
        Self {
            prompt_bytes: 16 * 1024,
            image_bytes: 16 << 20,
            count: 4,
            timeout: Duration::from_secs(55),
            max_age: Duration::from_secs(30 * 24 * 3600),
        }
    }
}

/// Images made by any generator.
#[derive(Debug, Clone)]
pub struct ImageEngine {
    generator: Arc<dyn Generator>,
    store: ImageStore,
    limits: ImageLimits,
    /// To look at images on the web; none means that none are shown.
    web: Option<Arc<HttpClient>>,
    clock: Arc<dyn Clock>,
    running: Running,
}

/// The keys that are being made in this process: a second request waits for the first.
#[derive(Debug, Clone, Default)]
struct Running(Arc<StdMutex<HashMap<String, Weak<Mutex<()>>>>>);

impl Running {
    fn gate(&self, key: &str) -> Arc<Mutex<()>> {
        let mut gates = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        gates.retain(|_, gate| gate.strong_count() > 0);
        if let Some(gate) = gates.get(key).and_then(Weak::upgrade) {
            return gate;
        }
        let gate = Arc::new(Mutex::new(()));
        gates.insert(key.to_owned(), Arc::downgrade(&gate));
        gate
    }
}

impl ImageEngine {
    /// An engine that keeps what this generator makes.
    pub fn new(
        generator: Arc<dyn Generator>,
        store: ImageStore,
        limits: ImageLimits,
        web: Option<Arc<HttpClient>>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { generator, store, limits, web, clock, running: Running::default() }
    }

    /// The images, for a server that shows them.
    pub fn store(&self) -> &ImageStore {
        &self.store
    }

    fn now_ms(&self) -> i64 {
        i64::try_from(self.clock.now_ms()).unwrap_or(i64::MAX)
    }

    async fn make(
        self,
        conversation: String,
        request: GenerateRequest,
        progress: Progress,
    ) -> Result<Vec<Image>, Fault> {
        let shape = self.check(&request)?;
        let key = request.idempotency_key.clone();
        let gate = self.running.gate(&format!("{conversation}\n{key}"));
        let _one_at_a_time = gate.lock().await;
        match self.store.begin(conversation.clone(), key.clone(), self.now_ms()).await? {
            Attempt::Made(images) => return Ok(images),
            Attempt::Open if !self.generator.is_free() => {
                return Err(Fault::new(FaultCode::Timeout, OPEN));
            }
            Attempt::Open | Attempt::First => {}
        }
        let drawn = self.draw_all(&request, shape, &progress).await;
        let pictures = match drawn {
            Ok(pictures) => pictures,
            Err(fault) => {
                // What was refused for certain may be tried again with the same key.
                if fault.code != FaultCode::Timeout {
                    self.store.forget(conversation, key).await?;
                }
                return Err(fault);
            }
        };
        let age = i64::try_from(self.limits.max_age.as_millis()).unwrap_or(i64::MAX);
        let oldest = self.now_ms().saturating_sub(age);
        self.store.keep(conversation, key, pictures, self.now_ms(), oldest).await
    }

    fn check(&self, request: &GenerateRequest) -> Result<Shape, Fault> {
        let (most, length) =
            (self.limits.prompt_bytes, request.prompt.len() + request.negative_prompt.len());
        if request.prompt.trim().is_empty() {
            return Err(refused(EMPTY));
        }
        if length > most {
            return Err(refused(&format!(
                "expected a prompt of at most {most} bytes, found {length}"
            )));
        }
        if request.count == 0 || request.count > self.limits.count {
            return Err(refused(&format!(
                "expected 1 to {} images, found {}",
                self.limits.count, request.count
            )));
        }
        Shape::named(&request.aspect_ratio).ok_or_else(|| {
            refused(&format!(
                "expected an aspect ratio such as 16:9, found {:?}",
                request.aspect_ratio
            ))
        })
    }

    /// One after the other: a provider counts them all against the same limits.
    async fn draw_all(
        &self,
        request: &GenerateRequest,
        shape: Shape,
        progress: &Progress,
    ) -> Result<Vec<Fresh>, Fault> {
        let mut pictures = Vec::new();
        for number in 0..request.count {
            let drawing = Drawing {
                prompt: request.prompt.clone(),
                negative_prompt: request.negative_prompt.clone(),
                shape,
                number,
            };
            let drawn = self.draw_one(drawing, request.count, progress).await;
            match drawn {
                Ok(picture) => pictures.push(picture),
                // What was made is worth more than an error.
                Err(_) if !pictures.is_empty() => break,
                Err(fault) => return Err(fault),
            }
        }
        Ok(pictures)
    }

    async fn draw_one(
        &self,
        drawing: Drawing,
        count: u32,
        progress: &Progress,
    ) -> Result<Fresh, Fault> {
        let number = drawing.number + 1;
        let late = || {
            let seconds = self.limits.timeout.as_secs();
            Fault::new(FaultCode::Timeout, format!("no image within {seconds} s"))
        };
        let work = tokio::time::timeout(self.limits.timeout, self.generator.draw(drawing));
        tokio::pin!(work);
        let mut beats = 0;
        let picture = loop {
            tokio::select! {
                done = &mut work => break done.unwrap_or_else(|_| Err(late()))?,
                () = tokio::time::sleep(HEARTBEAT) => {
                    beats += 1;
                    let seconds = beats * HEARTBEAT.as_secs();
                    progress.tell(json!({ "message": format!("image {number} of {count}: {seconds} s so far") }));
                }
            }
        };
        let fresh = self.checked(picture.0)?;
        progress.tell(json!({ "message": format!("image {number} of {count} is made") }));
        Ok(fresh)
    }

    fn checked(&self, bytes: Vec<u8>) -> Result<Fresh, Fault> {
        let most = self.limits.image_bytes;
        if bytes.len() > most {
            return Err(unusable(&format!("expected at most {most} bytes, found {}", bytes.len())));
        }
        let what = inspect(&bytes).map_err(|unfit| unusable(&unfit.to_string()))?;
        Ok(Fresh { what, bytes, made_by: self.generator.name() })
    }

    async fn seen(self, url: String) -> Result<Seen, Fault> {
        let web = self.web.as_ref();
        let web = web
            .ok_or_else(|| Fault::new(FaultCode::Unavailable, "no way to the web is configured"))?;
        let looked = web.look(&url, self.limits.image_bytes).await?;
        if looked.status != 200 {
            return Err(refused(&format!("expected an image, found status {}", looked.status)));
        }
        let what = inspect(&looked.bytes).map_err(|unfit: Unfit| refused(&unfit.to_string()))?;
        Ok(Seen {
            content_type: what.kind.content_type().to_owned(),
            bytes: looked.bytes.len() as u64,
            width: what.width,
            height: what.height,
        })
    }
}

impl Images for ImageEngine {
    fn generate(
        &self,
        caller: &Caller,
        request: GenerateRequest,
        progress: Progress,
    ) -> Answer<Vec<Image>> {
        self.clone().make(caller.conversation.to_string(), request, progress).boxed()
    }

    fn get(&self, caller: &Caller, request: ImageRequest) -> Answer<Option<Image>> {
        self.store.find(caller.conversation.to_string(), request.id)
    }

    fn look(&self, _: &Caller, request: LookRequest) -> Answer<Seen> {
        self.clone().seen(request.url).boxed()
    }
}

fn refused(message: &str) -> Fault {
    Fault::new(FaultCode::Refused, message)
}

/// The service answered, and not with an image that can be used.
fn unusable(why: &str) -> Fault {
    Fault::new(FaultCode::Unavailable, format!("the image service gave no usable image: {why}"))
}
