//! Events from bytes, however they are cut.

use proptest::prelude::*;

use super::{Sse, SseError, SseEvent};

const MOST: usize = 64;

/// All events of the pieces, and the error that ended them.
fn read<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> (Vec<SseEvent>, Option<SseError>) {
    let mut sse = Sse::new(MOST);
    let mut frames = Vec::new();
    for piece in pieces {
        sse.push(piece);
        loop {
            match sse.next() {
                Ok(Some(frame)) => frames.push(frame),
                Ok(None) => break,
                Err(error) => return (frames, Some(error)),
            }
        }
    }
    match sse.finish() {
        Ok(last) => frames.extend(last),
        Err(error) => return (frames, Some(error)),
    }
    (frames, None)
}

fn check(stream: &str, expected: &[(&str, &str)]) {
    let frame =
        |(name, data): &(&str, &str)| SseEvent { name: (*name).into(), data: (*data).into() };
    let expected: Vec<_> = expected.iter().map(frame).collect();
    assert_eq!(read([stream.as_bytes()]), (expected.clone(), None), "whole: {stream:?}");
    let bytes = stream.as_bytes().chunks(1);
    assert_eq!(read(bytes), (expected, None), "byte by byte: {stream:?}");
}

#[test]
fn every_line_end_ends_a_line() {
    check("data: a\n\ndata: b\n\n", &[("", "a"), ("", "b")]);
    check("data: a\r\n\r\ndata: b\r\n\r\n", &[("", "a"), ("", "b")]);
    check("data: a\r\rdata: b\r\r", &[("", "a"), ("", "b")]);
    check("data: a\r\n\ndata: b\n\r\n", &[("", "a"), ("", "b")]);
}

#[test]
fn fields_are_read_as_the_standard_says() {
    check("event: ping\ndata: {}\n\n", &[("ping", "{}")]);
    check("data:a\ndata: b\ndata:  c\ndata\n\n", &[("", "a\nb\n c\n")]);
    check(": a comment\nid: 1\nretry: 5\nnonsense\ndata: a\n\n", &[("", "a")]);
    check("\u{feff}data: a\n\n\u{feff}data: b\n\n", &[("", "a")]);
    check("data: a:b: c\n\n", &[("", "a:b: c")]);
}

#[test]
fn an_event_without_data_is_none_and_leaves_no_name_behind() {
    check("event: a\n\ndata: b\n\n", &[("", "b")]);
    check("data\n\ndata:\n\n\n\n", &[]);
}

#[test]
fn what_the_end_of_the_stream_cuts_off_counts_as_it_is() {
    check("data: a\n\ndata: [DONE]", &[("", "a"), ("", "[DONE]")]);
    check("data: a\n", &[("", "a")]);
    check("", &[]);
}

#[test]
fn a_line_without_end_is_refused_before_it_fills_the_memory() {
    let mut sse = Sse::new(MOST);
    sse.push(b"data: ");
    for _ in 0..7 {
        sse.push(b"12345678");
        assert_eq!(sse.next(), Ok(None));
    }
    sse.push(b"12345678");
    assert_eq!(sse.next(), Err(SseError::TooLong));
}

#[test]
fn an_event_of_many_lines_is_refused_when_it_is_too_long() {
    let stream = "data: 12345678\n".repeat(8);
    assert_eq!(read([stream.as_bytes()]), (Vec::new(), Some(SseError::TooLong)));
    let comments = ": 12345678\n".repeat(100);
    assert_eq!(read([comments.as_bytes()]), (Vec::new(), None));
}

#[test]
fn what_is_not_utf8_is_refused() {
    let (frames, error) = read([b"data: a\n\ndata: \xff\n\n".as_slice()]);
    assert_eq!((frames.len(), error), (1, Some(SseError::NotUtf8)));
}

#[test]
fn a_letter_may_be_cut_in_two() {
    check("data: žluťoučký 🐎\n\n", &[("", "žluťoučký 🐎")]);
}

/// Streams of the pieces that matter, with noise.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let token = prop_oneof![
        Just(b"data: ".to_vec()),
        Just(b"data:".to_vec()),
        Just(b"event: x".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"\r".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b"\n\n".to_vec()),
        Just(b": c".to_vec()),
        Just(b"\xef\xbb\xbf".to_vec()),
        prop::collection::vec(any::<u8>(), 0..12),
    ];
    prop::collection::vec(token, 0..24).prop_map(|tokens| tokens.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn any_cut_gives_the_same_events(bytes in stream(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6)) {
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.push(bytes.len());
        cuts.sort_unstable();
        let mut pieces = Vec::new();
        let mut from = 0;
        for cut in cuts {
            pieces.push(&bytes[from..cut]);
            from = cut;
        }
        let whole = read([bytes.as_slice()]);
        prop_assert_eq!(read(pieces), whole.clone());
        prop_assert_eq!(read(bytes.chunks(1)), whole);
    }
}
