//! `aileron simulate`: stands in for a provider until Ctrl-C.

mod screen;

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use aileron_simulator::Rules;
use aileron_simulator::control::Observed;
use aileron_simulator::http::HttpFaults;
use aileron_simulator::{
    Frames, InjectedFault, Options, ScriptBrain, SimulatedModel, Simulator, SpeechPace, Tls,
};
use tokio::runtime::Builder;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::args::SimulateArgs;
use crate::interrupt;
use crate::output::{self, ExitOutcome, Failure};

const LEAVING: &str = "stopping: closing client connections";

pub(crate) fn run(args: &SimulateArgs) -> Result<ExitOutcome, Failure> {
    let options = options(args)?;
    let runtime = Builder::new_multi_thread().enable_all().build();
    let runtime =
        runtime.map_err(|error| Failure::Failed(format!("no thread could be started: {error}")))?;
    runtime.block_on(serve(args, options))
}

async fn serve(args: &SimulateArgs, options: Options) -> Result<ExitOutcome, Failure> {
    let mut pressed = interrupt::ctrl_c()?;
    let begun = Simulator::begin(options).await;
    let running = begun.map_err(|error| Failure::Failed(error.to_string()))?;
    let seen = args.log.then(|| running.control.watch());
    output::data(&screen::text(args, &running))?;
    tokio::select! {
        _ = pressed.recv() => output::talk(LEAVING),
        () = log(seen) => {}
    }
    let trusted = running.ca.clone();
    running.shutdown().await;
    // The certificate is deleted, because it is useless without its key.
    if let Some(folder) = trusted.as_deref().and_then(Path::parent) {
        let _ = fs::remove_dir_all(folder);
    }
    Ok(ExitOutcome::Fine)
}

/// Prints the observed events until the stream ends.
async fn log(seen: Option<UnboundedReceiver<Observed>>) {
    let Some(mut seen) = seen else { return std::future::pending().await };
    while let Some(sighting) = seen.recv().await {
        output::talk(&output::tame(&sighting.to_string()));
    }
}

fn options(args: &SimulateArgs) -> Result<Options, Failure> {
    let local = |port| SocketAddr::from(([127, 0, 0, 1], port));
    let tls_port = if args.port == 0 { Some(0) } else { args.port.checked_add(1) };
    let tls_port = tls_port.filter(|_| args.tls);
    if args.tls && tls_port.is_none() {
        return Err(Failure::Usage(
            "--port: TLS needs the next port, and there is none".to_owned(),
        ));
    }
    let (faults, http_faults) = faults(args)?;
    let folder = std::env::temp_dir().join(format!("aileron-simulator-{}", std::process::id()));
    Ok(Options {
        model: model(args.script.as_deref())?,
        faults,
        http_faults,
        pace: if args.real_time { SpeechPace::RealTime } else { SpeechPace::Fast },
        frames: if args.text_frames { Frames::Text } else { Frames::Binary },
        address: local(args.port),
        tls: tls_port.map(|port| Tls { address: local(port), folder }),
        ..Options::default()
    })
}

/// The faults of the provider's protocol.
fn faults(args: &SimulateArgs) -> Result<(Vec<InjectedFault>, HttpFaults), Failure> {
    let words = || args.faults.iter().map(String::as_str);
    if args.provider.is_live() {
        let read: Result<Vec<InjectedFault>, _> = words().map(str::parse).collect();
        let read = read.map_err(|error| Failure::Usage(format!("--fault: {error}")))?;
        return Ok((read, HttpFaults::default()));
    }
    let read = HttpFaults::parse(words());
    Ok((Vec::new(), read.map_err(|error| Failure::Usage(format!("--fault: {error}")))?))
}

fn model(script: Option<&Path>) -> Result<Arc<dyn SimulatedModel>, Failure> {
    let Some(path) = script else { return Ok(Arc::new(Rules(aileron_offline::decide))) };
    let shown = path.display();
    let text = fs::read_to_string(path)
        .map_err(|error| Failure::Usage(format!("{shown} cannot be read: {error}")))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let script = aileron_script::parse(&name, &text)
        .map_err(|fault| Failure::Usage(format!("{shown}:{}: {}", fault.line, fault.why)))?;
    Ok(Arc::new(ScriptBrain::new(&script)))
}
