//! The everypath command.
fn main() {}
