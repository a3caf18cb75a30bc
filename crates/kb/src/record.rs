//! stub
pub(crate) fn content_hash(record: &aileron_contract::kb::Record) -> aileron_contract::ContentHash {
    aileron_contract::ContentHash::of_bytes(
        serde_json::to_string(record).unwrap_or_default().as_bytes(),
    )
}
