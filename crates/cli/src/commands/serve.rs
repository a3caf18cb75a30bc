//! `aileron serve`: serves requests until a signal stops it.

mod approvals;
mod assembly;
mod authoring;
mod offer;
mod print_config;
mod screen;
mod signals;
mod watch;

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use aileron_server::{App, ShutdownReport};
use tokio::net::TcpListener;

use self::assembly::Assembly;
use self::offer::SettingsSource;
use self::signals::{Reloads, Signals};
use crate::args::ServeArgs;
use crate::commands::init::{self, InitOffer};
use crate::installation;
use crate::log;
use crate::output::{self, ExitOutcome, Failure};
use crate::settings::Settings;

const STOPPING: &str = "stopping: waiting for requests in flight (Ctrl-C again stops at once)";
const STOPPED: &str = "stopped";
const CUT_SHORT: &str = "cut short: longer than `grace_seconds` of [server.limits]; \
the next process that opens the store records it, and the outcome of a write is unknown";
const LEFT: &str = "stopped with requests in flight; their outcome is unknown";

pub(crate) fn run(args: &ServeArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    let layers = Settings::load_layers(config)?.with_flags(args.flags()?)?;
    if args.print_config {
        return print_config::run(&layers);
    }
    let offer = if args.init { InitOffer::Accepted } else { InitOffer::Ask };
    let layers = match init::offer(&layers.settings, offer)? {
        true => Settings::load_layers(config)?.with_flags(args.flags()?)?,
        false => layers,
    };
    log::begin(&layers.settings.log);
    let runtime = installation::runtime()?;
    let outcome = runtime.block_on(serve(args, config, layers.settings));
    // A search that exceeded its deadline is not awaited.
    runtime.shutdown_background();
    outcome
}

async fn serve(
    args: &ServeArgs,
    config: Option<&Path>,
    settings: Settings,
) -> Result<ExitOutcome, Failure> {
    let mut signals = Signals::watch()?;
    let listener = listen(settings.server.address).await?;
    let address = listener.local_addr().unwrap_or(settings.server.address);
    let reloads = Reloads::watch()?;
    let Assembly { parts, screen, settings, built_in: _built_in, loader, warnings } =
        Assembly::make(args, settings, screen::reached(address)).await?;
    let app = App::new(parts);
    let config = config.map(Path::to_path_buf);
    let source = SettingsSource { loader: loader.clone(), config, args: args.clone(), settings };
    app.set_registry_source(Arc::new(source), warnings);
    let watching = args.watch.then(|| watch::start(&app, loader));
    let _watching = watching.transpose()?;
    let _reloading = reloads.follow(app.clone());
    output::talk(&screen.text(address));
    let (stop, stopped) = tokio::sync::oneshot::channel();
    let served = aileron_server::serve(app, listener, async {
        let _ = stopped.await;
    });
    tokio::pin!(served);
    tokio::select! {
        done = &mut served => return ended(done),
        () = signals.next() => output::talk(STOPPING),
    }
    let _ = stop.send(());
    tokio::select! {
        done = &mut served => ended(done),
        () = signals.next() => Err(Failure::Failed(LEFT.to_owned())),
    }
}

fn ended(served: std::io::Result<ShutdownReport>) -> Result<ExitOutcome, Failure> {
    let ShutdownReport { calls } =
        served.map_err(|error| Failure::Failed(format!("not everything was saved: {error}")))?;
    if calls > 0 {
        let which =
            if calls == 1 { "1 call was".to_owned() } else { format!("{calls} calls were") };
        return Err(Failure::Failed(format!("{which} {CUT_SHORT}")));
    }
    output::talk(STOPPED);
    Ok(ExitOutcome::Fine)
}

async fn listen(address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => Failure::Usage(format!(
            "{address} is in use by another program; stop it, or choose another address with --address"
        )),
        _ => Failure::Usage(format!("cannot listen on {address}: {error}")),
    })
}
