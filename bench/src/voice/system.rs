//! The cost of the system calls for a frame and its reply: receiving and sending each of them once,
//! on one thread that does not wait, wake other threads or do anything else. No relay can cost
//! less.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// How long it is measured, including the work of the peers.
const MEASURED: Duration = Duration::from_secs(2);

/// Bytes of a frame from the client, to the provider, from the provider, and to the client.
const UP: [usize; 2] = [648, 937];
const DOWN: [usize; 2] = [1410, 964];

/// Processor time for each frame and its reply in so many conversations, in microseconds.
pub(super) fn us_a_frame(conversations: usize) -> io::Result<f64> {
    let relays: io::Result<Vec<Relay>> = (0..conversations).map(|_| Relay::new()).collect();
    let mut relays = relays?;
    let (began, mut took, mut frames) = (Instant::now(), Duration::ZERO, 0);
    while began.elapsed() < MEASURED {
        took += pass(&mut relays, UP, |relay| (&mut relay.client, &mut relay.provider))?;
        took += pass(&mut relays, DOWN, |relay| (&mut relay.provider, &mut relay.client))?;
        frames += relays.len();
    }
    Ok(took.as_secs_f64() * 1e6 / frames.max(1) as f64)
}

/// Passes a frame on in each conversation; returns the time without the work of the peers.
fn pass(
    relays: &mut [Relay],
    [received, sent]: [usize; 2],
    ends: impl Fn(&mut Relay) -> (&mut Line, &mut Line),
) -> io::Result<Duration> {
    let mut bytes = [0; 2048];
    relays.iter_mut().try_for_each(|relay| ends(relay).0.theirs.write_all(&bytes[..received]))?;
    let began = Instant::now();
    relays
        .iter_mut()
        .try_for_each(|relay| ends(relay).0.ours.read_exact(&mut bytes[..received]))?;
    relays.iter_mut().try_for_each(|relay| ends(relay).1.ours.write_all(&bytes[..sent]))?;
    let took = began.elapsed();
    relays.iter_mut().try_for_each(|relay| ends(relay).1.theirs.read_exact(&mut bytes[..sent]))?;
    Ok(took)
}

/// The connections of one conversation.
struct Relay {
    client: Line,
    provider: Line,
}

impl Relay {
    fn new() -> io::Result<Self> {
        Ok(Self { client: Line::new()?, provider: Line::new()? })
    }
}

/// Both ends of a connection.
struct Line {
    ours: TcpStream,
    theirs: TcpStream,
}

impl Line {
    fn new() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let theirs = TcpStream::connect(listener.local_addr()?)?;
        let (ours, _) = listener.accept()?;
        ours.set_nodelay(true)?;
        theirs.set_nodelay(true)?;
        Ok(Self { ours, theirs })
    }
}
