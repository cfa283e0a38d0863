//! The C99 preprocessor with the GNU extensions that models use.
//!
//! SPIN reads a model through `gcc -std=gnu99 -E -x c`. [`preprocess`] does the same work: its
//! output has the tokens, the spaces and the line breaks of gcc's, without the line markers. What
//! the markers tell is in the [`OriginMap`], which leads from every byte of the output to its
//! source.
//!
//! The crate reads no files; a [`Loader`] fetches what `#include` names. Time and memory stay
//! within [`Limits`] whatever the input.

mod builtin;
mod codes;
mod conditional;
mod define;
mod directive;
mod expand;
mod expression;
mod include;
mod origin;
mod printer;
mod reader;
mod scan;
mod state;
mod token;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use everypath_model::{Brake, Diagnostic, FileId, Sources};

pub use codes::CODES;
pub use origin::OriginMap;

/// What the command line says.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Macros to define before the first line: a name, perhaps with parameters, and its body, `1`
    /// if there is none.
    pub defines: Vec<(String, Option<String>)>,
    /// Macros to undefine after that.
    pub undefines: Vec<String>,
    /// Where `#include` looks, in this order.
    pub include_dirs: Vec<PathBuf>,
    /// Where to give up.
    pub limits: Limits,
    /// Ends the work; what has come out then is of no use.
    pub brake: Option<Arc<Brake>>,
}

/// Where to give up, with an error.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of output.
    pub output_bytes: usize,
    /// Tokens that one macro call goes through, the final ones and all in between.
    pub call_tokens: usize,
    /// Tokens that all macro calls together go through, and bytes of included files.
    pub total_work: usize,
    /// Files that include each other.
    pub include_depth: usize,
    /// Macro calls in the arguments of macro calls.
    pub call_depth: usize,
    /// Errors.
    pub errors: usize,
    /// Warnings; those beyond are dropped.
    pub warnings: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            output_bytes: 64 << 20,
            call_tokens: 4_000_000,
            total_work: 200_000_000,
            include_depth: 200,
            call_depth: 400,
            errors: 20,
            warnings: 100,
        }
    }
}

/// Fetches the files that `#include` names.
pub trait Loader {
    /// The bytes of a file.
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>>;
}

/// What became of the input.
#[derive(Clone, Debug)]
pub struct Output {
    /// The text without directives, comments and macros. It is of use only without errors.
    pub text: String,
    /// Where it comes from.
    pub map: OriginMap,
    /// Errors and warnings in the order they were found.
    pub diagnostics: Vec<Diagnostic>,
    /// The names in the bodies of all macros that were defined.
    pub mentioned: BTreeSet<String>,
}

/// Preprocesses `main`. Included files are added to `sources`, and so is a file `<command line>`
/// if the options define or undefine macros.
pub fn preprocess(
    sources: &mut Sources,
    main: FileId,
    options: &Options,
    loader: &dyn Loader,
) -> Output {
    state::State::new(sources, main, options, loader).run()
}
