//! What a front end has to say about its input: one struct, rendered by the doors.

use crate::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Advice; never changes a verdict.
    Note,
    /// The model is checked, but something in it deserves a look.
    Warning,
    /// The construct is well formed but cannot be checked: the verdict is `unknown`.
    Unsupported,
    /// The input is ill formed.
    Error,
}

/// A place with a short text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there; may be empty.
    pub text: String,
}

/// One message about the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// `EPnnnn`, stable across versions.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence without a full stop.
    pub message: String,
    /// The place; `None` only when there is none (an unreadable file).
    pub primary: Option<Label>,
    /// Other places that explain it.
    pub secondary: Vec<Label>,
    /// A suggestion, phrased as a question or an instruction.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A message with its place.
    pub fn new(
        severity: Severity,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            code,
            severity,
            message: message.into(),
            primary: Some(Label { span, text: String::new() }),
            secondary: Vec::new(),
            help: None,
        }
    }

    /// An error with its place.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, span, message)
    }

    /// A warning with its place.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, span, message)
    }

    /// The same with a text under the primary place.
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        if let Some(primary) = &mut self.primary {
            primary.text = text.into();
        }
        self
    }

    /// The same with one more place.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// The same with a suggestion.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Whether the input cannot be checked because of it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
