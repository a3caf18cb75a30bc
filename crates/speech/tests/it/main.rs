//! Local speech with its real networks, which are fetched once into `models` beside the profiles of the build.
//! Without a network, put the files there (`aileron models list` names them).

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test that cannot go on must fail"
)]

mod bad_input;
mod hearing;
mod round_trip;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use aileron_models::{Clients, FetchSource, Model, fetch};
use aileron_speech::audio::{Format, Resampler, SPOKEN_RATE, to_pcm16};
use aileron_speech::{Engine, Heard, Listener, SpeechOptions};

fn models() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    program.ancestors().nth(3).unwrap().join("models")
}

/// The engine, loaded once for all tests.
fn engine() -> Arc<Engine> {
    static ENGINE: OnceLock<Arc<Engine>> = OnceLock::new();
    let load = || {
        let clients = Clients::default();
        for model in Model::SPEECH {
            let source = FetchSource::Registry(&clients);
            fetch(model, &models(), source, &mut |_| {}).unwrap_or_else(|error| panic!("{error}"));
        }
        Engine::load(&SpeechOptions::new(models())).unwrap_or_else(|error| panic!("{error}"))
    };
    ENGINE.get_or_init(load).clone()
}

/// The recordings with their words, or none where the folder of corpora is absent.
fn recordings() -> Vec<(Vec<f32>, String)> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpora");
    let folder = std::env::var("AILERON_CORPORA").unwrap_or_else(|_| beside.to_owned());
    let folder = Path::new(&folder).join("speech-en");
    let Ok(list) = std::fs::read_to_string(folder.join("transcripts.tsv")) else {
        eprintln!("skipped: no recordings in {}", folder.display());
        return Vec::new();
    };
    let rows = list.lines().filter_map(|line| line.split_once('\t'));
    rows.map(|(file, words)| (wav(&folder.join(file)), words.to_owned())).collect()
}

/// The samples of a WAV file of PCM16 at 16 kHz.
fn wav(path: &Path) -> Vec<f32> {
    let bytes = std::fs::read(path).unwrap();
    let at = bytes.windows(4).position(|chunk| chunk == b"data").unwrap() + 8;
    let (samples, _) = bytes[at..].as_chunks::<2>();
    samples.iter().map(|sample| f32::from(i16::from_le_bytes(*sample)) / 32_768.0).collect()
}

/// A sentence of our own voice at 16 kHz.
fn said(sentence: &str) -> Vec<f32> {
    let speech = engine().speak(sentence).unwrap();
    let mut out = Vec::new();
    Resampler::new(SPOKEN_RATE, 16_000).push(&speech.samples, &mut out);
    out
}

fn silence(seconds: f32) -> Vec<f32> {
    vec![0.0; (16_000.0 * seconds) as usize]
}

/// The events of hearing this sound, in frames of 20 ms.
fn heard(samples: &[f32]) -> Vec<Heard> {
    let mut listener = Listener::new(engine(), Format::default());
    let mut heard = Vec::new();
    for frame in to_pcm16(samples).chunks(640) {
        listener.push(frame, &mut heard).unwrap();
    }
    heard
}

fn finals(heard: &[Heard]) -> Vec<String> {
    let text =
        |heard: &Heard| if let Heard::Final(text) = heard { Some(text.clone()) } else { None };
    heard.iter().filter_map(text).collect()
}

/// The words of a text: lower case, without punctuation, numbers in words.
fn words(text: &str) -> Vec<String> {
    let spoken = aileron_speech::spoken::spoken_form(text).to_lowercase();
    let kept = spoken.chars().map(|c| if c.is_alphabetic() || c == '\'' { c } else { ' ' });
    kept.collect::<String>().split_whitespace().map(str::to_owned).collect()
}

/// How many words differ, by the least number of changes.
fn errors(expected: &[String], found: &[String]) -> usize {
    let mut row: Vec<usize> = (0..=found.len()).collect();
    for (i, word) in expected.iter().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, other) in found.iter().enumerate() {
            let change = before + usize::from(word != other);
            before = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(before + 1);
        }
    }
    row[found.len()]
}
