//! The predefined macros.

use std::rc::Rc;

use everypath_model::{Diagnostic, FileId};

use crate::codes;
use crate::reader::Reader;
use crate::state::{Looking, Meaning, State};
use crate::token::{Kind, NO_FILE, Token};

/// A macro whose value depends on where it is used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Builtin {
    Line,
    File,
    FileName,
    BaseFile,
    IncludeLevel,
    Counter,
    Date,
    Time,
    Timestamp,
    Pragma,
}

const BUILTINS: &[(&str, Builtin)] = &[
    ("__LINE__", Builtin::Line),
    ("__FILE__", Builtin::File),
    ("__FILE_NAME__", Builtin::FileName),
    ("__BASE_FILE__", Builtin::BaseFile),
    ("__INCLUDE_LEVEL__", Builtin::IncludeLevel),
    ("__COUNTER__", Builtin::Counter),
    ("__DATE__", Builtin::Date),
    ("__TIME__", Builtin::Time),
    ("__TIMESTAMP__", Builtin::Timestamp),
    ("_Pragma", Builtin::Pragma),
];

/// What `gcc -std=gnu99` on 64-bit Linux predefines and a model may ask for.
const PREDEFINED: &str = "\
#define __STDC__ 1
#define __STDC_VERSION__ 199901L
#define __STDC_HOSTED__ 1
#define __STDC_IEC_559__ 1
#define __STDC_ISO_10646__ 201706L
#define __STDC_UTF_16__ 1
#define __STDC_UTF_32__ 1
#define __GNUC__ 12
#define __GNUC_MINOR__ 2
#define __GNUC_PATCHLEVEL__ 0
#define __GNUC_STDC_INLINE__ 1
#define __VERSION__ \"12.2.0\"
#define __NO_INLINE__ 1
#define __linux 1
#define __linux__ 1
#define __gnu_linux__ 1
#define linux 1
#define __unix 1
#define __unix__ 1
#define unix 1
#define __ELF__ 1
#define __x86_64 1
#define __x86_64__ 1
#define __amd64 1
#define __amd64__ 1
#define _LP64 1
#define __LP64__ 1
#define __CHAR_BIT__ 8
#define __SCHAR_MAX__ 0x7f
#define __SHRT_MAX__ 0x7fff
#define __INT_MAX__ 0x7fffffff
#define __LONG_MAX__ 0x7fffffffffffffffL
#define __LONG_LONG_MAX__ 0x7fffffffffffffffLL
#define __INTMAX_MAX__ 0x7fffffffffffffffL
#define __UINTMAX_MAX__ 0xffffffffffffffffUL
#define __SIZE_MAX__ 0xffffffffffffffffUL
#define __SIZEOF_SHORT__ 2
#define __SIZEOF_INT__ 4
#define __SIZEOF_LONG__ 8
#define __SIZEOF_LONG_LONG__ 8
#define __SIZEOF_POINTER__ 8
#define __SIZEOF_SIZE_T__ 8
#define __INT8_TYPE__ signed char
#define __INT16_TYPE__ short int
#define __INT32_TYPE__ int
#define __INT64_TYPE__ long int
#define __SIZE_TYPE__ long unsigned int
#define __ORDER_LITTLE_ENDIAN__ 1234
#define __ORDER_BIG_ENDIAN__ 4321
#define __BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__
";

impl State<'_> {
    /// Gives the predefined names their meanings.
    pub(crate) fn define_builtins(&mut self) {
        for &(name, builtin) in BUILTINS {
            let sym = self.interner.intern(name.as_bytes());
            self.set_meaning(sym, Meaning::Builtin(builtin));
        }
        self.readers.push(Reader::new(FileId(NO_FILE), Rc::from(PREDEFINED.as_bytes()), None));
        // A macro call cannot go beyond the end of a file, so this stops there.
        self.looking = Looking::Arguments;
        self.file_token();
        self.looking = Looking::Text;
        self.readers.pop();
    }

    /// The token that a builtin stands for here; `None` after an error.
    pub(crate) fn builtin(&mut self, builtin: Builtin, name: &Token) -> Option<Token> {
        let (kind, text) = match builtin {
            Builtin::Line => {
                let offset = self.readers.last().map_or(0, |reader| reader.line_offset);
                // Arguments that follow an object-like macro count as part of it.
                let line = if self.call.function_like { name.line } else { self.call.line };
                (Kind::Number, (i64::from(line) + offset).to_string().into_bytes())
            }
            Builtin::File => (Kind::String, quote(&self.presumed_name())),
            Builtin::FileName => {
                let name = self.presumed_name();
                let start = name.iter().rposition(|&b| b == b'/').map_or(0, |slash| slash + 1);
                (Kind::String, quote(&name[start..]))
            }
            Builtin::BaseFile => {
                let name = self.sources.file(self.main).path.display().to_string();
                (Kind::String, quote(name.as_bytes()))
            }
            Builtin::IncludeLevel => {
                let level = self.readers.len().saturating_sub(1);
                (Kind::Number, level.to_string().into_bytes())
            }
            Builtin::Counter => {
                self.counter += 1;
                (Kind::Number, (self.counter - 1).to_string().into_bytes())
            }
            Builtin::Date => (Kind::String, b"\"Jan  1 1970\"".to_vec()),
            Builtin::Time => (Kind::String, b"\"00:00:00\"".to_vec()),
            Builtin::Timestamp => (Kind::String, b"\"Thu Jan  1 00:00:00 1970\"".to_vec()),
            Builtin::Pragma => {
                self.report(Diagnostic::error(
                    codes::PRAGMA,
                    self.place(name),
                    "`_Pragma` makes a #pragma, which a model cannot contain",
                ));
                return None;
            }
        };
        let mut token = Token::bare(kind).at(name);
        token.sym = self.interner.intern(&text);
        Some(token)
    }

    /// The name of the current file, as `#line` has it.
    fn presumed_name(&self) -> Vec<u8> {
        match self.readers.last() {
            Some(reader) => match &reader.name {
                Some(name) => name.clone(),
                None => self.sources.file(reader.file).path.display().to_string().into_bytes(),
            },
            None => Vec::new(),
        }
    }
}

/// A string literal of this content.
fn quote(text: &[u8]) -> Vec<u8> {
    let mut quoted = vec![b'"'];
    for &byte in text {
        if matches!(byte, b'"' | b'\\') {
            quoted.push(b'\\');
        }
        quoted.push(byte);
    }
    quoted.push(b'"');
    quoted
}
