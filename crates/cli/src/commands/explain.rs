//! `everypath explain`: what a code means.

use clap::Args;
use everypath_verdict::Exit;

use crate::render::style::Style;
use crate::{codes, print};

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The code; without one, all codes are listed
    #[arg(value_name = "EPnnnn")]
    pub code: Option<String>,
}

/// Prints the explanation of a code.
pub fn explain(args: &ExplainArgs) -> Exit {
    let style = Style { color: false, ascii: false, width: 80 };
    match codes::explain(&style, args.code.as_deref()) {
        Ok(text) => {
            print(&text);
            Exit::Ok
        }
        Err(message) => {
            crate::complain(&format!("error: {message}\n"));
            Exit::Input
        }
    }
}
