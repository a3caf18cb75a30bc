//! What can be written after `aileron simulate`.

use std::path::PathBuf;

use aileron_simulator::Fault;
use aileron_simulator::fault::TABLE;
use clap::ValueEnum;

#[derive(Debug, clap::Args)]
pub(crate) struct SimulateArgs {
    /// The provider to stand in for
    #[arg(value_enum)]
    pub(crate) provider: Simulated,
    /// A conversation script that says what the person says and the model does; without it, the model says what it heard
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,
    /// Something that goes wrong; several with commas
    #[arg(long = "fault", value_name = "FAULT", value_delimiter = ',', long_help = faults())]
    pub(crate) faults: Vec<Fault>,
    /// Serve over TLS as well, with a certificate made for the occasion
    #[arg(long)]
    pub(crate) tls: bool,
    /// Where to listen; TLS listens at the next port; 0 is any that is free
    #[arg(long, default_value_t = 8765, value_name = "N")]
    pub(crate) port: u16,
    /// Speak as fast as one can listen, so that there is time to cut in
    #[arg(long)]
    pub(crate) real_time: bool,
    /// Print every event, both ways
    #[arg(long)]
    pub(crate) log: bool,
}

/// The providers that can be simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Simulated {
    GeminiLive,
    OpenaiRealtime,
}

fn faults() -> String {
    let mut help = "Something that goes wrong; several with commas:\n".to_owned();
    for row in TABLE {
        help.push_str(&format!("\n{:<30}{}", row.form, row.meaning));
    }
    help
}
