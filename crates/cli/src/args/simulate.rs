//! The arguments of `aileron simulate`.

use std::path::PathBuf;

use aileron_simulator::fault::TABLE;
use aileron_simulator::http::HttpFaults;
use clap::ValueEnum;

#[derive(Debug, clap::Args)]
pub(crate) struct SimulateArgs {
    /// Provider to simulate
    #[arg(value_enum)]
    pub(crate) provider: SimulatedProvider,
    /// Conversation script for the model to follow; default: the offline rules answer
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,
    /// Fault to inject; commas separate several
    #[arg(long = "fault", value_name = "FAULT", value_delimiter = ',', long_help = faults())]
    pub(crate) faults: Vec<String>,
    /// Also serve over TLS, with a temporary certificate
    #[arg(long)]
    pub(crate) tls: bool,
    /// Port to listen on; TLS uses the next port; 0: any free port
    #[arg(long, default_value_t = 8765, value_name = "N")]
    pub(crate) port: u16,
    /// Send audio in real time, so that barge-in can be tested (live providers)
    #[arg(long)]
    pub(crate) real_time: bool,
    /// Send messages as text frames instead of binary ones (Gemini Live)
    #[arg(long)]
    pub(crate) text_frames: bool,
    /// Print every event in both directions (live providers)
    #[arg(long)]
    pub(crate) log: bool,
}

/// The providers that can be simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SimulatedProvider {
    GeminiLive,
    OpenaiRealtime,
    OpenaiLive,
    Gemini,
    Openai,
    Anthropic,
}

impl SimulatedProvider {
    /// Whether it uses a WebSocket and not HTTP.
    pub(crate) fn is_live(self) -> bool {
        matches!(self, Self::GeminiLive | Self::OpenaiRealtime | Self::OpenaiLive)
    }
}

fn faults() -> String {
    let live = TABLE.iter().map(|row| (row.form, row.meaning));
    let written = HttpFaults::TABLE.iter().copied();
    let rows = |rows: &mut dyn Iterator<Item = (&str, &str)>| -> String {
        rows.map(|(form, meaning)| format!("\n{form:<30}{meaning}")).collect()
    };
    format!(
        "Fault to inject; commas separate several. Live providers:\n{}\n\nThe others:\n{}",
        rows(&mut live.into_iter()),
        rows(&mut written.into_iter())
    )
}
