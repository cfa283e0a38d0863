//! `#include`, and the files being read.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use everypath_model::{Diagnostic, FileId, Span};

use crate::codes;
use crate::reader::{Mode, Reader};
use crate::state::{Meaning, State};
use crate::token::{Kind, PREV_WHITE, Token};

impl State<'_> {
    /// Continues with the start of a file.
    pub(crate) fn push_file(&mut self, file: FileId, included_at: Option<Span>) {
        let sources = &*self.sources;
        let text =
            self.texts.entry(file).or_insert_with(|| Rc::from(sources.file(file).text.as_bytes()));
        let text = Rc::clone(text);
        self.readers.push(Reader::new(file, text, included_at));
        self.printer.change_file(1);
    }

    /// Leaves the current file at its end; false if it was the main file.
    pub(crate) fn pop_file(&mut self) -> bool {
        self.unclosed_conditionals();
        self.readers.pop();
        let Some(reader) = self.readers.last() else {
            return false;
        };
        self.printer.change_file(reader.next_line());
        true
    }

    /// Reads the definitions of the command line first.
    pub(crate) fn push_command_line(&mut self) {
        let mut text = String::new();
        for (name, body) in &self.options.defines {
            let body = body.as_deref().unwrap_or("1");
            text += &format!("#define {} {}\n", one_line(name), one_line(body));
        }
        for name in &self.options.undefines {
            text += &format!("#undef {}\n", one_line(name));
        }
        if !text.is_empty() {
            let file = self.sources.add(PathBuf::from("<command line>"), text);
            self.push_file(file, None);
        }
    }

    /// `#include`: the file and the place that names it.
    pub(crate) fn include(&mut self, directive: &Token, word: &str) -> Option<(FileId, Span)> {
        let (name, angled, span) = self.header_name(directive, word)?;
        if word == "import" {
            let message = "#import is deprecated, use #include with a guard";
            self.report(Diagnostic::warning(codes::DEPRECATED, self.place(directive), message));
        }
        if name.is_empty() {
            let message = format!("#{word} with an empty file name");
            self.report(Diagnostic::error(codes::BAD_INCLUDE, span, message));
            return None;
        }
        let local = !angled && word != "include_next";
        let file = self.find(&name, local, Some(span))?;
        if word == "import" {
            if self.once.contains(&file) {
                return None;
            }
            self.once.push(file);
        } else if self.once.contains(&file) {
            return None;
        }
        if self.readers.len() > self.options.limits.include_depth {
            self.include_cycle(file, span);
            return None;
        }
        let size = self.sources.file(file).text.len();
        self.call_work = 0;
        self.total_work += size + 100;
        self.charge(0);
        Some((file, span))
    }

    /// The file name behind `#include`, whether it is in angles, and its place.
    fn header_name(&mut self, directive: &Token, word: &str) -> Option<(String, bool, Span)> {
        let mut token = self.lex(Mode::Header);
        let mut span = self.place(&token);
        if token.kind == Kind::Name && !matches!(self.meaning(token.sym), Meaning::Nothing) {
            self.ahead.push(token);
            token = self.next_solid();
        }
        let text = self.interner.get(token.sym);
        match token.kind {
            Kind::Header | Kind::String if text.ends_with(b"\"") || text.ends_with(b">") => {
                let start = text.iter().position(|&b| matches!(b, b'"' | b'<'))? + 1;
                let angled = text.ends_with(b">");
                let name = String::from_utf8_lossy(&text[start..text.len() - 1]).into_owned();
                if !token.has(crate::token::FROM_MACRO) {
                    self.expect_end(directive);
                }
                return Some((name, angled, span));
            }
            Kind::Less => {
                let mut name = Vec::new();
                loop {
                    let token = self.next_solid();
                    match token.kind {
                        Kind::Greater => {
                            let name = String::from_utf8_lossy(&name).into_owned();
                            return Some((name, true, span));
                        }
                        Kind::Eof => break,
                        _ => {
                            if token.has(PREV_WHITE) {
                                name.push(b' ');
                            }
                            name.extend_from_slice(self.interner.get(token.sym));
                        }
                    }
                }
            }
            Kind::Eof => span = self.place(directive),
            _ => {}
        }
        let message = format!("#{word} needs \"file\" or <file>");
        self.report(Diagnostic::error(codes::BAD_INCLUDE, span, message));
        None
    }

    /// Finds and loads a file. Reports a missing one at `place`, if given.
    pub(crate) fn find(&mut self, name: &str, local: bool, place: Option<Span>) -> Option<FileId> {
        let mut candidates = Vec::new();
        let name = Path::new(name);
        if name.is_absolute() {
            candidates.push(name.to_path_buf());
        } else {
            if local && let Some(reader) = self.readers.last() {
                let including = &self.sources.file(reader.file).path;
                candidates.push(including.parent().unwrap_or(Path::new("")).join(name));
            }
            candidates.extend(self.options.include_dirs.iter().map(|dir| dir.join(name)));
        }
        let mut problem = None;
        for path in candidates {
            if let Some(&file) = self.loaded.get(&path) {
                return Some(file);
            }
            match self.loader.load(&path) {
                Ok(bytes) if bytes.len() < u32::MAX as usize => {
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    let file = self.sources.add(path.clone(), text);
                    self.loaded.insert(path, file);
                    return Some(file);
                }
                Ok(_) => problem = Some(format!("{} is too large", path.display())),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => {
                    problem.get_or_insert(format!("{}: {error}", path.display()));
                }
            }
        }
        if let Some(span) = place {
            let message = format!("cannot find the included file `{}`", name.display());
            let mut diagnostic = Diagnostic::error(codes::MISSING_INCLUDE, span, message);
            diagnostic.help = problem.or_else(|| {
                (!local && self.options.include_dirs.is_empty())
                    .then(|| "with <> it is searched in the include directories only".into())
            });
            self.report(diagnostic);
        }
        None
    }

    /// Reports files that include each other too deeply.
    fn include_cycle(&mut self, file: FileId, span: Span) {
        let depth = self.options.limits.include_depth;
        let name = |file: FileId| self.sources.file(file).path.display().to_string();
        // From the last time the file was opened to now.
        let mut cycle = vec![name(file)];
        let mut closed = false;
        for reader in self.readers.iter().rev() {
            cycle.push(name(reader.file));
            if reader.file == file {
                closed = true;
                break;
            }
        }
        cycle.reverse();
        let mut message = format!("#include is nested more than {depth} deep");
        if closed && cycle.len() <= 10 {
            message += &format!(": {}", cycle.join(" includes "));
        } else if closed {
            message += &format!(": {} includes itself through others", cycle[0]);
        }
        let mut diagnostic = Diagnostic::error(codes::INCLUDE_DEPTH, span, message)
            .help("guard the file with #ifndef, #define and #endif");
        if let Some(first) = self.readers.iter().find_map(|reader| reader.included_at) {
            diagnostic = diagnostic.also(first, "the first #include is here");
        }
        self.fatal(diagnostic);
    }
}

/// The text without line breaks.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
