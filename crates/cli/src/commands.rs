//! One file per command.

pub(crate) mod audit;
pub(crate) mod blocks;
pub(crate) mod build;
pub(crate) mod call;
pub(crate) mod chat;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod describe;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod findings;
pub(crate) mod handler_process;
pub(crate) mod init;
pub(crate) mod js_worker;
pub(crate) mod kb;
pub(crate) mod list;
pub(crate) mod migrate;
pub(crate) mod models;
pub(crate) mod new;
pub(crate) mod schema;
pub(crate) mod serve;
pub(crate) mod simulate;
pub(crate) mod stats;
pub(crate) mod tasks;
pub(crate) mod test;
pub(crate) mod watch;
