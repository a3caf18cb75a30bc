//! How long a request may still take. An image that would probably not be done in time is not begun:
//! it would be paid for and lost.

use std::time::Duration;

use aileron_capability::{CapabilityFault, FaultCode};
use tokio::time::Instant;

/// The time that is reserved for checking, storing and answering, after the last image.
const MARGIN: Duration = Duration::from_secs(2);

/// The time of one request.
#[derive(Debug, Clone, Copy)]
pub(super) struct RequestTime {
    /// Absent if the caller set no deadline.
    end: Option<Instant>,
    /// The longest time an image took so far.
    slowest: Duration,
}

impl RequestTime {
    pub(super) fn within(left: Option<Duration>) -> Self {
        let end = left.map(|left| Instant::now() + left.saturating_sub(MARGIN));
        Self { end, slowest: Duration::ZERO }
    }

    /// The time limit of the next image; none if it would not finish in time.
    pub(super) fn for_one(&self, most: Duration) -> Result<Duration, CapabilityFault> {
        let Some(end) = self.end else { return Ok(most) };
        let left = end.saturating_duration_since(Instant::now());
        match left.is_zero() || left < self.slowest {
            true => Err(CapabilityFault::new(FaultCode::Unavailable, self.too_late(left))),
            false => Ok(most.min(left)),
        }
    }

    /// Notes how long an image took.
    pub(super) fn took(&mut self, time: Duration) {
        self.slowest = self.slowest.max(time);
    }

    fn too_late(&self, left: Duration) -> String {
        let (left, slowest) = (left.as_secs(), self.slowest.as_secs());
        format!("not begun: {left} s were left, and one takes {slowest} s")
    }
}
