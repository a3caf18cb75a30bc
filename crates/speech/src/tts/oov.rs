//! The pronunciation of words that the dictionary lacks, guessed by a small network from their letters.

use std::collections::HashMap;
use std::path::Path;

use aileron_models::Model;
use rten::NodeId;
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;
use serde::Deserialize;

use crate::error::SpeechError;
use crate::network::{Lane, Network, read};

/// The network's letters and phonemes.
#[derive(Debug, Deserialize)]
struct Tables {
    r#in: Vec<char>,
    out: Vec<char>,
    maxlen: usize,
}

#[derive(Debug)]
pub(super) struct Guesser {
    network: Network,
    nodes: [NodeId; 2],
    letters: HashMap<char, i32>,
    phonemes: Vec<char>,
    most_letters: usize,
}

impl Guesser {
    pub(super) fn load(folder: &Path) -> Result<Self, SpeechError> {
        let network = Network::load(&Model::HIBARI, "hibari-oov.onnx", folder)?;
        let tables = read(&Model::HIBARI, "hibari-oov.json", folder)?;
        let tables: Tables =
            serde_json::from_slice(&tables).map_err(|error| network.fault(error))?;
        let output = *network.outputs().first().ok_or_else(|| network.fault("no output"))?;
        let letters = (1..).zip(tables.r#in).map(|(number, letter)| (letter, number)).collect();
        Ok(Self {
            nodes: [network.node("chars")?, output],
            network,
            letters,
            phonemes: tables.out,
            most_letters: tables.maxlen,
        })
    }

    /// The phonemes of a word. Letters of scripts that the network does not know are left out.
    pub(super) fn phonemes(&self, word: &str, lane: &Lane) -> Result<String, SpeechError> {
        let known = word.chars().filter_map(|letter| self.letters.get(&letter).copied());
        let letters: Vec<i32> = known.take(self.most_letters).collect();
        if letters.is_empty() {
            return Ok(String::new());
        }
        let letters = NdTensor::from_data([1, letters.len()], letters);
        let [input, output] = self.nodes;
        let made = self.network.run(vec![(input, letters.into())], &[output], lane)?;
        let made = made.into_iter().next().and_then(rten::Value::into_tensor::<i32>);
        let made = made.ok_or_else(|| self.network.fault("it gave no phonemes"))?.to_vec();
        Ok(self.collapsed(&made))
    }

    /// Repetitions stand for one phoneme, and zero for none.
    fn collapsed(&self, numbers: &[i32]) -> String {
        let mut before = 0;
        let mut phonemes = String::new();
        for number in numbers {
            let at = usize::try_from(*number - 1).ok().filter(|_| *number != before);
            phonemes.extend(at.and_then(|at| self.phonemes.get(at)));
            before = *number;
        }
        phonemes
    }
}
