//! Sound that is no speech, text that cannot be spoken, weights that are not the known ones.

use super::*;
use aileron_speech::SpeechError;

/// Noise that is the same in every run.
fn noise(seconds: f32, level: f32) -> Vec<f32> {
    let mut state = 1_u32;
    let next = move |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((state >> 8) as f32 / (1 << 24) as f32 - 0.5) * 2.0 * level
    };
    (0..(16_000.0 * seconds) as usize).map(next).collect()
}

fn music(seconds: f32) -> Vec<f32> {
    let notes = [261.6, 329.6, 392.0, 523.3];
    let sample = |n: usize| {
        let (second, time) = (n / 4_000, n as f32 / 16_000.0);
        let note = notes[second % notes.len()];
        (1..=4)
            .map(|k| (std::f32::consts::TAU * note * k as f32 * time).sin() / k as f32)
            .sum::<f32>()
            * 0.2
    };
    (0..(16_000.0 * seconds) as usize).map(sample).collect()
}

#[test]
fn sound_that_is_no_speech_starts_nothing() {
    let clicks: Vec<f32> = (0..160_000).map(|n| if n % 8_000 < 40 { 0.9 } else { 0.0 }).collect();
    for (name, sound) in [
        ("silence", silence(10.0)),
        ("noise", noise(10.0, 0.1)),
        ("loud noise", noise(10.0, 1.0)),
        ("music", music(10.0)),
        ("clicks", clicks),
    ] {
        assert_eq!(heard(&sound), [], "{name}");
    }
}

#[test]
fn clipped_speech_does_no_harm() {
    let loud: Vec<f32> =
        said("Where is the spare key?").iter().map(|x| (x * 40.0).clamp(-1.0, 1.0)).collect();
    let heard = heard(&[silence(0.4), loud, silence(1.6)].concat());
    assert_eq!(heard.first(), Some(&Heard::SpeechStarted));
}

#[test]
fn speech_without_a_pause_is_cut_and_ends() {
    let sentence = said("and then we went on to the next place and looked at it and");
    let speech: Vec<f32> = sentence.iter().copied().cycle().take(16_000 * 95).collect();
    let heard = heard(&speech);
    assert_eq!(finals(&heard).len(), 1, "an utterance ends after a minute and a half");
}

#[test]
fn text_that_cannot_be_spoken_gives_no_sound_and_no_fault() {
    for text in [
        "",
        "   ",
        "🙂🙂",
        "https://example.com/a?b=c",
        "[1]",
        "***",
        "日本語のテキスト",
        "\u{0}\u{7}",
    ] {
        let speech = engine().speak(text).unwrap();
        assert!(speech.samples.len() < 24_000 * 4, "{text:?}: {}", speech.samples.len());
    }
}

#[test]
fn a_long_text_is_cut_with_a_word() {
    let text = "A hundred thousand characters. ".repeat(3_300);
    let readable = aileron_speech::spoken::readable(&text);
    assert!(readable.len() < 7_000 && readable.ends_with("The rest is in the written answer."));
    let endless = "a".repeat(100_000);
    assert!(engine().speak(&endless).unwrap().samples.len() < 24_000 * 120);
}

#[test]
fn more_callers_than_the_machine_carries_are_refused() {
    let mut options = SpeechOptions::new(models());
    options.callers = Some(2);
    engine();
    let small = Engine::load(&options).unwrap();
    let (first, second) = (small.enter().unwrap(), small.enter().unwrap());
    let refused = small.enter().unwrap_err();
    assert_eq!(refused, SpeechError::Full { callers: 2 });
    assert!(refused.to_string().contains("as many as this machine can hear"), "{refused}");
    drop(first);
    assert!(small.enter().is_ok());
    drop(second);
}

#[test]
fn a_wrong_or_missing_file_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let missing = Engine::load(&SpeechOptions::new(folder.path())).unwrap_err().to_string();
    assert!(missing.ends_with("run `aileron models fetch speech`"), "{missing}");
    std::fs::write(folder.path().join("silero-vad-16k.onnx"), b"damaged").unwrap();
    let damaged = Engine::load(&SpeechOptions::new(folder.path())).unwrap_err().to_string();
    assert!(damaged.contains("with the SHA-256 9ccdacc4"), "{damaged}");
}
