//! Splits texts into requests.

/// Bytes of text in one request. Providers limit tokens; a token has at least a byte, and
/// the lowest limit known, OpenAI's, is 300,000 tokens a request.
const MOST_BYTES: usize = 256 * 1024;

/// The texts of one request, and where they stood among all.
#[derive(Debug, PartialEq)]
pub(super) struct EmbedBatch<'a> {
    pub(super) texts: Vec<&'a str>,
    pub(super) places: Vec<usize>,
    bytes: usize,
}

/// Batches in the order of the texts. Blank texts are left out: providers refuse them, and their
/// vector is zero. A text above the limit of bytes is a separate batch.
pub(super) fn split<'a>(texts: &[&'a str], most_texts: usize) -> Vec<EmbedBatch<'a>> {
    let mut batches: Vec<EmbedBatch<'a>> = Vec::new();
    for (place, text) in texts.iter().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        let open = batches.last_mut().filter(|batch| batch.takes(text, most_texts));
        match open {
            Some(batch) => batch.add(place, text),
            None => {
                batches.push(EmbedBatch {
                    texts: vec![text],
                    places: vec![place],
                    bytes: text.len(),
                });
            }
        }
    }
    batches
}

impl<'a> EmbedBatch<'a> {
    fn takes(&self, text: &str, most_texts: usize) -> bool {
        self.texts.len() < most_texts && self.bytes + text.len() <= MOST_BYTES
    }

    fn add(&mut self, place: usize, text: &'a str) {
        self.texts.push(text);
        self.places.push(place);
        self.bytes += text.len();
    }
}

#[cfg(test)]
#[path = "batch_tests.rs"]
mod tests;
