//! From paths to URIs.

/// A relative reference for a relative path, a `file` URI for an absolute one.
pub fn of(path: &str) -> String {
    use std::fmt::Write;
    let absolute = path.starts_with('/') || (cfg!(windows) && path.get(1..3) == Some(":/"));
    let mut uri = String::with_capacity(path.len());
    if absolute {
        uri.push_str(if path.starts_with('/') { "file://" } else { "file:///" });
    }
    for byte in path.bytes() {
        // All but these have or may get a meaning, a colon for example that of a scheme.
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn everything_unusual_is_encoded() {
        for (path, uri) in [
            ("models/a.pml", "models/a.pml"),
            ("a b%c#d?.pml", "a%20b%25c%23d%3F.pml"),
            ("größe.pml", "gr%C3%B6%C3%9Fe.pml"),
            ("a:b.pml", "a%3Ab.pml"),
            ("<stdin>", "%3Cstdin%3E"),
            ("../x", "../x"),
            ("/abs/x y", "file:///abs/x%20y"),
        ] {
            assert_eq!(of(path), uri);
        }
    }
}
