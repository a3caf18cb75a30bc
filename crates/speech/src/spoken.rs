//! Text as people say it: what is read out and what is not (`readable`), numbers, dates, times, money, addresses
//! and abbreviations in words (`words`, `numbers`), and where sentences and groups of words end (`sentence`).

mod abbreviation;
mod date;
mod numbers;
mod readable;
mod sentence;
mod words;

pub use readable::readable;
pub use sentence::{SentenceReader, word_groups};
pub use words::spoken_form;
