//! The engine behind the `images` capability: the images of one key are made once, each is checked
//! and stored as it arrives, and a long request reports progress and ends in time.

mod time;

use std::collections::HashMap;
use std::sync::{Arc, Mutex as StdMutex, PoisonError, Weak};
use std::time::Duration;

use aileron_capability::Clock;
use aileron_capability::http::HttpClient;
use aileron_capability::images::{
    GenerateRequest, GeneratedImages, Image, ImageRequest, LookRequest, MissingImage, ProbedImage,
    ProgressSink,
};
use aileron_capability::{Answer, Caller, CapabilityFault, FaultCode, Images};
use futures_util::FutureExt;
use serde_json::json;
use tokio::sync::Mutex;
use tokio::time::Instant;

use self::time::RequestTime;
use crate::generator::{AspectRatio, Generator, ImageSpec, UncheckedImage};
use crate::inspect::{ImageError, ImageFacts, inspect};
use crate::store::{ImageSlot, ImageStore, SlotState, ValidatedImage};

const OPEN: &str = "an earlier attempt with this key may have made it; it is not made again";
const NOT_TRIED: &str = "not begun, since the one before it was not made";
const EMPTY: &str = "expected a prompt, found none";

/// Interval of the progress reports to the person.
const HEARTBEAT: Duration = Duration::from_secs(2);

/// The limits of requests and images.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageLimits {
    pub prompt_bytes: usize,
    pub image_bytes: usize,
    pub count: u32,
    /// Maximum time for one image.
    pub timeout: Duration,
}

impl Default for ImageLimits {
    fn default() -> Self {
        Self {
            prompt_bytes: 16 * 1024,
            image_bytes: 16 << 20,
            count: 4,
            timeout: Duration::from_secs(55),
        }
    }
}

/// Images made by any generator.
#[derive(Debug, Clone)]
pub struct ImageEngine {
    generator: Arc<dyn Generator>,
    store: ImageStore,
    limits: ImageLimits,
    /// The HTTP client that fetches images from the web; if absent, none are fetched.
    web: Option<Arc<HttpClient>>,
    clock: Arc<dyn Clock>,
    running: InFlightKeys,
}

/// The keys whose images are being made in this process: a second request waits for the first.
#[derive(Debug, Clone, Default)]
struct InFlightKeys(Arc<StdMutex<HashMap<String, Weak<Mutex<()>>>>>);

impl InFlightKeys {
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

/// One requested image.
struct Job<'a> {
    request: &'a GenerateRequest,
    shape: AspectRatio,
    slot: ImageSlot,
    progress: &'a ProgressSink,
}

impl Job<'_> {
    fn drawing(&self) -> ImageSpec {
        ImageSpec {
            prompt: self.request.prompt.clone(),
            negative_prompt: self.request.negative_prompt.clone(),
            shape: self.shape,
            number: self.slot.number,
        }
    }

    fn tell(&self, message: String) {
        self.progress.tell(json!({ "message": message }));
    }
}

impl ImageEngine {
    /// An engine that stores the images of this generator.
    pub fn new(
        generator: Arc<dyn Generator>,
        store: ImageStore,
        limits: ImageLimits,
        web: Option<Arc<HttpClient>>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { generator, store, limits, web, clock, running: InFlightKeys::default() }
    }

    /// The images, for a server that shows them.
    pub fn store(&self) -> &ImageStore {
        &self.store
    }

    async fn make(
        self,
        conversation: String,
        request: GenerateRequest,
        progress: ProgressSink,
    ) -> Result<GeneratedImages, CapabilityFault> {
        let shape = self.check(&request)?;
        let mut time = RequestTime::within(progress.time_left());
        let key = request.idempotency_key.clone();
        let gate = self.running.gate(&format!("{conversation}\n{key}"));
        let _one_at_a_time = gate.lock().await;
        let mut images = Vec::new();
        // One after the other: a provider counts them all against the same limits.
        for number in 0..request.count {
            let slot = ImageSlot { conversation: conversation.clone(), key: key.clone(), number };
            let job = Job { request: &request, shape, slot, progress: &progress };
            match self.make_one(job, &mut time).await {
                Ok(image) => images.push(image),
                Err(fault) if images.is_empty() => return Err(fault),
                // The finished images are returned instead of an error; no further image is
                // requested.
                Err(fault) => {
                    let missing = missing(number, request.count, &fault);
                    return Ok(GeneratedImages { images, requested: request.count, missing });
                }
            }
        }
        Ok(GeneratedImages { images, requested: request.count, missing: Vec::new() })
    }

    /// The image of a slot: the stored one, or a new one that is stored.
    async fn make_one(
        &self,
        job: Job<'_>,
        time: &mut RequestTime,
    ) -> Result<Image, CapabilityFault> {
        match self.store.begin(&job.slot, self.clock.now_ms()).await? {
            SlotState::Made(image) => return Ok(image),
            SlotState::Failed(reason) => {
                return Err(CapabilityFault::new(FaultCode::Unusable, reason));
            }
            SlotState::Open if !self.generator.is_free() => {
                return Err(CapabilityFault::new(FaultCode::Timeout, OPEN));
            }
            SlotState::Open | SlotState::First => {}
        }
        let began = Instant::now();
        match self.draw(&job, time.for_one(self.limits.timeout)).await {
            Ok(fresh) => {
                time.took(began.elapsed());
                let kept = self.store.keep(&job.slot, fresh, self.clock.now_ms()).await;
                kept.map_err(|fault| self.not_kept(fault))
            }
            Err(fault) => {
                // If the attempt cannot be recorded, none is made, so nothing is paid for twice.
                let _ = self.note_failure(&job.slot, &fault).await;
                Err(fault)
            }
        }
    }

