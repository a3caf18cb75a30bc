//! The network of MiniLM on the runtime `rten`: tokens in, one vector out.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use aileron_models::{Model, ReadError};
use rten::{NodeId, RunOptions};
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;

use super::super::{EmbedError, bridge, unit};
use super::lanes::Lane;
use super::lasting;

const FETCH: &str = "run `aileron models fetch minilm`, or name the engine `static`";

/// The loaded weights.
pub(super) struct Network {
    model: rten::Model,
    inputs: [NodeId; 3],
    output: NodeId,
}

impl Network {
    /// Reads the weights and checks that they are the known ones: others may have
    /// another space.
    pub(super) fn load(path: &Path) -> Result<Self, EmbedError> {
        let shown = path.display();
        let [file] = Model::MINILM.files else {
            return Err(lasting("expected one file of MiniLM in the catalogue".to_owned()));
        };
        let bytes = file.read(path).map_err(|error| match error {
            ReadError::Missing { why, .. } => {
                lasting(format!("expected the weights of MiniLM at {shown}, found: {why}; {FETCH}"))
            }
            other @ ReadError::Other { .. } => lasting(format!("{other}; {FETCH}")),
        })?;
        Self::new(bytes).map_err(|why| lasting(format!("{shown} cannot be run: {why}")))
    }

    fn new(bytes: Vec<u8>) -> Result<Self, Box<dyn std::error::Error>> {
        let model = rten::Model::load(bytes)?;
        let inputs = [
            model.node_id("input_ids")?,
            model.node_id("attention_mask")?,
            model.node_id("token_type_ids")?,
        ];
        let output = model.node_id("last_hidden_state")?;
        Ok(Self { model, inputs, output })
    }

    /// The mean of the network's output over the tokens, at unit length.
    pub(super) fn vector(&self, tokens: Vec<i32>, lane: &Lane) -> Result<Vec<f32>, EmbedError> {
        let hidden = self
            .run(tokens, lane)
            .map_err(|error| lasting(format!("MiniLM could not run: {error}")))?;
        let mut mean = vec![0.0; bridge::MODEL_DIM];
        for token in hidden.to_vec().chunks_exact(bridge::MODEL_DIM) {
            mean.iter_mut().zip(token).for_each(|(sum, value)| *sum += value);
        }
        unit(&mut mean);
        Ok(mean)
    }

    fn run(
        &self,
        tokens: Vec<i32>,
        lane: &Lane,
    ) -> Result<NdTensor<f32, 3>, Box<dyn std::error::Error>> {
        let count = tokens.len();
        let inputs = [tokens, vec![1; count], vec![0; count]]
            .map(|input| NdTensor::from_data([1, count], input));
        let inputs =
            self.inputs.iter().zip(&inputs).map(|(node, input)| (*node, input.view().into()));
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(lane)));
        let [hidden] = self.model.run_n(inputs.collect(), [self.output], Some(options))?;
        Ok(hidden.try_into()?)
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network").finish_non_exhaustive()
    }
}
