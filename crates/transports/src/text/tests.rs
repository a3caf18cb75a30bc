//! All providers side by side.

mod damage;
mod histories;
mod requests;
mod rules;
