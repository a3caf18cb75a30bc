//! Speech to text, by the Moonshine networks: an encoder of the sound, and a decoder that is run once per token.
//!
//! Three faults of these networks are handled here. They may end before the first token on clear speech, so that
//! the end is forbidden there. They may repeat themselves without an end, so that the number of tokens is capped
//! by the length of the sound. They invent words for sound that is not speech; callers give them speech alone,
//! and [`Transcript::confidence`] shows what is doubtful.

mod tokens;

use std::path::Path;

use aileron_models::Model;
use rten::{NodeId, Value, ValueOrView};
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;

use self::tokens::Tokens;
use crate::audio::RATE;
use crate::error::SpeechError;
use crate::network::{Lane, Network};

const BEGIN: i32 = 1;
const END: i32 = 2;

/// The most tokens that people speak in a second.
const TOKENS_PER_SECOND: f32 = 6.5;

/// The least sound that the encoder accepts, a quarter of a second; shorter sound is padded with silence.
const LEAST_SAMPLES: usize = RATE as usize / 4;

/// The most sound that is transcribed at once; the rest is not read.
pub const MOST_SAMPLES: usize = RATE as usize * 30;

/// How accurate the transcription is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Accuracy {
    /// The small networks.
    #[default]
    Tiny,
    /// The larger ones, which take about half as long again.
    Base,
}

impl Accuracy {
    /// The model with the weights.
    pub const fn model(self) -> &'static Model {
        match self {
            Self::Tiny => &Model::MOONSHINE_TINY,
            Self::Base => &Model::MOONSHINE_BASE,
        }
    }

    const fn files(self) -> [&'static str; 2] {
        match self {
            Self::Tiny => ["moonshine-tiny-encoder.onnx", "moonshine-tiny-decoder.onnx"],
            Self::Base => ["moonshine-base-encoder.onnx", "moonshine-base-decoder.onnx"],
        }
    }

    /// Layers of the decoder, and the width of each of its eight heads.
    const fn shape(self) -> (usize, usize) {
        match self {
            Self::Tiny => (6, 36),
            Self::Base => (8, 52),
        }
    }
}

/// The text of a piece of speech.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Transcript {
    pub text: String,
    /// The mean probability of the tokens, from 0 to 1.
    pub confidence: f32,
}

/// The networks, shared by all callers.
#[derive(Debug)]
pub struct Transcriber {
    encoder: Network,
    encoder_nodes: [NodeId; 2],
    decoder: Network,
    ids: NodeId,
    states: NodeId,
    is_cached: NodeId,
    /// The decoder's memory: its inputs, in the order of the outputs that replace them.
    caches: Vec<CacheNodes>,
    outputs: Vec<NodeId>,
    head: usize,
    tokens: Tokens,
}

#[derive(Debug)]
struct CacheNodes {
    input: NodeId,
    /// Whether it depends on the sound alone, and so is computed once.
    of_sound: bool,
}

const HEADS: usize = 8;

impl Transcriber {
    pub(crate) fn load(accuracy: Accuracy, folder: &Path) -> Result<Self, SpeechError> {
        let [encoder, decoder] = accuracy.files();
        let encoder = Network::load(accuracy.model(), encoder, folder)?;
        let decoder = Network::load(accuracy.model(), decoder, folder)?;
        let (layers, head) = accuracy.shape();
        let mut caches = Vec::new();
        let mut outputs = vec![decoder.node("logits")?];
        for layer in 0..layers {
            for (part, of_sound) in [("decoder", false), ("encoder", true)] {
                for kind in ["key", "value"] {
                    let input = decoder.node(&format!("past_key_values.{layer}.{part}.{kind}"))?;
                    outputs.push(decoder.node(&format!("present.{layer}.{part}.{kind}"))?);
                    caches.push(CacheNodes { input, of_sound });
                }
            }
        }
        let encoder_output =
            *encoder.outputs().first().ok_or_else(|| encoder.fault("no output"))?;
        Ok(Self {
            encoder_nodes: [encoder.node("input_values")?, encoder_output],
            ids: decoder.node("input_ids")?,
            states: decoder.node("encoder_hidden_states")?,
            is_cached: decoder.node("use_cache_branch")?,
            encoder,
            decoder,
            caches,
            outputs,
            head,
            tokens: Tokens::shared(),
        })
    }

