//! The simulated provider, which sends the same reply to every request.

use std::sync::Arc;
use std::time::Duration;

use aileron_simulator::http::{HttpFaults, HttpWorld, router};
use aileron_simulator::simulated_model::{ModelAction, ModelInput, SimulatedModel};
use futures_util::future::{BoxFuture, FutureExt, ready};
use tokio::net::TcpListener;

use crate::print;

#[derive(Debug)]
struct Same;

impl SimulatedModel for Same {
    fn reply(&self, _: ModelInput) -> BoxFuture<'_, Vec<ModelAction>> {
        let words = "The review is on Friday, and Mira runs it. ".repeat(12);
        ready(vec![ModelAction::Say(words)]).boxed()
    }
}

/// Serves until it is ended; `pace` is the time before each event, in milliseconds.
pub(crate) fn run(pace: &str) -> Result<(), String> {
    let pace = pace.parse().map_err(|_| format!("expected milliseconds, found {pace:?}"))?;
    let world = HttpWorld::with(Arc::new(Same), HttpFaults::default(), Duration::from_millis(pace));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(|error| error.to_string())?.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.map_err(|error| error.to_string())?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        print(&address.port().to_string());
        axum::serve(listener, router(Arc::new(world))).await.map_err(|error| error.to_string())
    })
}
