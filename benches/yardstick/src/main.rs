//! `yardstick LIST`: reads the files that a file names, one a line, and parses each into a `Value`.

use std::error::Error;
use std::fs;
use std::hint::black_box;

fn main() -> Result<(), Box<dyn Error>> {
    let list = std::env::args_os().nth(1).ok_or("missing argument: a list of files")?;
    for path in fs::read_to_string(list)?.lines() {
        let value: serde_json::Value = serde_json::from_slice(&fs::read(path)?)?;
        black_box(&value);
    }
    Ok(())
}
