//! Places as documents name them.

use everypath_model::{Sources, Span};
use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use sha2::{Digest, Sha256};

/// A range of one input file: lines and columns from 1, columns in characters, end exclusive.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
pub struct Place {
    /// Index into the inputs of the document.
    pub file: u32,
    /// Line and column of the first character.
    #[serde(deserialize_with = "from_one")]
    pub start: (u32, u32),
    /// Line and column one past the last character.
    #[serde(deserialize_with = "from_one")]
    pub end: (u32, u32),
}

fn from_one<'de, D: Deserializer<'de>>(document: D) -> Result<(u32, u32), D::Error> {
    match <(u32, u32)>::deserialize(document)? {
        (0, _) | (_, 0) => Err(D::Error::custom("lines and columns count from 1")),
        position => Ok(position),
    }
}

impl Place {
    /// The place of a span.
    pub fn of(sources: &Sources, span: Span) -> Place {
        Place { file: span.file.0, start: sources.start(span), end: sources.end(span) }
    }

    /// Whether it stands for something that is not in the sources: nothing at their beginning.
    pub fn is_nowhere(self) -> bool {
        self.start == (1, 1) && self.end == (1, 1)
    }
}

/// SHA-256 as 64 hexadecimal digits.
pub fn sha256_hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_hash() {
        assert_eq!(
            sha256_hex(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
