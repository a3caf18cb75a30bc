//! Everybody who talks: clients that send a frame every 20 ms and note how long each takes to come
//! back, and the provider's end of their conversations, which gives every frame back. All of them are
//! one thread without tasks or timers, so that it takes little more than its sockets do.

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

/// Bytes of 20 ms at 24 kHz, which is what comes back.
const REPLY: usize = 960;

/// What stands around the audio of a frame to the provider.
const HEAD: &[u8] = br#"{"realtimeInput":{"audio":{"mimeType":"audio/pcm;rate=16000","data":""#;
const TAIL: &[u8] = br#""}}}"#;

/// How often a client sends a frame.
pub(super) const EVERY: Duration = Duration::from_millis(20);

/// What is not counted at the beginning.
const WARM_UP: Duration = Duration::from_secs(2);

static EPOCH: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Whom the clients talk to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Server,
    Provider,
}

/// Clients and the provider's ends. Clients come first.
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

    /// Talks as long as the round lasts.
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

    /// Never rests: nobody has to wake it, as nobody has to wake another machine.
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

    /// Sends a frame that has its moment in the first bytes. One that cannot be sent does not come back.
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

    /// Takes what came; whoever left says no more.
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

/// When frames are due: those of all clients, spread evenly over the time of one, as people are.
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

    /// Whose turn it is.
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
