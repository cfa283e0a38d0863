//! Source files and places in them.

use std::path::PathBuf;

/// Index of a file in [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A byte range of one source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end` of `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Span {
        Span { file, start: start as u32, end: end as u32 }
    }

    /// The smallest span that covers both; `self` if they lie in different files.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// One source text with its name.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name as the user gave it, or as an include directive found it.
    pub path: PathBuf,
    /// The text; bytes that were not UTF-8 are replaced.
    pub text: String,
    line_starts: Vec<u32>,
}

impl SourceFile {
    /// A file with its line index.
    pub fn new(path: PathBuf, text: String) -> SourceFile {
        let mut line_starts = vec![0];
        line_starts.extend(
            text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1),
        );
        SourceFile { path, text, line_starts }
    }

    /// Line and column of a byte offset, both from 1; columns count characters.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        let line = self.line_starts.partition_point(|&start| start <= offset) - 1;
        let start = self.line_starts[line] as usize;
        let end = (offset as usize).min(self.text.len());
        let column = self.text.get(start..end).map_or(end - start, |s| s.chars().count());
        (line as u32 + 1, column as u32 + 1)
    }

    /// The text of a line (from 1) without its line break.
    pub fn line(&self, line: u32) -> &str {
        let index = line as usize - 1;
        let Some(&start) = self.line_starts.get(index) else { return "" };
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |&e| e as usize);
        self.text[start as usize..end].trim_end_matches(['\n', '\r'])
    }

    /// Number of lines; a final line break does not start another one.
    pub fn line_count(&self) -> usize {
        self.line_starts.len() - usize::from(self.text.ends_with('\n'))
    }
}

/// All files that one model was read from, the main file first.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// Adds a file.
    pub fn add(&mut self, path: PathBuf, text: String) -> FileId {
        self.files.push(SourceFile::new(path, text));
        FileId(self.files.len() as u32 - 1)
    }

    /// The file behind an id of this collection.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(i, f)| (FileId(i as u32), f))
    }

    /// The text of a span; empty if it does not lie on character borders.
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Line and column (from 1) where a span starts.
    pub fn start(&self, span: Span) -> (u32, u32) {
        self.file(span.file).line_column(span.start)
    }

    /// Line and column (from 1) one past the end of a span.
    pub fn end(&self, span: Span) -> (u32, u32) {
        self.file(span.file).line_column(span.end)
    }
}
