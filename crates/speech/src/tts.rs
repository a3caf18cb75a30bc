//! Text to speech, by the Hibari voice: a sentence becomes phonemes (`phonemes`), a network makes the spectrum of
//! each 12.5 ms out of them, and `vocoder` makes sound of that. The voice is behind [`Synthesizer`] alone, so
//! that another can take its place.

mod heteronym;
mod lexicon;
mod oov;
mod phonemes;
mod vocoder;

use std::collections::HashMap;
use std::path::Path;

use aileron_models::Model;
use rten::NodeId;
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;

use self::phonemes::Phonemizer;
use self::vocoder::{Spectrum, Vocoder};
use crate::error::SpeechError;
use crate::network::{Lane, Network, read};
use crate::spoken;

/// The most phonemes that the network is given at once; longer sentences are split between words.
const MOST_PHONEMES: usize = 400;

/// The voice, shared by all callers.
#[derive(Debug)]
pub struct Synthesizer {
    network: Network,
    inputs: [NodeId; 2],
    /// The number of each phoneme.
    numbers: HashMap<char, i32>,
    phonemizer: Phonemizer,
    vocoder: Vocoder,
}

/// The sound of a sentence, at 24 kHz.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Speech {
    pub samples: Vec<f32>,
    /// The written words in groups, each with the sample at which it ends. The places are estimated from the
    /// number of phonemes.
    pub groups: Vec<(String, usize)>,
}

impl Synthesizer {
    pub(crate) fn load(folder: &Path) -> Result<Self, SpeechError> {
        let network = Network::load(&Model::HIBARI, "hibari.onnx", folder)?;
        let inputs = [network.node("ids")?, network.node("speed")?];
        let vocabulary = read(&Model::HIBARI, "hibari-vocab.json", folder)?;
        let numbers: HashMap<char, i32> =
            serde_json::from_slice(&vocabulary).map_err(|error| network.fault(error))?;
        let phonemizer = Phonemizer::load(folder)?;
        Ok(Self { network, inputs, numbers, phonemizer, vocoder: Vocoder::default() })
    }

    /// Speaks a sentence. A sentence without anything that can be spoken gives no sound.
    pub(crate) fn speak(&self, sentence: &str, lane: &Lane) -> Result<Speech, SpeechError> {
        let mut speech = Speech::default();
        for group in self.batches(sentence, lane)? {
            let phonemes: String = group.iter().map(|(_, phonemes)| phonemes.as_str()).collect();
            let samples = self.sound(&phonemes, lane)?;
            let begin = speech.samples.len();
            let all: usize = phonemes.chars().count().max(1);
            let mut before = 0;
            for (words, phonemes) in group {
                before += phonemes.chars().count();
                speech.groups.push((words, begin + samples.len() * before / all));
            }
            speech.samples.extend(samples);
        }
        Ok(speech)
    }

    /// The groups of words with their phonemes, in batches that the network can take at once.
    fn batches(
        &self,
        sentence: &str,
        lane: &Lane,
    ) -> Result<Vec<Vec<(String, String)>>, SpeechError> {
        let mut batches: Vec<Vec<(String, String)>> = Vec::new();
        let mut length = 0;
        for group in spoken::word_groups(sentence) {
            let phonemes = self.phonemizer.phonemes(&spoken::spoken_form(&group), lane)?;
            let count = phonemes.chars().count();
            if batches.is_empty() || length + count > MOST_PHONEMES {
                batches.push(Vec::new());
                length = 0;
            }
            length += count;
            if let Some(batch) = batches.last_mut() {
                batch.push((group, phonemes));
            }
        }
        Ok(batches)
    }

    fn sound(&self, phonemes: &str, lane: &Lane) -> Result<Vec<f32>, SpeechError> {
        let known = phonemes.trim().chars().filter_map(|phoneme| self.numbers.get(&phoneme));
        let ids: Vec<i32> = [0].into_iter().chain(known.copied()).chain([0]).collect();
        if ids.len() < 3 {
            return Ok(Vec::new());
        }
        // A batch may still be longer, if a single group is; the rest of it is left out.
        let ids: Vec<i32> = ids.into_iter().take(MOST_PHONEMES * 2).collect();
        let [to_ids, to_speed] = self.inputs;
        let ids = NdTensor::from_data([1, ids.len()], ids);
        let speed = NdTensor::from_data([1], vec![1.0_f32]);
        let inputs = vec![(to_ids, ids.into()), (to_speed, speed.into())];
        let outputs = self.network.run(inputs, self.network.outputs(), lane)?;
        let outputs: Option<Vec<Vec<f32>>> =
            outputs.into_iter().map(|value| Some(value.into_tensor::<f32>()?.to_vec())).collect();
        let spectrum = outputs.and_then(Spectrum::new);
        let spectrum = spectrum.ok_or_else(|| self.network.fault("it gave another spectrum"))?;
        Ok(self.vocoder.sound(&spectrum))
    }
}
