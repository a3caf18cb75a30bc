//! The arguments: the time and the format.

use aileron_capability::calendar::Zone;
use jiff::Timestamp;
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Args {
    pub(super) value: Timestamp,
    pub(super) style: Style,
    pub(super) utc_offset: Zone,
    zone_name: Option<String>,
    pub(super) hour_cycle: HourCycle,
    pub(super) relative_to: Option<Timestamp>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Style {
    Iso,
    Date,
    Time,
    Short,
    Long,
    Spoken,
    Relative,
}

#[derive(Clone, Copy, Deserialize)]
pub(super) enum HourCycle {
    #[serde(rename = "24h")]
    TwentyFour,
    #[serde(rename = "12h")]
    Twelve,
}

impl Args {
    /// The suffix of a time: the name of the zone, if there is one.
    pub(super) fn zone(&self) -> String {
        self.zone_name.as_ref().map(|name| format!(" {name}")).unwrap_or_default()
    }
}