    /// The text of this speech, which is at 16 kHz.
    pub(crate) fn transcribe(
        &self,
        speech: &[f32],
        lane: &Lane,
    ) -> Result<Transcript, SpeechError> {
        let speech = speech.get(..MOST_SAMPLES).unwrap_or(speech);
        let most = (speech.len() as f32 / RATE as f32 * TOKENS_PER_SECOND).ceil() as usize;
        let states = self.encode(speech, lane)?;
        let (ids, confidence) = self.decode(&states, most.max(3), lane)?;
        Ok(Transcript { text: self.tokens.text(&ids), confidence })
    }

    fn encode(&self, speech: &[f32], lane: &Lane) -> Result<Value, SpeechError> {
        let mut samples = speech.to_vec();
        samples.resize(samples.len().max(LEAST_SAMPLES), 0.0);
        let sound = NdTensor::from_data([1, samples.len()], samples);
        let [input, output] = self.encoder_nodes;
        let states = self.encoder.run(vec![(input, sound.into())], &[output], lane)?;
        states.into_iter().next().ok_or_else(|| self.encoder.fault("it gave no output"))
    }

    /// Takes the likeliest token each time, until the end or the cap.
    fn decode(
        &self,
        states: &Value,
        most: usize,
        lane: &Lane,
    ) -> Result<(Vec<i32>, f32), SpeechError> {
        let empty = || NdTensor::<f32, 4>::from_data([0, HEADS, 1, self.head], Vec::new());
        let mut caches: Vec<Value> = self.caches.iter().map(|_| empty().into()).collect();
        let (mut ids, mut sure) = (Vec::new(), 0.0);
        let mut last = BEGIN;
        while ids.len() < most {
            let first = ids.is_empty();
            let mut outputs = self.step(last, first, states, &caches, lane)?.into_iter();
            let logits = outputs.next().and_then(Value::into_tensor::<f32>);
            let logits = logits.ok_or_else(|| self.decoder.fault("it gave no logits"))?.to_vec();
            for ((cache, nodes), output) in caches.iter_mut().zip(&self.caches).zip(outputs) {
                if first || !nodes.of_sound {
                    *cache = output;
                }
            }
            let (token, probability) = likeliest(&logits, first);
            if token == END || repeats(&ids) {
                break;
            }
            sure += probability;
            ids.push(token);
            last = token;
        }
        let confidence = if ids.is_empty() { 0.0 } else { sure / ids.len() as f32 };
        Ok((ids, confidence))
    }

    fn step(
        &self,
        token: i32,
        first: bool,
        states: &Value,
        caches: &[Value],
        lane: &Lane,
    ) -> Result<Vec<Value>, SpeechError> {
        let ids = NdTensor::from_data([1, 1], vec![token]);
        let is_cached = NdTensor::from_data([1], vec![i32::from(!first)]);
        let mut inputs: Vec<(NodeId, ValueOrView<'_>)> = vec![
            (self.ids, ids.into()),
            (self.states, states.as_view().into()),
            (self.is_cached, is_cached.into()),
        ];
        for (nodes, cache) in self.caches.iter().zip(caches) {
            inputs.push((nodes.input, cache.as_view().into()));
        }
        self.decoder.run(inputs, &self.outputs, lane)
    }
}

/// The likeliest token with its probability. The end is not allowed as the first token.
fn likeliest(logits: &[f32], first: bool) -> (i32, f32) {
    let allowed = |(id, _): &(usize, &f32)| !(first && *id as i32 == END);
    let best = logits.iter().enumerate().filter(allowed).max_by(|a, b| a.1.total_cmp(b.1));
    let (id, top) = best.map_or((END, 0.0), |(id, top)| (id as i32, *top));
    let sum: f32 = logits.iter().map(|logit| (logit - top).exp()).sum();
    (id, if sum > 0.0 { 1.0 / sum } else { 0.0 })
}

/// Whether the last tokens are one short sequence three times over, which people do not say.
fn repeats(ids: &[i32]) -> bool {
    (2..=8).any(|length| {
        let Some(start) = ids.len().checked_sub(3 * length) else { return false };
        let tail = &ids[start..];
        tail[..length] == tail[length..2 * length] && tail[length..2 * length] == tail[2 * length..]
    })
}

#[cfg(test)]
#[path = "stt_tests.rs"]
mod tests;
