//! Reads conditions. The grammar is a small part of Java's: `||`, `&&`, `!`, comparisons, `+`, `-`, `*`, numbers,
//! `true`, `false`, `null`, static fields and what they lead to, static methods without arguments, and
//! `in(..)`, `held(..)`, `alive(..)`, `objects()`.

use super::{Condition, Lock, Named, Part, Relation, Term, Way};
use crate::classfile::flags;
use crate::link::{Class, Field, Registry};

/// Reads the conditions of a program.
pub(crate) struct Reader<'a> {
    pub registry: &'a Registry,
    /// The class that the program begins in.
    pub main: &'static Class,
}

type Read<T> = Result<T, String>;

/// Classes whose objects stand for the number or truth value in them.
const BOXES: [&str; 9] = [
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Short",
    "java/lang/Byte",
    "java/lang/Boolean",
    "java/lang/Character",
    "java/util/concurrent/atomic/AtomicInteger",
    "java/util/concurrent/atomic/AtomicLong",
    "java/util/concurrent/atomic/AtomicBoolean",
];

/// A text with a place in it.
struct Text<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Text<'t> {
    fn rest(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        &self.text[self.at..]
    }

    fn takes(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn needs(&mut self, word: &str) -> Read<()> {
        match self.takes(word) {
            true => Ok(()),
            false => {
                let rest = self.rest();
                Err(format!("`{}`: `{word}` is missing before `{rest}`", self.text))
            }
        }
    }

    fn name(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        let part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let length = rest.find(|c| !part(c)).unwrap_or(rest.len());
        let name = &rest[..length];
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        self.at += length;
        Some(name)
    }

    /// The parts of a name with dots.
    fn dotted(&mut self) -> Vec<&'t str> {
        let mut parts: Vec<&str> = self.name().into_iter().collect();
        while !parts.is_empty() && self.rest().starts_with('.') {
            self.at += 1;
            match self.name() {
                Some(name) => parts.push(name),
                None => break,
            }
        }
        parts
    }

    /// What stands up to the end of the parentheses.
    fn argument(&mut self) -> Read<&'t str> {
        let rest = self.rest();
        let end = rest.find(')').ok_or_else(|| format!("`{}`: `)` is missing", self.text))?;
        self.at += end;
        Ok(rest[..end].trim().trim_matches(['"', '\'']))
    }
}

