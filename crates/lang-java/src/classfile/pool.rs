//! The constant pool.

use super::{Cursor, Malformed};

/// An entry of the pool; texts stay in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Const {
    /// Index 0 and what follows a long or a double.
    Unusable,
    Utf8 {
        start: u32,
        end: u32,
    },
    Integer(u32),
    Float(u32),
    Long(u64),
    Double(u64),
    Class(u16),
    String(u16),
    Field {
        class: u16,
        name_type: u16,
    },
    Method {
        class: u16,
        name_type: u16,
    },
    InterfaceMethod {
        class: u16,
        name_type: u16,
    },
    NameType {
        name: u16,
        descriptor: u16,
    },
    Handle {
        kind: u8,
        reference: u16,
    },
    MethodType(u16),
    Dynamic {
        bootstrap: u16,
        name_type: u16,
    },
    InvokeDynamic {
        bootstrap: u16,
        name_type: u16,
    },
    Module,
}

/// The entries of one class.
pub(crate) struct Pool {
    entries: Vec<Const>,
}

impl Pool {
    pub fn read(bytes: &[u8], at: &mut Cursor<'_>) -> Result<Pool, Malformed> {
        let count = at.u16()?;
        let mut entries = vec![Const::Unusable];
        while entries.len() < usize::from(count) {
            let place = at.position();
            let entry = match at.u8()? {
                1 => {
                    let length = usize::from(at.u16()?);
                    let start = at.position();
                    at.skip(length)?;
                    Const::Utf8 { start: start as u32, end: (start + length) as u32 }
                }
                3 => Const::Integer(at.u32()?),
                4 => Const::Float(at.u32()?),
                5 => Const::Long(u64::from(at.u32()?) << 32 | u64::from(at.u32()?)),
                6 => Const::Double(u64::from(at.u32()?) << 32 | u64::from(at.u32()?)),
                7 => Const::Class(at.u16()?),
                8 => Const::String(at.u16()?),
                9 => Const::Field { class: at.u16()?, name_type: at.u16()? },
                10 => Const::Method { class: at.u16()?, name_type: at.u16()? },
                11 => Const::InterfaceMethod { class: at.u16()?, name_type: at.u16()? },
                12 => Const::NameType { name: at.u16()?, descriptor: at.u16()? },
                15 => Const::Handle { kind: at.u8()?, reference: at.u16()? },
                16 => Const::MethodType(at.u16()?),
                17 => Const::Dynamic { bootstrap: at.u16()?, name_type: at.u16()? },
                18 => Const::InvokeDynamic { bootstrap: at.u16()?, name_type: at.u16()? },
                19 | 20 => {
                    at.u16()?;
                    Const::Module
                }
                tag => {
                    let what = format!("there is no constant of kind {tag}");
                    return Err(Malformed::new(place, &what));
                }
            };
            let wide = matches!(entry, Const::Long(_) | Const::Double(_));
            entries.push(entry);
            if wide {
                entries.push(Const::Unusable);
            }
        }
        let pool = Pool { entries };
        for entry in &pool.entries {
            if let Const::Utf8 { start, end } = *entry
                && !well_formed(&bytes[start as usize..end as usize])
            {
                return Err(Malformed::new(start as usize, "a text is not in modified UTF-8"));
            }
        }
        Ok(pool)
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// An entry; one outside of the pool is unusable.
    pub fn get(&self, index: u16) -> Const {
        self.entries.get(usize::from(index)).copied().unwrap_or(Const::Unusable)
    }

    fn wrong(index: u16, wanted: &str) -> Malformed {
        Malformed::new(0, &format!("constant {index} is not {wanted}"))
    }

    /// A text that is ordinary UTF-8: every name that javac writes but those with a zero or with
    /// characters outside the basic plane.
    pub fn utf8<'a>(&self, bytes: &'a [u8], index: u16) -> Result<&'a str, Malformed> {
        let Const::Utf8 { start, end } = self.get(index) else {
            return Err(Pool::wrong(index, "a text"));
        };
        std::str::from_utf8(&bytes[start as usize..end as usize])
            .map_err(|_| Malformed::new(start as usize, "a name has unusual characters"))
    }

    /// The 16-bit characters of a text.
    pub fn chars(&self, bytes: &[u8], index: u16) -> Result<Vec<u16>, Malformed> {
        let Const::Utf8 { start, end } = self.get(index) else {
            return Err(Pool::wrong(index, "a text"));
        };
        let mut chars = Vec::new();
        let mut rest = bytes[start as usize..end as usize].iter().map(|&b| u16::from(b));
        while let Some(first) = rest.next() {
            let mut next = || rest.next().unwrap_or(0) & 0x3f;
            chars.push(match first {
                0..0x80 => first,
                0xc0..0xe0 => (first & 0x1f) << 6 | next(),
                _ => {
                    let middle = next();
                    (first & 0x0f) << 12 | middle << 6 | next()
                }
            });
        }
        Ok(chars)
    }

    /// The name of a class constant.
    pub fn class_name<'a>(&self, bytes: &'a [u8], index: u16) -> Result<&'a str, Malformed> {
        match self.get(index) {
            Const::Class(name) => self.utf8(bytes, name),
            _ => Err(Pool::wrong(index, "a class")),
        }
    }

    /// Name and descriptor.
    pub fn name_type<'a>(
        &self,
        bytes: &'a [u8],
        index: u16,
    ) -> Result<(&'a str, &'a str), Malformed> {
        match self.get(index) {
            Const::NameType { name, descriptor } => {
                Ok((self.utf8(bytes, name)?, self.utf8(bytes, descriptor)?))
            }
            _ => Err(Pool::wrong(index, "a name with a type")),
        }
    }

    /// Class, name and descriptor of a field, a method or a method of an interface.
    pub fn member<'a>(
        &self,
        bytes: &'a [u8],
        index: u16,
    ) -> Result<(&'a str, &'a str, &'a str), Malformed> {
        match self.get(index) {
            Const::Field { class, name_type }
            | Const::Method { class, name_type }
            | Const::InterfaceMethod { class, name_type } => {
                let (name, descriptor) = self.name_type(bytes, name_type)?;
                Ok((self.class_name(bytes, class)?, name, descriptor))
            }
            _ => Err(Pool::wrong(index, "a field or a method")),
        }
    }
}

/// Whether bytes are modified UTF-8.
fn well_formed(bytes: &[u8]) -> bool {
    let mut at = 0;
    while at < bytes.len() {
        let more = match bytes[at] {
            0x01..0x80 => 0,
            0xc0..0xe0 => 1,
            0xe0..0xf0 => 2,
            _ => return false,
        };
        if at + more >= bytes.len() || bytes[at + 1..=at + more].iter().any(|b| b & 0xc0 != 0x80) {
            return false;
        }
        at += more + 1;
    }
    true
}
