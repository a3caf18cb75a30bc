//! The simulator as a server: one address for every protocol, plain and over TLS.

mod certificate;
mod router;
mod tls;

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::serve::{Listener, ListenerExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use self::tls::TlsListener;
use crate::control::{Control, ControlCommand};
use crate::fault::{Faults, InjectedFault};
use crate::http::{self, HttpFaults, HttpWorld};
use crate::ids::Ids;
use crate::live::{Framing, SimulatorShared, SpeechPace};
use crate::sessions::Sessions;
use crate::simulated_model::{Rules, SimulatedModel, echo};
use crate::speech::{Synthesizer, Tones};

/// Time limit for clients to disconnect.
const GOODBYE: Duration = Duration::from_secs(3);

/// How Gemini Live's messages are framed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Frames {
    /// As the real one does.
    #[default]
    Binary,
    Text,
}

/// TLS with a generated certificate.
#[derive(Debug, Clone)]
pub struct Tls {
    pub address: SocketAddr,
    /// Where `ca.pem` is written, for clients to trust.
    pub folder: PathBuf,
}

/// The options of a simulator.
#[derive(Debug, Clone)]
pub struct Options {
    pub model: Arc<dyn SimulatedModel>,
    /// The model's voice.
    pub voice: Arc<dyn Synthesizer>,
    /// Faults of WebSocket connections.
    pub faults: Vec<InjectedFault>,
    /// Faults of HTTP requests.
    pub http_faults: HttpFaults,
    pub pace: SpeechPace,
    pub frames: Frames,
    /// The address to listen on; port 0 means any free port.
    pub address: SocketAddr,
    pub tls: Option<Tls>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            model: Arc::new(Rules(echo)),
            voice: Arc::new(Tones),
            faults: Vec::new(),
            http_faults: HttpFaults::default(),
            pace: SpeechPace::default(),
            frames: Frames::default(),
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            tls: None,
        }
    }
}

/// Why a simulator could not start.
#[derive(Debug)]
pub enum BeginError {
    Listen { address: SocketAddr, error: io::Error },
    Certificate(String),
}

impl fmt::Display for BeginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listen { address, error } => {
                write!(f, "cannot listen at {address}: {error}; choose another port")
            }
            Self::Certificate(why) => write!(f, "no certificate could be made: {why}"),
        }
    }
}

impl std::error::Error for BeginError {}

/// A simulator of all providers.
#[derive(Debug)]
pub struct Simulator;

impl Simulator {
    /// Starts serving. Needs a tokio runtime.
    pub async fn begin(options: Options) -> Result<RunningSimulator, BeginError> {
        let control = Control::default();
        let written = HttpWorld::with(options.model.clone(), options.http_faults, Duration::ZERO);
        let shared = Arc::new(SimulatorShared {
            model: options.model,
            voice: options.voice,
            faults: Faults::new(options.faults),
            pace: options.pace,
            ids: Ids::new(),
            sessions: Sessions::default(),
            control: control.clone(),
        });
        let framing = match options.frames {
            Frames::Binary => Framing::Binary,
            Frames::Text => Framing::Text,
        };
        let router = routes(&shared, framing).merge(http::router(Arc::new(written)));
        let (stop, stopped) = watch::channel(false);
        let plain = listen(options.address).await?;
        let address = local(&plain, options.address)?;
        let plain = plain.tap_io(send_at_once);
        let mut tasks = vec![serve(plain, router.clone(), stopped.clone())];
        let (mut tls_address, mut ca) = (None, None);
        if let Some(tls) = options.tls {
            let made = certificate::make(&tls.folder).map_err(BeginError::Certificate)?;
            let listener = listen(tls.address).await?;
            tls_address = Some(local(&listener, tls.address)?);
            ca = Some(made.ca);
            tasks.push(serve(TlsListener::new(listener, made.config), router, stopped));
        }
        Ok(RunningSimulator { address, tls_address, ca, control, stop, tasks })
    }
}

/// The live protocols. WebSocket paths may have any version and doubled slashes, so they are the
/// fallback after the HTTP routes.
fn routes(shared: &Arc<SimulatorShared>, framing: Framing) -> Router {
    let door = router::RouterState { shared: shared.clone(), framing };
    Router::new().fallback(router::enter).with_state(door)
}

async fn listen(address: SocketAddr) -> Result<TcpListener, BeginError> {
    TcpListener::bind(address).await.map_err(|error| BeginError::Listen { address, error })
}

/// Disables Nagle's algorithm, because frames are small and must not wait.
fn send_at_once(stream: &mut TcpStream) {
    let _ = stream.set_nodelay(true);
}

fn local(listener: &TcpListener, address: SocketAddr) -> Result<SocketAddr, BeginError> {
    listener.local_addr().map_err(|error| BeginError::Listen { address, error })
}

fn serve<L>(listener: L, router: Router, mut stopped: watch::Receiver<bool>) -> JoinHandle<()>
where
    L: Listener,
    L::Addr: fmt::Debug,
{
    let stop = async move {
        let _ = stopped.wait_for(|stopped| *stopped).await;
    };
    tokio::spawn(async move {
        let _ = axum::serve(listener, router).with_graceful_shutdown(stop).await;
    })
}

/// A running simulator. Dropping it stops it without close frames.
#[derive(Debug)]
pub struct RunningSimulator {
    pub address: SocketAddr,
    pub tls_address: Option<SocketAddr>,
    /// The certificate to trust.
    pub ca: Option<PathBuf>,
    pub control: Control,
    stop: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
}

impl RunningSimulator {
    /// Shuts down in order: refuses new clients, sends close frames, and waits until the clients
    /// are gone.
    pub async fn shutdown(mut self) {
        self.stop.send_replace(true);
        self.control.order_all(&ControlCommand::Close(1001, "the simulator is ending".to_owned()));
        // A client that connects at this moment or does not answer is not awaited.
        if timeout(GOODBYE, self.control.idle()).await.is_err() {
            self.control.order_all(&ControlCommand::Drop);
        }
        for task in std::mem::take(&mut self.tasks) {
            let _ = task.await;
        }
    }
}

impl Drop for RunningSimulator {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
        self.control.order_all(&ControlCommand::Drop);
    }
}
