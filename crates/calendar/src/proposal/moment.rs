//! Parses requested times.

use jiff::{Timestamp, Zoned};

use super::{ProposalError, TIME_HINT, ZONE_HINT, wrong};
use aileron_capability::calendar::Zone;

/// A time with an offset, or a local time of the zone. A suffix such as `[Europe/Berlin]` names
/// another zone.
pub(super) fn moment(text: &str, zone: &Zone) -> Result<Timestamp, ProposalError> {
    match text.split_once('[') {
        None => plain(text, zone),
        Some((time, _)) if time.parse::<Timestamp>().is_ok() => {
            text.parse::<Zoned>().map(|it| it.timestamp()).map_err(|_| unreadable(text))
        }
        Some((time, name)) => {
            let name = name.strip_suffix(']').ok_or_else(|| unreadable(text))?;
            let named = Zone::named(name).map_err(|error| wrong(error, ZONE_HINT))?;
            plain(time, &named)
        }
    }
}

fn plain(text: &str, zone: &Zone) -> Result<Timestamp, ProposalError> {
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Ok(moment);
    }
    if !text.contains(['T', 't', ' ']) {
        return Err(unreadable(text));
    }
    let local = text.parse().map_err(|_| unreadable(text))?;
    zone.exact_moment(local).map_err(|error| wrong(error, TIME_HINT))
}

fn unreadable(text: &str) -> ProposalError {
    let found: String = text.chars().take(60).collect();
    wrong(format!("expected a date-time, found {found:?}"), TIME_HINT)
}
