//! Models that write, over real connections to a server that does as it is told.

mod broken;
mod leaving;
mod replies;
mod retries;
mod server;
mod slow;
