//! The simulator from outside: over sockets, and by the official SDKs.

mod http;
