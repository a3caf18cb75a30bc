//! Base64 in frames, and samples kept whole.

use proptest::prelude::*;

use super::*;

#[test]
fn a_frame_is_prefix_audio_suffix() {
    assert_eq!(frame("{\"a\":\"", &[0, 1, 2, 255], "\"}"), "{\"a\":\"AAEC/w==\"}");
}

#[test]
fn what_is_not_base64_is_an_error() {
    for text in ["A", "AAE", "AA*A", "AAEC/w==="] {
        assert!(decode(text).is_err(), "{text}");
    }
    assert_eq!(
        decode("*").unwrap_err().to_string(),
        "expected audio in base64, found other characters or a wrong length; the frame was passed over"
    );
}

#[test]
fn half_a_sample_is_refused() {
    assert_eq!(check_samples(&[1, 2, 3]), Err(CommandError::OddAudio { bytes: 3 }));
    assert_eq!(check_samples(&[]), Ok(()));
}

proptest! {
    #[test]
    fn audio_survives_the_way_through_a_frame(pcm in proptest::collection::vec(any::<u8>(), 0..400)) {
        let frame = frame("\"", &pcm, "\"");
        let text: String = serde_json::from_str(&frame).unwrap();
        prop_assert_eq!(decode(&text).unwrap(), pcm);
    }

    #[test]
    fn samples_cut_anywhere_come_out_whole(
        pcm in proptest::collection::vec(any::<u8>(), 0..200),
        cut in 1usize..9,
    ) {
        let mut samples = WholeSamples::default();
        let pieces: Vec<_> = pcm.chunks(cut).map(|piece| samples.take(piece.to_vec())).collect();
        prop_assert!(pieces.iter().all(|piece| piece.len() % 2 == 0));
        let whole = pcm.len() / 2 * 2;
        prop_assert_eq!(pieces.concat(), &pcm[..whole]);
    }
}
