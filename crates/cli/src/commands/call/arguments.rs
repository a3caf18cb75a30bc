//! The arguments of the call, from the command line or from stdin.

use std::io::{self, Read};

use aileron_contract::Arguments;
use aileron_contract::arguments::MAX_BYTES;

use crate::output::Failure;

/// Parses them strictly. The pipeline refuses invalid JSON, as it does for a model.
pub(super) fn read(given: Option<&str>) -> Result<Arguments, Failure> {
    Ok(match given {
        None => Arguments::default(),
        Some("-") => Arguments::parse(&from_stdin()?),
        Some(text) => Arguments::parse(text),
    })
}

/// Reads one byte more than allowed, to detect a longer input.
fn from_stdin() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::Usage(format!("stdin cannot be read: {error}")))?;
    String::from_utf8(bytes).map_err(|_| {
        Failure::Usage("expected the arguments on stdin as UTF-8, found other bytes".to_owned())
    })
}
