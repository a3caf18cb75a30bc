//! The offline agent over the shipped tools: single turns, whole tours, and anything at all.

#[path = "offline_tests/meetings.rs"]
mod meetings;
#[path = "offline_tests/offers.rs"]
mod offers;
#[path = "offline_tests/property.rs"]
mod property;
#[path = "offline_tests/results.rs"]
mod results;
#[path = "offline_tests/stage.rs"]
mod stage;
#[path = "offline_tests/tours.rs"]
mod tours;
#[path = "offline_tests/turns.rs"]
mod turns;
