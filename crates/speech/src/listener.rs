//! Hears one caller: sound in, what the person says out. Frames of any length go in, in order; the start of
//! speech, interim and final transcripts and the end of speech come out. It blocks while it transcribes, so it
//! runs on a thread of its own (`ear`).

mod segment;

use std::sync::Arc;

use self::segment::{Change, Detector};
use crate::audio::{Format, Intake, RATE};
use crate::engine::Engine;
use crate::error::SpeechError;
use crate::network::Lane;
use crate::stt::Transcript;
use crate::turn;
use crate::vad::{VadState, WINDOW};

/// Sound before the start of speech that belongs to it: a third of a second.
const LEAD: usize = WINDOW * 10;

/// The longest piece that is transcribed at once; longer speech is cut where it is quietest.
const LONGEST_PIECE: usize = RATE as usize * 14;

/// The longest utterance: a minute and a half. After that a person who goes on begins another one.
const LONGEST_UTTERANCE: usize = RATE as usize * 90;

/// The first interim transcript comes after this much speech; the time between two grows with the length.
const FIRST_INTERIM: usize = RATE as usize * 9 / 10;

/// A transcript below this confidence is not used: on sound that is not speech the network invents words.
const LEAST_CONFIDENCE: f32 = 0.45;

/// An event of hearing one caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    SpeechStarted,
    /// All words of the utterance so far; the next one replaces it.
    Interim(String),
    SpeechEnded,
    /// All words of the utterance, which is over.
    Final(String),
    /// The utterance is over, and its words could not be made out.
    Unclear,
    /// The sound turned out not to be speech: nothing was said.
    Nothing,
}

/// Hears one caller.
#[derive(Debug)]
pub struct Listener {
    engine: Arc<Engine>,
    lane: Lane,
    intake: Intake,
    vad: VadState,
    detector: Detector,
    /// Samples that do not fill a window yet.
    rest: Vec<f32>,
    /// The sound of the current piece, or the lead before speech.
    piece: Vec<f32>,
    /// How likely each window of the piece is speech.
    likely: Vec<f32>,
    /// Words of earlier pieces of the utterance.
    words: String,
    utterance: usize,
    /// The length of the piece at the next interim transcript.
    next_interim: usize,
    /// The transcript of the piece, if no speech came since.
    current: Option<Transcript>,
}

impl Listener {
    pub fn new(engine: Arc<Engine>, format: Format) -> Self {
        Self {
            engine,
            lane: crate::network::lane(),
            intake: Intake::new(format),
            vad: VadState::default(),
            detector: Detector::default(),
            rest: Vec::new(),
            piece: Vec::new(),
            likely: Vec::new(),
            words: String::new(),
            utterance: 0,
            next_interim: FIRST_INTERIM,
            current: None,
        }
    }

    /// Takes a frame of sound.
    pub fn push(&mut self, frame: &[u8], heard: &mut Vec<Heard>) -> Result<(), SpeechError> {
        let mut samples = std::mem::take(&mut self.rest);
        self.intake.push(frame, &mut samples);
        let (windows, rest) = samples.as_chunks::<WINDOW>();
        for window in windows {
            self.window(window, heard)?;
        }
        self.rest = rest.to_vec();
        Ok(())
    }

    /// The microphone was turned off: the utterance ends here.
    pub fn end(&mut self, heard: &mut Vec<Heard>) -> Result<(), SpeechError> {
        let is_speaking = self.detector.is_speaking();
        self.detector = Detector::default();
        if is_speaking { self.finish(heard) } else { Ok(()) }
    }

    fn window(
        &mut self,
        window: &[f32; WINDOW],
        heard: &mut Vec<Heard>,
    ) -> Result<(), SpeechError> {
        let likely = self.engine.vad.judge(window, &mut self.vad, &self.lane)?;
        self.piece.extend_from_slice(window);
        self.likely.push(likely);
        match self.detector.on(likely) {
            Change::Quiet => self.keep_lead(),
            Change::Started => heard.push(Heard::SpeechStarted),
            Change::Speaking => {
                self.utterance += WINDOW;
                self.current = None;
                self.while_speaking(heard)?;
            }
            Change::Pausing { silent_ms } => {
                self.utterance += WINDOW;
                self.while_pausing(silent_ms, heard)?;
            }
        }
        Ok(())
    }

