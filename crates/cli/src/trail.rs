//! SPIN's `.trail` files as evidence: which model they belong to, and what they show.

use std::fs;
use std::io::Read;
use std::path::Path;

/// The largest file that is read.
const MOST: u64 = 256 << 20;

/// The text of a trail.
pub fn text(path: &Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(|error| format!("cannot be read: {error}"))?;
    file.take(MOST + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| format!("cannot be read: {error}"))?;
    if bytes.len() as u64 > MOST {
        return Err("it is larger than 256 MiB".to_owned());
    }
    // What is not UTF-8 is no number either; the reader of the lines says where.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
