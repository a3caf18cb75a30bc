//! The server over real sockets, with the shipped tools.

mod api;
mod bad_input;
mod blocks;
mod chat;
mod client;
mod confirmations;
mod door;
mod endings;
mod moves;
mod openapi;
mod sign_in;
mod stage;
mod voice;
