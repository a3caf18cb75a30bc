//! A native handler with a defect: it panics.

use aileron_capability::{Context, ToolResult};
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Args {
    number: u32,
}

pub async fn execute(args: Args, _context: Context) -> ToolResult {
    panic!("{} cannot be divided by zero", args.number)
}
