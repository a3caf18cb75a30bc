//! The model's voice: one endless track of 100 ms pieces, exact zeros while it is silent.

use std::collections::VecDeque;

use super::timeline::STEP_MS;
use crate::speech::SpokenPiece;
use crate::vad::AudioCoding;

/// Bytes of PCM16 at 24 kHz per millisecond, in which words are synthesised.
const BYTES_PER_MS: usize = 48;

/// The words that are to be said, and the one that is being said.
#[derive(Debug)]
pub(super) struct Voice {
    coding: AudioCoding,
    pieces: VecDeque<SpokenPiece>,
    /// Sound of words that have begun.
    sound: VecDeque<u8>,
    begun: bool,
}

impl Default for Voice {
    fn default() -> Self {
        Self {
            coding: AudioCoding::Pcm { rate: 24_000 },
            pieces: VecDeque::new(),
            sound: VecDeque::new(),
            begun: false,
        }
    }
}

impl Voice {
    /// The format of the session, which is that of both directions.
    pub(super) fn tune(&mut self, coding: AudioCoding) {
        self.coding = coding;
    }

    pub(super) fn say(&mut self, pieces: Vec<SpokenPiece>) {
        self.pieces.extend(pieces);
    }

    /// Stops speaking. Nothing reports it.
    pub(super) fn cut(&mut self) {
        self.pieces.clear();
        self.sound.clear();
        self.begun = false;
    }

    /// The next 100 ms, and the words that begin in them, with their times.
    pub(super) fn step(&mut self, from_ms: u64) -> (Vec<u8>, Vec<(u64, String)>) {
        let wanted = BYTES_PER_MS * usize::try_from(STEP_MS).unwrap_or_default();
        let mut words = Vec::new();
        while self.sound.len() < wanted {
            let Some(piece) = self.pieces.pop_front() else { break };
            let at = from_ms + (self.sound.len() / BYTES_PER_MS) as u64;
            let text = if self.begun { format!(" {}", piece.text) } else { piece.text };
            self.begun = true;
            words.push((at, text));
            self.sound.extend(piece.pcm);
        }
        if self.sound.is_empty() {
            self.begun = false;
        }
        let length = self.sound.len().min(wanted);
        let mut pcm: Vec<u8> = self.sound.drain(..length).collect();
        pcm.resize(wanted, 0);
        (self.encode(pcm), words)
    }

    /// The sound in the format of the session. Other rates than 24 kHz are approximated.
    fn encode(&self, pcm: Vec<u8>) -> Vec<u8> {
        match self.coding {
            AudioCoding::Pcm { rate: 24_000 } => pcm,
            AudioCoding::Pcm { .. } => {
                let samples = pcm.chunks_exact(2).enumerate().filter(|(at, _)| at % 3 != 2);
                samples.flat_map(|(_, sample)| sample.to_vec()).collect()
            }
            AudioCoding::ULaw => vec![0xff; pcm.len() / 6],
            AudioCoding::ALaw => vec![0xd5; pcm.len() / 6],
        }
    }
}