impl Reader<'_> {
    /// A whole condition.
    pub fn condition(&self, text: &str) -> Read<Condition> {
        let mut at = Text { text, at: 0 };
        let condition = self.any(&mut at)?;
        match at.rest() {
            "" => Ok(condition),
            rest => Err(format!("`{text}`: `{rest}` is not understood")),
        }
    }

    fn any(&self, text: &mut Text<'_>) -> Read<Condition> {
        let mut parts = vec![self.all(text)?];
        while text.takes("||") {
            parts.push(self.all(text)?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Condition::Any(parts) })
    }

    fn all(&self, text: &mut Text<'_>) -> Read<Condition> {
        let mut parts = vec![self.one(text)?];
        while text.takes("&&") {
            parts.push(self.one(text)?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Condition::All(parts) })
    }

    fn one(&self, text: &mut Text<'_>) -> Read<Condition> {
        if !text.rest().starts_with("!=") && text.takes("!") {
            return Ok(Condition::Not(Box::new(self.one(text)?)));
        }
        if text.rest().starts_with('(') {
            // A condition in parentheses, or the left side of a comparison.
            let start = text.at;
            text.at += 1;
            if let Ok(condition) = self.any(text)
                && text.takes(")")
                && relation(text.rest()).is_none()
                && !text.rest().starts_with(['+', '*', '-'])
            {
                return Ok(condition);
            }
            text.at = start;
            return self.comparison(text);
        }
        let start = text.at;
        let parts = text.dotted();
        match parts[..] {
            ["true"] => return Ok(Condition::All(Vec::new())),
            ["false"] => return Ok(Condition::Any(Vec::new())),
            [word @ ("in" | "held" | "alive")] if text.takes("(") => {
                let condition = self.about_threads(word, text)?;
                text.needs(")")?;
                return Ok(condition);
            }
            ["objects"] => {
                text.at = start;
                return self.comparison(text);
            }
            _ => {}
        }
        // A method, with or without parentheses.
        if !parts.is_empty() {
            let here = text.at;
            let called = text.takes("(");
            if called {
                text.needs(")")?;
            }
            let compared = relation(text.rest()).is_some();
            if let Some(method) = self.static_method(&parts).filter(|_| called || !compared) {
                return Ok(Condition::Call(method?));
            }
            if called {
                return Err(format!("there is no static method {}", parts.join(".")));
            }
            text.at = here;
        }
        text.at = start;
        self.comparison(text)
    }

    /// `in(Class.method, thread)`, `held(Class.lock, thread)`, `alive(thread)`.
    fn about_threads(&self, word: &str, text: &mut Text<'_>) -> Read<Condition> {
        if word == "alive" {
            return Ok(Condition::Alive(text.argument()?.to_owned()));
        }
        let parts = text.dotted();
        let lock = match (word, parts.split_last()) {
            ("held", Some((&"class", names))) => match self.class(names) {
                Some(class) => Some(Lock::Class(class)),
                None => return Err(format!("there is no class {}", names.join("."))),
            },
            ("held", _) => Some(Lock::At(self.way(&parts, text)?)),
            _ => None,
        };
        let thread = match text.takes(",") {
            true => Some(text.argument()?.to_owned()),
            false => None,
        };
        match lock {
            Some(lock) => Ok(Condition::Held(lock, thread)),
            None => Ok(Condition::In(self.method(&parts.join("."))?, thread)),
        }
    }

    fn comparison(&self, text: &mut Text<'_>) -> Read<Condition> {
        let left = self.sum(text)?;
        let Some((relation, length)) = relation(text.rest()) else {
            return match left {
                Term::At(mut way) => {
                    if self.unbox(&mut way) != Some(b'Z') {
                        return Err(format!("`{}` is no condition: it is not boolean", text.text));
                    }
                    Ok(Condition::Is(way))
                }
                _ => Err(format!("`{}` is no condition", text.text)),
            };
        };
        text.at += length;
        let right = match text.rest() {
            rest if rest.starts_with("true") || rest.starts_with("false") => {
                let truth = rest.starts_with("true");
                text.at += if truth { 4 } else { 5 };
                Term::Number(i64::from(truth))
            }
            _ => self.sum(text)?,
        };
        let (mut left, mut right) = (left, right);
        // References are compared with each other, and with null.
        if !matches!((&left, &right), (Term::Null, _) | (_, Term::Null)) {
            for side in [&mut left, &mut right] {
                if let Term::At(way) = side {
                    self.unbox(way);
                }
            }
        }
        Ok(Condition::Compare(left, relation, right))
    }

    fn sum(&self, text: &mut Text<'_>) -> Read<Term> {
        let mut left = self.product(text)?;
        loop {
            if text.takes("+") {
                left = Term::Sum(Box::new(left), Box::new(self.number(text, true)?));
            } else if !text.rest().starts_with("->") && text.takes("-") {
                left = Term::Difference(Box::new(left), Box::new(self.number(text, true)?));
            } else {
                return Ok(left);
            }
        }
    }

    fn product(&self, text: &mut Text<'_>) -> Read<Term> {
        let mut left = self.number(text, false)?;
        while text.takes("*") {
            left = Term::Product(Box::new(left), Box::new(self.number(text, false)?));
        }
        Ok(left)
    }

    fn number(&self, text: &mut Text<'_>, products: bool) -> Read<Term> {
        if products {
            return self.product(text);
        }
        if text.takes("(") {
            let inner = self.sum(text)?;
            text.needs(")")?;
            return Ok(inner);
        }
        let rest = text.rest();
        let digits = rest.strip_prefix('-').unwrap_or(rest);
        let length = digits.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(digits.len());
        if length > 0 && digits.starts_with(|c: char| c.is_ascii_digit()) {
            let sign = rest.len() - digits.len();
            let number = rest[..sign + length].replace('_', "");
            text.at += sign + length;
            text.takes("L");
            let number = number.parse();
            return number
                .map(Term::Number)
                .map_err(|_| format!("`{rest}`: a number is too large"));
        }
        let parts = text.dotted();
        match parts[..] {
            [] => {
                let rest = text.rest();
                Err(format!("`{}`: something is missing before `{rest}`", text.text))
            }
            ["null"] => Ok(Term::Null),
            ["objects"] if text.takes("(") => {
                text.needs(")")?;
                Ok(Term::Objects)
            }
            _ => {
                let mut way = self.way(&parts, text)?;
                // What is added up are numbers.
                if matches!(text.rest().chars().next(), Some('+' | '*')) {
                    self.unbox(&mut way);
                }
                Ok(Term::At(way))
            }
        }
    }

    /// A static field and what it leads to; elements stand behind.
    fn way(&self, parts: &[&str], text: &mut Text<'_>) -> Read<Way> {
        let (start, rest) = self.static_field(parts)?;
        let mut way = Way { start, parts: Vec::new() };
        let mut names: Vec<&str> = rest.to_vec();
        loop {
            for name in names.drain(..) {
                let part = self.part(&way, name)?;
                way.parts.push(part);
            }
            if !text.rest().starts_with("[]") && text.takes("[") {
                let Term::Number(index) = self.number(text, false)? else {
                    return Err(format!("`{}`: an index has to be a number", text.text));
                };
                text.needs("]")?;
                if !end_of(&way).starts_with('[') {
                    return Err(format!("`{}`: {} is no array", text.text, parts.join(".")));
                }
                way.parts.push(Part::Element(u32::try_from(index).unwrap_or(u32::MAX)));
            } else if text.takes(".") {
                names = text.dotted();
            } else {
                return Ok(way);
            }
        }
    }

    fn part(&self, way: &Way, name: &str) -> Read<Part> {
        let descriptor = end_of(way);
        if descriptor.starts_with('[') && name == "length" {
            return Ok(Part::Length);
        }
        let class = descriptor.strip_prefix('L').and_then(|name| name.strip_suffix(';'));
        let class = class.and_then(|class| self.registry.class(class).ok());
        let field = class.and_then(|class| class.field(name)).filter(|f| !f.is(flags::STATIC));
        field.map(Part::Field).ok_or_else(|| {
            let what = class.map_or_else(|| descriptor.clone(), Class::java_name);
            format!("{what} has no field `{name}`")
        })
    }

    /// Goes on to the value of an object that stands for one; gives the type.
    fn unbox(&self, way: &mut Way) -> Option<u8> {
        let descriptor = end_of(way);
        let class = descriptor.strip_prefix('L').and_then(|name| name.strip_suffix(';'));
        if let Some(name) = class.filter(|name| BOXES.contains(name))
            && let Some(field) =
                self.registry.class(name).ok().and_then(|class| class.field("value"))
        {
            way.parts.push(Part::Field(field));
            let truth = name.ends_with("Boolean");
            return if truth { Some(b'Z') } else { field.descriptor.bytes().next() };
        }
        descriptor.bytes().next()
    }

    /// A static field with the names behind it.
    fn static_field<'p>(&self, parts: &'p [&'p str]) -> Read<(&'static Field, &'p [&'p str])> {
        for split in (0..parts.len()).rev() {
            let Some(class) = self.class(&parts[..split]) else { continue };
            let field = class.field(parts[split]).filter(|field| field.is(flags::STATIC));
            if let Some(field) = field {
                return Ok((field, &parts[split + 1..]));
            }
            if split > 0 {
                let name = parts[split];
                return Err(match class.field(name) {
                    Some(_) => format!("{}.{name} is not static", class.java_name()),
                    None => format!("{} has no static field `{name}`", class.java_name()),
                });
            }
        }
        Err(format!("there is no static field {}", parts.join(".")))
    }

    /// A static method without arguments that answers with a truth value; `None` if there is no method.
    fn static_method(&self, parts: &[&str]) -> Option<Read<&'static crate::link::Method>> {
        let (name, class) = parts.split_last()?;
        let class = self.class(class)?;
        if let Some(method) = class.method(name, "()Z").filter(|method| method.is_static()) {
            return Some(Ok(method));
        }
        let other = class.linked().methods.iter().any(|method| &*method.name == *name);
        (other && class.field(name).is_none()).then(|| {
            Err(format!(
                "{}.{name} is not a static boolean method without arguments",
                class.java_name()
            ))
        })
    }

    /// A method by its class and name.
    pub fn method(&self, text: &str) -> Read<Named> {
        let parts: Vec<&str> = text.split('.').collect();
        let missing = || format!("there is no method {text}");
        let (name, class) = parts.split_last().ok_or_else(missing)?;
        let class = self.class(class).ok_or_else(missing)?;
        let mut owner = Some(class);
        while let Some(current) = owner {
            let mut methods = current.linked().methods.iter().copied();
            if let Some(method) = methods.find(|method| &*method.name == *name) {
                return Ok(Named { class, method });
            }
            owner = current.super_class;
        }
        Err(missing())
    }

    /// A class by the names that lead to it: packages, then classes; the main class if there are none. Those beside
    /// and inside the main class need no more than their own name.
    fn class(&self, parts: &[&str]) -> Option<&'static Class> {
        if parts.is_empty() {
            return Some(self.main);
        }
        let package = self.main.name.rsplit_once('/').map(|(package, _)| format!("{package}/"));
        let inside = format!("{}$", self.main.name);
        let beside = package.unwrap_or_default();
        for prefix in [String::new(), beside, inside, "java/lang/".to_owned()] {
            // How many of the names are packages.
            for packages in (0..parts.len()).rev() {
                let (outer, inner) = parts.split_at(packages);
                let mut name = prefix.clone();
                outer.iter().for_each(|part| name += &format!("{part}/"));
                name += &inner.join("$");
                if let Ok(class) = self.registry.class(&name) {
                    return Some(class);
                }
            }
        }
        None
    }
}

/// The type of what a way leads to.
fn end_of(way: &Way) -> String {
    let mut descriptor = way.start.descriptor.to_string();
    for part in &way.parts {
        descriptor = match part {
            Part::Field(field) => field.descriptor.to_string(),
            Part::Element(_) => descriptor[1..].to_owned(),
            Part::Length => "I".to_owned(),
        };
    }
    descriptor
}

/// The relation that a text begins with, and its length.
fn relation(text: &str) -> Option<(Relation, usize)> {
    let all = [
        ("==", Relation::Equal),
        ("!=", Relation::Unequal),
        ("<=", Relation::LessEqual),
        (">=", Relation::GreaterEqual),
        ("<", Relation::Less),
        (">", Relation::Greater),
    ];
    all.into_iter().find(|(sign, _)| text.starts_with(sign)).map(|(sign, one)| (one, sign.len()))
}
