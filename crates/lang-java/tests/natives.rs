//! Every native method of the installed JDK is done by the machine, or is listed with the reason why not.

use everypath_lang_java::{Jdk, unmodelled_natives};
use everypath_testkit::needs;

/// The modules whose classes programs may use.
const MODULES: [&str; 2] = ["java.base", "java.logging"];

/// Patterns of methods, each with its reason: a name of a class or method, or what it begins with and a star.
fn listed() -> Vec<(String, String)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/natives.txt");
    let text = std::fs::read_to_string(path).expect("the list");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (pattern, reason) = line.split_once(' ').expect("a pattern and a reason");
            (pattern.to_owned(), reason.trim().to_owned())
        })
        .collect()
}

fn fits(pattern: &str, method: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(beginning) => method.starts_with(beginning),
        None => method.split('(').next() == Some(pattern),
    }
}

#[test]
fn native_methods_are_done_or_listed() {
    if !needs::javac() {
        return;
    }
    let jdk = Jdk::find().expect("a JDK");
    let listed = listed();
    assert!(listed.iter().all(|(_, reason)| reason.len() > 3), "every line has a reason");
    let mut unknown = Vec::new();
    for module in MODULES {
        let natives = unmodelled_natives(&jdk, module).expect("the module can be read");
        let new = natives.into_iter().filter(|name| !listed.iter().any(|(p, _)| fits(p, name)));
        unknown.extend(new);
    }
    assert!(unknown.is_empty(), "neither done nor listed:\n{}", unknown.join("\n"));
}
