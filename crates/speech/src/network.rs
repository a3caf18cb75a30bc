//! A network on the runtime `rten`: weights that are checked by hash before they are parsed, and run on one
//! thread, so that the number of callers decides how many cores are busy.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use aileron_models::{Model, ModelFile};
use rten::{NodeId, RunOptions, ThreadPool, Value, ValueOrView};

use crate::error::SpeechError;

/// One thread that networks run on.
pub(crate) type Lane = Arc<ThreadPool>;

pub(crate) fn lane() -> Lane {
    Arc::new(ThreadPool::with_num_threads(1))
}

/// A loaded network.
pub(crate) struct Network {
    name: &'static str,
    model: rten::Model,
}

impl Network {
    /// Loads a file of a model that the catalogue knows.
    pub(crate) fn load(
        model: &Model,
        file: &'static str,
        folder: &Path,
    ) -> Result<Self, SpeechError> {
        let bytes = read(model, file, folder)?;
        let loaded = rten::Model::load(bytes);
        let model = loaded.map_err(|error| SpeechError::run(file, error))?;
        Ok(Self { name: file, model })
    }

    pub(crate) fn node(&self, name: &str) -> Result<NodeId, SpeechError> {
        self.model.node_id(name).map_err(|error| SpeechError::run(self.name, error))
    }

    pub(crate) fn outputs(&self) -> &[NodeId] {
        self.model.output_ids()
    }

    pub(crate) fn run(
        &self,
        inputs: Vec<(NodeId, ValueOrView<'_>)>,
        outputs: &[NodeId],
        lane: &Lane,
    ) -> Result<Vec<Value>, SpeechError> {
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(lane)));
        let ran = self.model.run(inputs, outputs, Some(options));
        ran.map_err(|error| SpeechError::run(self.name, error))
    }

    pub(crate) fn fault(&self, why: impl fmt::Display) -> SpeechError {
        SpeechError::run(self.name, why)
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The bytes of a file of a model, checked by hash.
pub(crate) fn read(
    model: &Model,
    name: &'static str,
    folder: &Path,
) -> Result<Vec<u8>, SpeechError> {
    let file: &ModelFile =
        model.file(name).ok_or_else(|| SpeechError::run(name, "no entry in the catalogue"))?;
    file.read(&file.path(folder)).map_err(SpeechError::Weights)
}
