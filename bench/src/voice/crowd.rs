//! All speakers: clients that send a frame every 20 ms and measure its round trip, and the
//! provider's side of their conversations, which echoes every frame. All of them run on one thread
//! without tasks or timers, so that it costs little more than its sockets.

use std::io;
use std::net::TcpStream;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use mio::{Events, Interest, Poll, Token};

use super::clients::{Outcome, Round, Socket};
use super::echo::{self, Echo};
use super::wire::{End, Kind, Wire};
use crate::samples::Samples;

/// Bytes of 20 ms at 16 kHz.
pub(super) const FRAME: usize = 640;

/// Bytes of 20 ms at 24 kHz, the format of the echo.
const REPLY: usize = 960;

/// The JSON around the audio of a frame to the provider.
const HEAD: &[u8] = br#"{"realtimeInput":{"audio":{"mimeType":"audio/pcm;rate=16000","data":""#;
const TAIL: &[u8] = br#""}}}"#;

/// How often a client sends a frame.
pub(super) const EVERY: Duration = Duration::from_millis(20);

/// The time at the beginning that is not counted.
const WARM_UP: Duration = Duration::from_secs(2);

static EPOCH: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The peer of the clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Server,
    Provider,
}

/// Clients and the provider's connections. Clients come first.
pub(super) struct Crowd<'a> {
    poll: Poll,
    wires: Vec<Wire>,
    clients: usize,
    side: Side,
    echo: &'a Echo,
    samples: Samples,
}

impl<'a> Crowd<'a> {
    pub(super) fn new(clients: Vec<Socket>, side: Side, echo: &'a Echo) -> Result<Self, String> {
        let poll = Poll::new().map_err(words)?;
        let (count, samples) = (clients.len(), Samples::default());
        let mut crowd = Self { poll, wires: Vec::new(), clients: count, side, echo, samples };
        for socket in clients {
            let stream = socket.into_inner().into_std().map_err(words)?;
            crowd.join(stream, End::Client).map_err(words)?;
        }
        Ok(crowd)
    }

    fn join(&mut self, stream: TcpStream, end: End) -> io::Result<()> {
        let mut wire = Wire::new(stream, end);
        let token = Token(self.wires.len());
        self.poll.registry().register(wire.stream(), token, Interest::READABLE)?;
        self.wires.push(wire);
        Ok(())
    }

    /// Runs for the duration of the round.
    pub(super) fn talk(
        mut self,
        round: &Round,
        cpu: impl Fn() -> Result<Duration, String>,
    ) -> Result<Outcome, String> {
        let mut schedule = Schedule::new(self.clients);
        let from = schedule.began + WARM_UP;
        self.talk_until(from, &mut schedule).map_err(words)?;
        self.samples = Samples::default();
        let before = cpu()?;
        self.talk_until(from + round.measured, &mut schedule).map_err(words)?;
        let cpu = cpu()?.saturating_sub(before);
        Ok(Outcome { samples: self.samples, cpu, round: *round })
    }

    /// Polls without sleeping, so that waking this thread costs the measured process nothing, as
    /// with a remote machine.
    fn talk_until(&mut self, until: Instant, schedule: &mut Schedule) -> io::Result<()> {
        let mut events = Events::with_capacity(256);
        loop {
            let now = Instant::now();
            if now >= until {
                return Ok(());
            }
            while schedule.due() <= now {
                self.say(schedule.next());
            }
            for stream in self.echo.arrived() {
                self.join(stream, End::Server)?;
            }
            self.poll.poll(&mut events, Some(Duration::ZERO))?;
            events.iter().for_each(|event| self.hear(event.token().0));
        }
    }

    /// Sends a frame with its time in the first bytes. A frame that cannot be sent does not come
    /// back.
    fn say(&mut self, client: usize) {
        let now = u64::try_from(EPOCH.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let mut pcm = [0; FRAME];
        pcm[..8].copy_from_slice(&now.to_le_bytes());
        let wire = &mut self.wires[client];
        let _ = match self.side {
            Side::Server => wire.send(Kind::Binary, &[&pcm]),
            Side::Provider => {
                let data = base64_simd::STANDARD.encode_to_string(pcm);
                wire.send(Kind::Text, &[HEAD, data.as_bytes(), TAIL])
            }
        };
    }

    /// Reads the frames that have arrived; a closed connection is dropped.
    fn hear(&mut self, at: usize) {
        let wire = &mut self.wires[at];
        wire.rang();
        while let Ok(Some(payload)) = wire.next() {
            if at < self.clients {
                took(payload, self.side).into_iter().for_each(|took| self.samples.push(took));
            } else if let Some(stamp) = echo::stamp(payload) {
                let _ = echo::give_back(wire, stamp);
            }
        }
    }
}

/// The schedule of frames: those of all clients, spread evenly over one interval.
struct Schedule {
    began: Instant,
    gap: Duration,
    clients: u32,
    sent: u32,
}

impl Schedule {
    fn new(clients: usize) -> Self {
        let clients = u32::try_from(clients.max(1)).unwrap_or(u32::MAX);
        Self { began: Instant::now(), gap: EVERY / clients, clients, sent: 0 }
    }

    fn due(&self) -> Instant {
        self.began + self.gap * self.sent
    }

    /// The client whose frame is due next.
    fn next(&mut self) -> usize {
        let client = self.sent % self.clients;
        self.sent += 1;
        client as usize
    }
}

fn took(bytes: &[u8], side: Side) -> Option<Duration> {
    let stamp: [u8; 8] = match side {
        Side::Server => bytes.get(..8).filter(|_| bytes.len() == REPLY)?.try_into().ok()?,
        Side::Provider => {
            let decoded = base64_simd::STANDARD.decode_to_vec(echo::stamp(bytes)?).ok()?;
            decoded.get(..8)?.try_into().ok()?
        }
    };
    let sent = Duration::from_nanos(u64::from_le_bytes(stamp));
    EPOCH.elapsed().checked_sub(sent)
}

fn words(error: io::Error) -> String {
    error.to_string()
}
