//! What can be written after `aileron simulate`.

use std::path::PathBuf;

use aileron_simulator::fault::TABLE;
use aileron_simulator::http::HttpFaults;
use clap::ValueEnum;

#[derive(Debug, clap::Args)]
pub(crate) struct SimulateArgs {
    /// The provider to stand in for
    #[arg(value_enum)]
    pub(crate) provider: Simulated,
    /// A conversation script that says what the person says and the model does; without it, the offline rules answer
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,
    /// Something that goes wrong; several with commas
    #[arg(long = "fault", value_name = "FAULT", value_delimiter = ',', long_help = faults())]
    pub(crate) faults: Vec<String>,
    /// Serve over TLS as well, with a certificate made for the occasion
    #[arg(long)]
    pub(crate) tls: bool,
    /// Where to listen; TLS listens at the next port; 0 is any that is free
    #[arg(long, default_value_t = 8765, value_name = "N")]
    pub(crate) port: u16,
    /// Speak as fast as one can listen, so that there is time to cut in (live providers)
    #[arg(long)]
    pub(crate) real_time: bool,
    /// Send messages as text frames, where the real one sends binary ones (Gemini Live)
    #[arg(long)]
    pub(crate) text_frames: bool,
    /// Print every event, both ways (live providers)
    #[arg(long)]
    pub(crate) log: bool,
}

/// The providers that can be simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Simulated {
    GeminiLive,
    OpenaiRealtime,
    Gemini,
    Openai,
    Anthropic,
}

impl Simulated {
    /// Whether it is talked to over a socket, and not over HTTP.
    pub(crate) fn is_live(self) -> bool {
        matches!(self, Self::GeminiLive | Self::OpenaiRealtime)
    }
}

fn faults() -> String {
    let live = TABLE.iter().map(|row| (row.form, row.meaning));
    let written = HttpFaults::TABLE.iter().copied();
    let rows = |rows: &mut dyn Iterator<Item = (&str, &str)>| -> String {
        rows.map(|(form, meaning)| format!("\n{form:<30}{meaning}")).collect()
    };
    format!(
        "Something that goes wrong; several with commas. Live providers:\n{}\n\nThe others:\n{}",
        rows(&mut live.into_iter()),
        rows(&mut written.into_iter())
    )
}
