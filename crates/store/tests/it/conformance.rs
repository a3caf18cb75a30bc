//! One suite for both stores, a file per kind of state.

mod audit;
mod blocks;
mod confirmations;
mod conversations;
mod expiry;
mod leases;
mod ledger;
mod messages;
mod rates;
mod tasks;
