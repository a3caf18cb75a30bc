//! The offline agent with the shipped tools: single turns, whole conversations, and random input.

#[path = "lib_tests/meetings.rs"]
mod meetings;
#[path = "lib_tests/offers.rs"]
mod offers;
#[path = "lib_tests/property.rs"]
mod property;
#[path = "lib_tests/results.rs"]
mod results;
#[path = "lib_tests/stage.rs"]
mod stage;
#[path = "lib_tests/tours.rs"]
mod tours;
#[path = "lib_tests/turns.rs"]
mod turns;
