//! Voice activity: how likely each 32 ms of sound is speech, by the Silero network.

use std::path::Path;

use aileron_models::Model;
use rten::NodeId;
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;

use crate::error::SpeechError;
use crate::network::{Lane, Network};

/// Samples that the network judges at once: 32 ms at 16 kHz.
pub(crate) const WINDOW: usize = 512;

/// Samples of the previous window that the network reads before each window.
const CONTEXT: usize = 64;

/// The size of the network's state.
const STATE: usize = 128;

/// The network, shared by all callers.
#[derive(Debug)]
pub(crate) struct Vad {
    network: Network,
    inputs: [NodeId; 3],
    outputs: [NodeId; 3],
}

/// The state of one caller's sound.
#[derive(Debug, Clone)]
pub(crate) struct VadState {
    hidden: Vec<f32>,
    cell: Vec<f32>,
    context: [f32; CONTEXT],
}

impl Default for VadState {
    fn default() -> Self {
        Self { hidden: vec![0.0; STATE], cell: vec![0.0; STATE], context: [0.0; CONTEXT] }
    }
}

impl Vad {
    pub(crate) fn load(folder: &Path) -> Result<Self, SpeechError> {
        let network = Network::load(&Model::SILERO_VAD, "silero-vad-16k.onnx", folder)?;
        let inputs = [network.node("input")?, network.node("h")?, network.node("c")?];
        let outputs = [network.node("speech_probs")?, network.node("hn")?, network.node("cn")?];
        Ok(Self { network, inputs, outputs })
    }

    /// How likely this window is speech, from 0 to 1. The windows of a caller are given in order.
    pub(crate) fn judge(
        &self,
        window: &[f32; WINDOW],
        state: &mut VadState,
        lane: &Lane,
    ) -> Result<f32, SpeechError> {
        let mut frame = Vec::with_capacity(CONTEXT + WINDOW);
        frame.extend_from_slice(&state.context);
        frame.extend_from_slice(window);
        state.context.copy_from_slice(&window[WINDOW - CONTEXT..]);
        let frame = NdTensor::from_data([1, CONTEXT + WINDOW], frame);
        let hidden = NdTensor::from_data([1, 1, STATE], std::mem::take(&mut state.hidden));
        let cell = NdTensor::from_data([1, 1, STATE], std::mem::take(&mut state.cell));
        let [input, h, c] = self.inputs;
        let inputs = vec![(input, frame.into()), (h, hidden.into()), (c, cell.into())];
        let results = self.network.run(inputs, &self.outputs, lane)?;
        let mut results = results.into_iter().map(rten::Value::into_tensor::<f32>);
        let mut next = || results.next().flatten().map(|tensor| tensor.to_vec());
        let (Some(speech), Some(hidden), Some(cell)) = (next(), next(), next()) else {
            return Err(self.network.fault("it gave fewer outputs than three"));
        };
        (state.hidden, state.cell) = (hidden, cell);
        speech.first().copied().ok_or_else(|| self.network.fault("it gave no probability"))
    }
}
