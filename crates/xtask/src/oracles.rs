//! What is promised of published systems, as a table, and as a page of the documents.

use std::fs;
use std::process::ExitCode;

use everypath_conformance::oracles::{Register, page, page_path, root, table};

/// `oracles [--write]`
pub fn main(args: &[String]) -> ExitCode {
    let write = match args {
        [] => false,
        [flag] if flag == "--write" => true,
        _ => {
            eprintln!("usage: cargo xtask oracles [--write]");
            return ExitCode::from(2);
        }
    };
    let register = match Register::load() {
        Ok(register) => register,
        Err(why) => {
            eprintln!("error: {why}");
            return ExitCode::FAILURE;
        }
    };
    let wrong = register.complaints(&root());
    wrong.iter().for_each(|what| eprintln!("error: {what}"));
    if !write {
        print!("{}", table(&register));
    } else if let Err(why) = fs::write(page_path(), page(&register)) {
        eprintln!("error: docs/systems.md: {why}");
        return ExitCode::FAILURE;
    }
    if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
