//! Faults applied to a stream.

use super::*;

fn frames() -> Vec<SentEvent> {
    let places = [
        StreamPosition::Within,
        StreamPosition::Within,
        StreamPosition::InCall,
        StreamPosition::InCall,
        StreamPosition::InCall,
        StreamPosition::Closing,
    ];
    places.iter().enumerate().map(|(at, place)| SentEvent::new(at.to_string(), *place)).collect()
}

/// The steps in short form: sent events, and the end.
fn played(faults: &str) -> String {
    let faults = HttpFaults::parse(faults.split_whitespace()).unwrap();
    let acts = script(frames(), &faults, |sent| {
        SentEvent::new(format!("error{sent}"), StreamPosition::Closing)
    });
    let acts = acts.iter().map(|act| match act {
        StreamStep::Send(frame) => frame.data.clone(),
        StreamStep::SendHalf(frame) => format!("half {}", frame.data),
        StreamStep::SendGarbled(frame) => format!("garbled {}", frame.data),
        StreamStep::Drop => "drop".to_owned(),
        StreamStep::Hang => "hang".to_owned(),
    });
    acts.collect::<Vec<_>>().join(" ")
}

#[test]
fn each_fault_breaks_the_stream_in_its_own_way() {
    assert_eq!(played(""), "0 1 2 3 4 5");
    assert_eq!(played("cut@0"), "drop");
    assert_eq!(played("cut@3"), "0 1 2 drop");
    assert_eq!(played("cut@99"), "0 1 2 3 4 5");
    assert_eq!(played("error-event@1"), "0 error1");
    assert_eq!(played("half-call"), "0 1 2 3");
    assert_eq!(played("never-ends"), "0 1 2 3 4 hang");
    assert_eq!(played("invalid-utf8"), "0 garbled 1 2 3 4 5");
}

#[test]
fn a_call_in_one_event_is_cut_in_two() {
    let frames = vec![SentEvent::new("{}".to_owned(), StreamPosition::WholeCall)];
    let faults = HttpFaults::parse(["half-call"]).unwrap();
    let acts = script(frames.clone(), &faults, |_| frames[0].clone());
    assert_eq!(acts, [StreamStep::SendHalf(frames[0].clone())]);
}

#[test]
fn an_array_is_opened_and_closed() {
    let frame = |data: &str| SentEvent::new(data.to_owned(), StreamPosition::Within);
    let first = closed(framed(&frame("1"), Framing::Array, 0).into_bytes(), Framing::Array, false);
    let last = closed(framed(&frame("2"), Framing::Array, 1).into_bytes(), Framing::Array, true);
    let array = [first, last].concat();
    assert_eq!(serde_json::from_slice::<Vec<u8>>(&array).unwrap(), [1, 2]);
}

#[tokio::test(start_paused = true)]
async fn a_slow_stream_waits_before_each_event() {
    let begun = tokio::time::Instant::now();
    let script = script(frames(), &HttpFaults::default(), |_| frames().remove(0));
    let response = stream(script, Framing::Events, Duration::from_millis(40));
    let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
    assert_eq!(
        body.as_ref(),
        b"data: 0\n\ndata: 1\n\ndata: 2\n\ndata: 3\n\ndata: 4\n\ndata: 5\n\n"
    );
    assert_eq!(begun.elapsed(), Duration::from_millis(240));
}

#[tokio::test(start_paused = true)]
async fn a_slow_answer_in_one_piece_waits_once() {
    let begun = tokio::time::Instant::now();
    let faults = HttpFaults::parse(["slow=40"]).unwrap();
    let body = axum::body::to_bytes(whole("{}".to_owned(), &faults).into_body(), 9).await.unwrap();
    assert_eq!((body.as_ref(), begun.elapsed()), (&b"{}"[..], Duration::from_millis(40)));
}
