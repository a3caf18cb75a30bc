//! Voice activity detection by volume.
//!
//! Time is measured in audio: without audio no time passes.

/// The mean amplitude from which on audio counts as speech.
const THRESHOLD: u64 = 300;

/// Length of the analysed windows.
const PIECE_MS: u64 = 20;

/// A detected event, in milliseconds since the start of the audio.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VadEvent {
    Started { at_ms: u64 },
    Stopped { at_ms: u64, lasted_ms: u64 },
}

/// How the bytes of a stream are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AudioCoding {
    /// Samples of 16 bits.
    Pcm {
        rate: u32,
    },
    /// G.711 at 8 kHz, one byte a sample.
    ULaw,
    ALaw,
}

impl AudioCoding {
    pub(crate) fn bytes_per_ms(self) -> u64 {
        match self {
            Self::Pcm { rate } => u64::from(rate) * 2 / 1000,
            Self::ULaw | Self::ALaw => 8,
        }
    }

    /// The mean amplitude of a window.
    fn loudness(self, piece: &[u8]) -> u64 {
        let (sum, count) = match self {
            Self::Pcm { .. } => {
                let samples = piece.chunks_exact(2);
                let count = samples.len();
                let loud = samples.map(|two| i16::from_le_bytes([two[0], two[1]]).unsigned_abs());
                (loud.map(u64::from).sum::<u64>(), count)
            }
            Self::ULaw => (piece.iter().map(|byte| u_law(*byte)).sum(), piece.len()),
            Self::ALaw => (piece.iter().map(|byte| a_law(*byte)).sum(), piece.len()),
        };
        sum / (count as u64).max(1)
    }
}

/// The size of a sample in µ-law.
fn u_law(byte: u8) -> u64 {
    let bits = !byte;
    let (exponent, mantissa) = (u64::from(bits >> 4 & 7), u64::from(bits & 15));
    (((mantissa << 3) + 132) << exponent) - 132
}

/// The size of a sample in A-law.
fn a_law(byte: u8) -> u64 {
    let bits = byte ^ 0x55;
    let (exponent, mantissa) = (u64::from(bits >> 4 & 7), u64::from(bits & 15));
    match exponent {
        0 => (mantissa << 4) + 8,
        _ => ((mantissa << 4) + 264) << (exponent - 1),
    }
}

/// The detector of one stream.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Vad {
    coding: AudioCoding,
    silence_ms: u64,
    /// Bytes that do not fill a window yet.
    rest: Vec<u8>,
    heard_ms: u64,
    /// When speech began.
    since: Option<u64>,
    quiet_ms: u64,
}

impl Vad {
    pub(crate) fn new(coding: AudioCoding, silence_ms: u64) -> Self {
        Self { coding, silence_ms, rest: Vec::new(), heard_ms: 0, since: None, quiet_ms: 0 }
    }

    pub(crate) fn coding(&self) -> AudioCoding {
        self.coding
    }

    /// Changes the silence length or the coding; keeps the state.
    pub(crate) fn tune(&mut self, coding: AudioCoding, silence_ms: u64) {
        if coding != self.coding {
            self.rest.clear();
        }
        (self.coding, self.silence_ms) = (coding, silence_ms);
    }

    /// The duration of this many bytes.
    pub(crate) fn ms(&self, bytes: usize) -> u64 {
        bytes as u64 / self.coding.bytes_per_ms().max(1)
    }

    pub(crate) fn is_hearing(&self) -> bool {
        self.since.is_some()
    }

    /// Processes more of the stream.
    pub(crate) fn hear(&mut self, bytes: &[u8]) -> Vec<VadEvent> {
        let size = usize::try_from(self.coding.bytes_per_ms() * PIECE_MS).unwrap_or(2).max(2);
        let mut noticed = Vec::new();
        self.rest.extend_from_slice(bytes);
        let whole = self.rest.len() / size * size;
        let pieces: Vec<u8> = self.rest.drain(..whole).collect();
        for piece in pieces.chunks_exact(size) {
            noticed.extend(self.judge(piece));
        }
        noticed
    }

    fn judge(&mut self, piece: &[u8]) -> Option<VadEvent> {
        self.heard_ms += PIECE_MS;
        if self.coding.loudness(piece) >= THRESHOLD {
            self.quiet_ms = 0;
            return self.start();
        }
        self.quiet_ms += PIECE_MS;
        if self.quiet_ms >= self.silence_ms { self.stop() } else { None }
    }

    fn start(&mut self) -> Option<VadEvent> {
        if self.is_hearing() {
            return None;
        }
        let at_ms = self.heard_ms - PIECE_MS;
        self.since = Some(at_ms);
        Some(VadEvent::Started { at_ms })
    }

    /// Ends the speech, independent of the stream.
    pub(crate) fn stop(&mut self) -> Option<VadEvent> {
        let since = self.since.take()?;
        let at_ms = self.heard_ms.saturating_sub(self.quiet_ms).max(since);
        Some(VadEvent::Stopped { at_ms, lasted_ms: at_ms - since })
    }
}

#[cfg(test)]
#[path = "vad_tests.rs"]
mod tests;
