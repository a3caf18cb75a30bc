//! The time of day, written and spoken.

use jiff::civil::DateTime;

use super::args::HourCycle;

pub(super) fn written(local: DateTime, cycle: HourCycle) -> String {
    let (hour, minute) = (local.hour(), local.minute());
    match cycle {
        HourCycle::TwentyFour => format!("{hour:02}:{minute:02}"),
        HourCycle::Twelve => format!("{}:{minute:02} {}", twelve(hour), half(hour)),
    }
}

pub(super) fn spoken(local: DateTime) -> String {
    match (local.hour(), local.minute()) {
        (0, 0) => "midnight".to_owned(),
        (12, 0) => "noon".to_owned(),
        (hour, 0) => format!("{} {}", twelve(hour), half(hour)),
        (hour, minute) => format!("{}:{minute:02} {}", twelve(hour), half(hour)),
    }
}

fn twelve(hour: i8) -> i8 {
    match hour % 12 {
        0 => 12,
        hour => hour,
    }
}

fn half(hour: i8) -> &'static str {
    if hour < 12 { "AM" } else { "PM" }
}
