//! The time of day, to read and to say.

use aileron_capability::moment::Local;

use super::args::HourCycle;

pub(super) fn written(local: &Local, cycle: HourCycle) -> String {
    let (hour, minute) = (local.hour, local.minute);
    match cycle {
        HourCycle::TwentyFour => format!("{hour:02}:{minute:02}"),
        HourCycle::Twelve => format!("{}:{minute:02} {}", twelve(hour), half(hour)),
    }
}

pub(super) fn spoken(local: &Local) -> String {
    match (local.hour, local.minute) {
        (0, 0) => "midnight".to_owned(),
        (12, 0) => "noon".to_owned(),
        (hour, 0) => format!("{} {}", twelve(hour), half(hour)),
        (hour, minute) => format!("{}:{minute:02} {}", twelve(hour), half(hour)),
    }
}

fn twelve(hour: u8) -> u8 {
    match hour % 12 {
        0 => 12,
        hour => hour,
    }
}

fn half(hour: u8) -> &'static str {
    if hour < 12 { "AM" } else { "PM" }
}