    /// An attempt that was certainly refused may be repeated with the same key; one that may have
    /// been charged may not.
    async fn note_failure(
        &self,
        slot: &ImageSlot,
        fault: &CapabilityFault,
    ) -> Result<(), CapabilityFault> {
        match fault.code {
            FaultCode::Timeout => Ok(()),
            FaultCode::Unusable => self.store.fail(slot, &fault.message).await,
            _ => self.store.forget(slot).await,
        }
    }

    /// An image that was paid for and is lost is not made again with the same key.
    fn not_kept(&self, fault: CapabilityFault) -> CapabilityFault {
        match self.generator.is_free() {
            true => fault,
            false => CapabilityFault::new(
                FaultCode::Unusable,
                format!("the image was made and cannot be kept: {fault}"),
            ),
        }
    }

    fn check(&self, request: &GenerateRequest) -> Result<AspectRatio, CapabilityFault> {
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
        AspectRatio::named(&request.aspect_ratio).ok_or_else(|| {
            refused(&format!(
                "expected an aspect ratio such as 16:9, found {:?}",
                request.aspect_ratio
            ))
        })
    }

    async fn draw(
        &self,
        job: &Job<'_>,
        limit: Result<Duration, CapabilityFault>,
    ) -> Result<ValidatedImage, CapabilityFault> {
        let limit = limit?;
        let (number, count) = (job.slot.number + 1, job.request.count);
        let late = || {
            CapabilityFault::new(
                FaultCode::Timeout,
                format!("no image within {} s", limit.as_secs()),
            )
        };
        let work = tokio::time::timeout(limit, self.generator.draw(job.drawing()));
        tokio::pin!(work);
        let mut beats = 0;
        let picture = loop {
            tokio::select! {
                done = &mut work => break done.unwrap_or_else(|_| Err(late()))?,
                () = tokio::time::sleep(HEARTBEAT) => {
                    beats += 1;
                    let seconds = beats * HEARTBEAT.as_secs();
                    job.tell(format!("image {number} of {count}: {seconds} s so far"));
                }
            }
        };
        let fresh = self.checked(picture, job.shape)?;
        job.tell(format!("image {number} of {count} is made"));
        Ok(fresh)
    }

    fn checked(
        &self,
        picture: UncheckedImage,
        shape: AspectRatio,
    ) -> Result<ValidatedImage, CapabilityFault> {
        let UncheckedImage { bytes, note } = picture;
        let most = self.limits.image_bytes;
        if bytes.len() > most {
            return Err(unusable(&format!("expected at most {most} bytes, found {}", bytes.len())));
        }
        let what = inspect(&bytes).map_err(|unfit| unusable(&unfit.to_string()))?;
        let (made_by, label) = (self.generator.name(), self.generator.label());
        let notes: Vec<String> = note.into_iter().chain(other_shape(&what, shape)).collect();
        let note = (!notes.is_empty()).then(|| notes.join("; "));
        Ok(ValidatedImage { what, bytes, made_by, label, note })
    }

    async fn seen(self, url: String) -> Result<ProbedImage, CapabilityFault> {
        let web = self.web.as_ref();
        let web = web.ok_or_else(|| {
            CapabilityFault::new(
                FaultCode::Unavailable,
                "images cannot be fetched: no HTTP client is configured",
            )
        })?;
        let looked = web.look(&url, self.limits.image_bytes).await?;
        if looked.status != 200 {
            return Err(refused(&format!("expected an image, found status {}", looked.status)));
        }
        let what =
            inspect(&looked.bytes).map_err(|unfit: ImageError| refused(&unfit.to_string()))?;
        Ok(ProbedImage {
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
        progress: ProgressSink,
    ) -> Answer<GeneratedImages> {
        self.clone().make(caller.conversation.to_string(), request, progress).boxed()
    }

    fn get(&self, caller: &Caller, request: ImageRequest) -> Answer<Option<Image>> {
        let now_ms = self.clock.now_ms();
        self.store.find(caller.conversation.to_string(), request.id, now_ms)
    }

    fn look(&self, _: &Caller, request: LookRequest) -> Answer<ProbedImage> {
        self.clone().seen(request.url).boxed()
    }
}

/// The note for people that an image has another aspect ratio than requested.
fn other_shape(what: &ImageFacts, asked: AspectRatio) -> Option<String> {
    let (width, height) = (what.width, what.height);
    let told = || format!("it is {width} x {height} pixels and not {} as asked", asked.name());
    (!asked.is_of(width, height)).then(told)
}

fn refused(message: &str) -> CapabilityFault {
    CapabilityFault::new(FaultCode::Refused, message)
}

/// The images that are missing from this number on, the first of them because of this fault.
fn missing(first: u32, count: u32, fault: &CapabilityFault) -> Vec<MissingImage> {
    let failed = MissingImage {
        number: first + 1,
        reason: fault.message.clone(),
        may_be_charged: matches!(fault.code, FaultCode::Timeout | FaultCode::Unusable),
    };
    let rest = (first + 2..=count).map(|number| MissingImage {
        number,
        reason: NOT_TRIED.to_owned(),
        may_be_charged: false,
    });
    std::iter::once(failed).chain(rest).collect()
}

/// The service answered without a usable image.
fn unusable(why: &str) -> CapabilityFault {
    CapabilityFault::new(
        FaultCode::Unusable,
        format!("the image service gave no usable image: {why}"),
    )
}
