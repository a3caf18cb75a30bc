//! A caller's ear and mouth: a thread that hears and a thread that speaks, so that neither blocks the tasks that
//! move the sound. Both end when their owner drops them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, SyncSender, TrySendError};
use std::thread;

use crate::audio::{Format, to_pcm16};
use crate::engine::{CallerPermit, Engine};
use crate::error::SpeechError;
use crate::listener::{Heard, Listener};
use crate::network;

/// Frames that wait to be heard; at 20 ms a frame these are ten seconds.
const WAITING_FRAMES: usize = 500;

/// Sentences that wait to be spoken. A longer text waits with its writer.
const WAITING_SENTENCES: usize = 256;

enum EarInput {
    Frame(Vec<u8>),
    End,
}

/// Hears one caller on its own thread.
#[derive(Debug)]
pub struct Ear {
    input: SyncSender<EarInput>,
    dropped: u64,
}

impl Ear {
    /// Starts to hear. `tell` is called on the ear's thread.
    pub fn open(
        permit: CallerPermit,
        format: Format,
        mut tell: impl FnMut(Result<Heard, SpeechError>) + Send + 'static,
    ) -> Self {
        let (input, frames) = mpsc::sync_channel(WAITING_FRAMES);
        thread::spawn(move || {
            let mut listener = Listener::new(Arc::clone(permit.engine()), format);
            let mut heard = Vec::new();
            while let Ok(input) = frames.recv() {
                let done = match input {
                    EarInput::Frame(frame) => listener.push(&frame, &mut heard),
                    EarInput::End => listener.end(&mut heard),
                };
                heard.drain(..).for_each(|heard| tell(Ok(heard)));
                if let Err(error) = done {
                    return tell(Err(error));
                }
            }
        });
        Self { input, dropped: 0 }
    }

    /// Takes a frame. If the ear is far behind, the frame is dropped and counted.
    pub fn push(&mut self, frame: &[u8]) {
        match self.input.try_send(EarInput::Frame(frame.to_vec())) {
            Ok(()) | Err(TrySendError::Disconnected(_)) => {}
            Err(TrySendError::Full(_)) => self.dropped += 1,
        }
    }

    /// The microphone was turned off.
    pub fn end(&mut self) {
        // An ear that is ten seconds behind reaches the end of speech by the silence that follows.
        let _ = self.input.try_send(EarInput::End);
    }

    /// How many frames were dropped.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }
}

/// A group of words as sound, with the ticket of its sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spoken {
    pub ticket: u64,
    /// The written words, with the space after them.
    pub words: String,
    /// PCM16 at 24 kHz.
    pub pcm: Vec<u8>,
    /// Whether this is the last group of its sentence.
    pub is_last: bool,
}

/// Speaks for one caller on its own thread.
#[derive(Debug)]
pub struct Mouth {
    sentences: SyncSender<(u64, String)>,
    /// Sentences with a lower ticket are not spoken any more.
    oldest: Arc<AtomicU64>,
}

impl Mouth {
    /// Starts to speak. `tell` is called on the mouth's thread.
    pub fn open(
        engine: Arc<Engine>,
        mut tell: impl FnMut(Result<Spoken, SpeechError>) + Send + 'static,
    ) -> Self {
        let (sentences, queue) = mpsc::sync_channel::<(u64, String)>(WAITING_SENTENCES);
        let oldest = Arc::new(AtomicU64::new(0));
        let first = Arc::clone(&oldest);
        thread::spawn(move || {
            let lane = network::lane();
            while let Ok((ticket, sentence)) = queue.recv() {
                let is_stale = || ticket < first.load(Ordering::Acquire);
                if is_stale() {
                    continue;
                }
                let speech = match engine.synthesizer.speak(&sentence, &lane) {
                    Ok(speech) => speech,
                    Err(error) => return tell(Err(error)),
                };
                let (mut from, last) = (0, speech.groups.len().saturating_sub(1));
                for (at, (words, to)) in speech.groups.into_iter().enumerate() {
                    if is_stale() {
                        break;
                    }
                    let pcm = to_pcm16(speech.samples.get(from..to).unwrap_or_default());
                    from = to;
                    tell(Ok(Spoken { ticket, words, pcm, is_last: at == last }));
                }
            }
        });
        Self { sentences, oldest }
    }

    /// Queues a sentence. Returns whether there was room for it.
    pub fn say(&self, ticket: u64, sentence: &str) -> bool {
        self.sentences.try_send((ticket, sentence.to_owned())).is_ok()
    }

    /// Drops every sentence below this ticket, also the one that is being made.
    pub fn drop_below(&self, ticket: u64) {
        self.oldest.fetch_max(ticket, Ordering::AcqRel);
    }
}
