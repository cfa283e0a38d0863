//! Descriptors of fields and methods.

/// The type of a value, as far as words and adaptation go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// One of `ZBCSIJFDV`.
    Primitive(u8),
    /// A class or array by its name with slashes: `java/lang/String`, `[I`.
    Reference(Box<str>),
}

impl Type {
    /// The type that a descriptor begins with, and the rest.
    pub fn read(text: &str) -> Option<(Type, &str)> {
        let first = *text.as_bytes().first()?;
        match first {
            b'Z' | b'B' | b'C' | b'S' | b'I' | b'J' | b'F' | b'D' | b'V' => {
                Some((Type::Primitive(first), &text[1..]))
            }
            b'L' => {
                let end = text.find(';')?;
                Some((Type::Reference(text[1..end].into()), &text[end + 1..]))
            }
            b'[' => {
                let (element, rest) = Type::read(&text[1..])?;
                if element == Type::Primitive(b'V') {
                    return None;
                }
                let length = text.len() - rest.len();
                Some((Type::Reference(text[..length].into()), rest))
            }
            _ => None,
        }
    }

    /// The type of a field.
    pub fn of(text: &str) -> Option<Type> {
        Type::read(text).filter(|(_, rest)| rest.is_empty()).map(|(found, _)| found)
    }

    /// Words that a value takes.
    pub fn words(&self) -> usize {
        match self {
            Type::Primitive(b'J' | b'D') => 2,
            Type::Primitive(b'V') => 0,
            _ => 1,
        }
    }

    pub fn is_reference(&self) -> bool {
        matches!(self, Type::Reference(_))
    }

    /// The type as descriptors have it.
    pub fn descriptor(&self) -> String {
        match self {
            Type::Primitive(kind) => char::from(*kind).to_string(),
            Type::Reference(name) if name.starts_with('[') => name.to_string(),
            Type::Reference(name) => format!("L{name};"),
        }
    }

    /// The type as Java writes it.
    pub fn java(&self) -> String {
        match self {
            Type::Primitive(kind) => primitive_name(*kind).to_owned(),
            Type::Reference(name) => java_name(name),
        }
    }
}

/// The keyword of a primitive type.
pub(crate) fn primitive_name(kind: u8) -> &'static str {
    match kind {
        b'Z' => "boolean",
        b'B' => "byte",
        b'C' => "char",
        b'S' => "short",
        b'I' => "int",
        b'J' => "long",
        b'F' => "float",
        b'D' => "double",
        _ => "void",
    }
}

/// The name of a class as Java writes it: `java.lang.String`, `int[]`.
pub(crate) fn java_name(name: &str) -> String {
    match name.strip_prefix('[') {
        Some(element) => {
            let element = match Type::of(element) {
                Some(found) => found.java(),
                None => element.to_owned(),
            };
            format!("{element}[]")
        }
        None => name.replace('/', "."),
    }
}

/// The types of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Descriptor {
    pub parameters: Vec<Type>,
    pub result: Type,
    /// Words of the parameters.
    pub words: usize,
}

impl Descriptor {
    pub fn of(text: &str) -> Option<Descriptor> {
        let mut rest = text.strip_prefix('(')?;
        let mut parameters = Vec::new();
        loop {
            if let Some(result) = rest.strip_prefix(')') {
                let result = Type::of(result)?;
                let words = parameters.iter().map(Type::words).sum();
                return Some(Descriptor { parameters, result, words });
            }
            let (parameter, behind) = Type::read(rest)?;
            if parameter == Type::Primitive(b'V') {
                return None;
            }
            parameters.push(parameter);
            rest = behind;
        }
    }
}
