//! Text models, over real connections to a scripted server.

mod broken;
mod leaving;
mod replies;
mod retries;
mod server;
mod slow;
