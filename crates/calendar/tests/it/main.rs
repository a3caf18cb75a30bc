//! Calendars over real files, real servers and real HTTP.

mod caldav;
mod desk;
mod engine;
mod radicale;
mod server;
mod zoom;
