//! The fields of a passage in the index.

use tantivy::schema::{
    FAST, Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions,
};

use crate::words;

/// The fields of every shard, the same in all.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields {
    /// Stems with frequencies, for ranking.
    pub(crate) stems: Field,
    /// Every word as it stands, with positions.
    pub(crate) plain: Field,
    /// The title as one term.
    pub(crate) title: Field,
    pub(crate) kind: Field,
    /// In the form of [`folded`].
    pub(crate) tag: Field,
    /// The record, as the records know it.
    pub(crate) row: Field,
    /// Microseconds since 1970.
    pub(crate) updated: Field,
    /// Where the passage begins and ends in the record's text, in bytes.
    pub(crate) start: Field,
    pub(crate) end: Field,
}

/// Which of the two fields of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Analysis {
    Stems,
    Plain,
}

impl Fields {
    pub(crate) fn words(&self, analysis: Analysis) -> Field {
        match analysis {
            Analysis::Stems => self.stems,
            Analysis::Plain => self.plain,
        }
    }
}

pub(crate) const ROW: &str = "row";
pub(crate) const UPDATED: &str = "updated";
pub(crate) const START: &str = "start";
pub(crate) const END: &str = "end";

/// A type or tag as filters compare it: case does not matter.
pub(crate) fn folded(value: &str) -> String {
    value.trim().to_lowercase()
}

pub(crate) fn schema() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let number = || NumericOptions::from(FAST);
    let positions = IndexRecordOption::WithFreqsAndPositions;
    let fields = Fields {
        stems: schema.add_text_field("stems", text(words::STEMS, IndexRecordOption::WithFreqs)),
        plain: schema.add_text_field("plain", text(words::PLAIN, positions)),
        title: schema.add_text_field("title", whole()),
        kind: schema.add_text_field("type", whole()),
        tag: schema.add_text_field("tag", whole()),
        row: schema.add_u64_field(ROW, number()),
        updated: schema.add_i64_field(UPDATED, number()),
        start: schema.add_u64_field(START, number()),
        end: schema.add_u64_field(END, number()),
    };
    (schema.build(), fields)
}

fn text(analysis: &str, record: IndexRecordOption) -> TextOptions {
    let indexing = TextFieldIndexing::default().set_tokenizer(analysis).set_index_option(record);
    TextOptions::default().set_indexing_options(indexing)
}

/// An untokenised field for exact matches.
fn whole() -> TextOptions {
    let indexing = TextFieldIndexing::default().set_tokenizer("raw").set_fieldnorms(false);
    TextOptions::default().set_indexing_options(indexing.set_index_option(IndexRecordOption::Basic))
}