    fn keep_lead(&mut self) {
        let old = self.piece.len().saturating_sub(LEAD);
        self.piece.drain(..old);
        self.likely.drain(..old / WINDOW);
    }

    fn while_speaking(&mut self, heard: &mut Vec<Heard>) -> Result<(), SpeechError> {
        if self.utterance >= LONGEST_UTTERANCE {
            self.detector = Detector::default();
            return self.finish(heard);
        }
        if self.piece.len() >= LONGEST_PIECE {
            return self.cut(heard);
        }
        if self.piece.len() >= self.next_interim {
            self.next_interim = self.piece.len() + FIRST_INTERIM.max(self.piece.len() / 3);
            self.interim(heard)?;
        }
        Ok(())
    }

    /// Transcribes early in a pause, so that the words are ready when the pause is long enough.
    fn while_pausing(&mut self, silent_ms: u64, heard: &mut Vec<Heard>) -> Result<(), SpeechError> {
        if silent_ms < segment::EARLY_MS {
            return Ok(());
        }
        if self.current.is_none() {
            self.interim(heard)?;
        }
        let words = self.words_so_far();
        if silent_ms >= turn::pause_ms(&words) {
            self.detector = Detector::default();
            self.finish(heard)?;
        }
        Ok(())
    }

    fn interim(&mut self, heard: &mut Vec<Heard>) -> Result<(), SpeechError> {
        let transcript = self.engine.transcriber.transcribe(&self.piece, &self.lane)?;
        let is_sure = transcript.confidence >= LEAST_CONFIDENCE;
        self.current = Some(transcript);
        let words = self.words_so_far();
        if is_sure && !words.is_empty() {
            heard.push(Heard::Interim(words));
        }
        Ok(())
    }

    fn words_so_far(&self) -> String {
        let current = self.current.as_ref().filter(|one| one.confidence >= LEAST_CONFIDENCE);
        let current = current.map_or("", |transcript| transcript.text.as_str());
        [self.words.as_str(), current].join(" ").trim().to_owned()
    }

    /// Keeps the words up to the quietest place of the last seconds.
    fn cut(&mut self, heard: &mut Vec<Heard>) -> Result<(), SpeechError> {
        let from = self.likely.len() * 2 / 3;
        let quietest =
            (from..self.likely.len()).min_by(|a, b| self.likely[*a].total_cmp(&self.likely[*b]));
        let windows = quietest.unwrap_or(self.likely.len()) + 1;
        let rest = self.piece.split_off((windows * WINDOW).min(self.piece.len()));
        self.interim(heard)?;
        self.words = self.words_so_far();
        self.piece = rest;
        self.likely.drain(..windows.min(self.likely.len()));
        self.current = None;
        self.next_interim = self.piece.len() + FIRST_INTERIM;
        Ok(())
    }

    fn finish(&mut self, heard: &mut Vec<Heard>) -> Result<(), SpeechError> {
        if self.current.is_none() {
            let transcript = self.engine.transcriber.transcribe(&self.piece, &self.lane)?;
            self.current = Some(transcript);
        }
        heard.push(Heard::SpeechEnded);
        let words = self.words_so_far();
        let spoken_ms =
            self.likely.iter().filter(|likely| **likely >= 0.5).count() as u64 * segment::WINDOW_MS;
        heard.push(match words.is_empty() {
            false => Heard::Final(words),
            true if spoken_ms < segment::LEAST_SPEECH_MS => Heard::Nothing,
            true => Heard::Unclear,
        });
        self.piece.clear();
        self.likely.clear();
        self.words.clear();
        self.utterance = 0;
        self.next_interim = FIRST_INTERIM;
        self.current = None;
        Ok(())
    }
}
