//! The networks of local speech, loaded once and shared by all callers, of which there is a limited number.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use aileron_models::Model;

use crate::error::SpeechError;
use crate::stt::{Accuracy, Transcriber, Transcript};
use crate::tts::{Speech, Synthesizer};
use crate::vad::Vad;

/// Callers that one core carries: each needs a tenth of a core while it speaks or listens, and several may do so
/// in the same second.
const CALLERS_PER_CORE: usize = 4;

/// How local speech is set up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpeechOptions {
    /// The folder of models.
    pub folder: PathBuf,
    pub accuracy: Accuracy,
    /// The most callers at once; by the number of cores if absent.
    pub callers: Option<usize>,
}

impl SpeechOptions {
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), accuracy: Accuracy::default(), callers: None }
    }

    /// Whether the files are there, by name alone.
    pub fn are_models_present(&self) -> bool {
        let models = [&Model::SILERO_VAD, self.accuracy.model(), &Model::HIBARI];
        models.iter().all(|model| model.is_present(&self.folder))
    }
}

/// The loaded networks.
#[derive(Debug)]
pub struct Engine {
    pub(crate) vad: Vad,
    pub(crate) transcriber: Transcriber,
    pub(crate) synthesizer: Synthesizer,
    callers: AtomicUsize,
    most_callers: usize,
}

/// The right of one caller to be served. It is given back when dropped.
#[derive(Debug)]
pub struct CallerPermit {
    engine: Arc<Engine>,
}

impl Engine {
    /// Reads and checks all weights. Takes about a second, so it must not run on an async thread.
    pub fn load(options: &SpeechOptions) -> Result<Arc<Self>, SpeechError> {
        let folder: &Path = &options.folder;
        let lost = || SpeechError::run("speech", "a thread that loaded it broke off");
        let (vad, transcriber, synthesizer) = thread::scope(|scope| {
            let transcriber = scope.spawn(|| Transcriber::load(options.accuracy, folder));
            let synthesizer = scope.spawn(|| Synthesizer::load(folder));
            let vad = Vad::load(folder);
            let transcriber = transcriber.join().unwrap_or_else(|_| Err(lost()));
            (vad, transcriber, synthesizer.join().unwrap_or_else(|_| Err(lost())))
        });
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        Ok(Arc::new(Self {
            vad: vad?,
            transcriber: transcriber?,
            synthesizer: synthesizer?,
            callers: AtomicUsize::new(0),
            most_callers: options.callers.unwrap_or(cores * CALLERS_PER_CORE).max(1),
        }))
    }

    /// Admits a caller, or refuses it if the machine serves as many as it can.
    pub fn enter(self: &Arc<Self>) -> Result<CallerPermit, SpeechError> {
        let most = self.most_callers;
        let more = |callers: usize| (callers < most).then_some(callers + 1);
        match self.callers.fetch_update(Ordering::AcqRel, Ordering::Acquire, more) {
            Ok(_) => Ok(CallerPermit { engine: Arc::clone(self) }),
            Err(callers) => Err(SpeechError::Full { callers }),
        }
    }

    /// Transcribes a recording at 16 kHz, of speech alone.
    pub fn transcribe(&self, speech: &[f32]) -> Result<Transcript, SpeechError> {
        self.transcriber.transcribe(speech, &crate::network::lane())
    }

    /// Speaks a sentence.
    pub fn speak(&self, sentence: &str) -> Result<Speech, SpeechError> {
        self.synthesizer.speak(&crate::spoken::readable(sentence), &crate::network::lane())
    }
}

impl CallerPermit {
    pub fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }
}

impl Drop for CallerPermit {
    fn drop(&mut self) {
        self.engine.callers.fetch_sub(1, Ordering::AcqRel);
    }
}
