//! Class files: a reader that looks at nothing before it is asked for.

mod pool;
mod reader;

pub(crate) use pool::{Const, Pool};
pub(crate) use reader::{Cursor, Malformed};

/// Flags of classes, fields and methods.
pub(crate) mod flags {
    pub const PUBLIC: u16 = 0x0001;
    pub const PRIVATE: u16 = 0x0002;
    pub const PROTECTED: u16 = 0x0004;
    pub const STATIC: u16 = 0x0008;
    pub const FINAL: u16 = 0x0010;
    pub const SYNCHRONIZED: u16 = 0x0020;
    pub const VOLATILE: u16 = 0x0040;
    /// Of a method.
    pub const VARARGS: u16 = 0x0080;
    pub const NATIVE: u16 = 0x0100;
    pub const INTERFACE: u16 = 0x0200;
    pub const ABSTRACT: u16 = 0x0400;
    pub const SYNTHETIC: u16 = 0x1000;
    pub const ENUM: u16 = 0x4000;
}

/// A field or a method as the file has it.
pub(crate) struct Member {
    pub flags: u16,
    pub name: Box<str>,
    pub descriptor: Box<str>,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
}

/// A named range of bytes.
pub(crate) struct Attribute {
    pub name: Box<str>,
    pub start: usize,
    pub end: usize,
}

/// A class file whose structure is sound; code and attributes are read when they are needed.
pub(crate) struct ClassFile {
    pub bytes: Vec<u8>,
    pub pool: Pool,
    pub flags: u16,
    pub name: Box<str>,
    pub super_name: Option<Box<str>>,
    pub interfaces: Vec<Box<str>>,
    pub fields: Vec<Member>,
    pub methods: Vec<Member>,
    pub attributes: Vec<Attribute>,
}

/// A local variable that the compiler told about, in bytes.
#[derive(Debug)]
pub(crate) struct RawVariable {
    pub start: u16,
    pub length: u16,
    pub name: Box<str>,
    pub kind: Box<str>,
    pub slot: u16,
}

/// The code of a method as the file has it.
pub(crate) struct CodeAttribute {
    pub max_stack: u16,
    pub max_locals: u16,
    /// The bytes of the instructions.
    pub start: usize,
    pub end: usize,
    pub handlers: Vec<RawHandler>,
    /// First byte of code and line, in the order of the file.
    pub lines: Vec<(u16, u16)>,
    /// Names of local variables: first byte, length, name, slot.
    pub names: Vec<RawVariable>,
}

/// A row of the exception table.
pub(crate) struct RawHandler {
    pub start: u16,
    pub end: u16,
    pub target: u16,
    /// The class in the pool, 0 for any.
    pub class: u16,
}

/// A row of the BootstrapMethods attribute.
pub(crate) struct Bootstrap {
    pub method: u16,
    pub arguments: Vec<u16>,
}

impl ClassFile {
    /// Reads the structure of a file.
    pub fn read(bytes: Vec<u8>) -> Result<ClassFile, Malformed> {
        let mut at = Cursor::new(&bytes, 0, bytes.len());
        if at.u32()? != 0xcafe_babe {
            return Err(Malformed::new(0, "it does not begin like a class file"));
        }
        let (_minor, major) = (at.u16()?, at.u16()?);
        if !(45..=61).contains(&major) {
            let what = format!("its version is {major}; versions 45 to 61 (Java 17) are read");
            return Err(Malformed::new(6, &what));
        }
        let pool = Pool::read(&bytes, &mut at)?;
        let flags = at.u16()?;
        let name: Box<str> = pool.class_name(&bytes, at.u16()?)?.into();
        let super_name = match at.u16()? {
            0 => None,
            index => Some(pool.class_name(&bytes, index)?.into()),
        };
        let mut interfaces = Vec::new();
        for _ in 0..at.u16()? {
            interfaces.push(pool.class_name(&bytes, at.u16()?)?.into());
        }
        let fields = members(&bytes, &pool, &mut at)?;
        let methods = members(&bytes, &pool, &mut at)?;
        let attributes = attributes(&bytes, &pool, &mut at)?;
        Ok(ClassFile {
            bytes,
            pool,
            flags,
            name,
            super_name,
            interfaces,
            fields,
            methods,
            attributes,
        })
    }

    /// A cursor over an attribute of a name.
    pub fn attribute<'a>(&'a self, of: &[Attribute], name: &str) -> Option<Cursor<'a>> {
        let found = of.iter().find(|attribute| &*attribute.name == name)?;
        Some(Cursor::new(&self.bytes, found.start, found.end))
    }

    /// The attributes that follow at a place.
    pub fn attributes_at(&self, at: &mut Cursor<'_>) -> Result<Vec<Attribute>, Malformed> {
        attributes(&self.bytes, &self.pool, at)
    }

    /// The code of a method that has some.
    pub fn code(&self, method: &Member) -> Result<Option<CodeAttribute>, Malformed> {
        let Some(mut at) = self.attribute(&method.attributes, "Code") else { return Ok(None) };
        let (max_stack, max_locals) = (at.u16()?, at.u16()?);
        let length = at.u32()? as usize;
        let start = at.position();
        at.skip(length)?;
        let mut handlers = Vec::new();
        for _ in 0..at.u16()? {
            let (start, end, target, class) = (at.u16()?, at.u16()?, at.u16()?, at.u16()?);
            handlers.push(RawHandler { start, end, target, class });
        }
        let (mut lines, mut names) = (Vec::new(), Vec::new());
        for attribute in attributes(&self.bytes, &self.pool, &mut at)? {
            let mut at = Cursor::new(&self.bytes, attribute.start, attribute.end);
            match &*attribute.name {
                "LineNumberTable" => {
                    for _ in 0..at.u16()? {
                        lines.push((at.u16()?, at.u16()?));
                    }
                }
                "LocalVariableTable" => {
                    for _ in 0..at.u16()? {
                        let (start, length) = (at.u16()?, at.u16()?);
                        let name = self.pool.utf8(&self.bytes, at.u16()?)?.into();
                        let kind = self.pool.utf8(&self.bytes, at.u16()?)?.into();
                        names.push(RawVariable { start, length, name, kind, slot: at.u16()? });
                    }
                }
                _ => {}
            }
        }
        Ok(Some(CodeAttribute {
            max_stack,
            max_locals,
            start,
            end: start + length,
            handlers,
            lines,
            names,
        }))
    }

    /// The constant that a static field begins with.
    pub fn constant_value(&self, field: &Member) -> Result<Option<u16>, Malformed> {
        self.attribute(&field.attributes, "ConstantValue").map(|mut at| at.u16()).transpose()
    }

    /// The rows of the BootstrapMethods attribute.
    pub fn bootstraps(&self) -> Result<Vec<Bootstrap>, Malformed> {
        let mut rows = Vec::new();
        if let Some(mut at) = self.attribute(&self.attributes, "BootstrapMethods") {
            for _ in 0..at.u16()? {
                let method = at.u16()?;
                let mut arguments = Vec::new();
                for _ in 0..at.u16()? {
                    arguments.push(at.u16()?);
                }
                rows.push(Bootstrap { method, arguments });
            }
        }
        Ok(rows)
    }

    /// Whether it is a record.
    pub fn is_record(&self) -> bool {
        self.attribute(&self.attributes, "Record").is_some()
    }

    /// The name of the source file.
    pub fn source_file(&self) -> Option<&str> {
        let index = self.attribute(&self.attributes, "SourceFile")?.u16().ok()?;
        self.pool.utf8(&self.bytes, index).ok()
    }

    /// Rows of InnerClasses: inner class, outer class, simple name, flags.
    pub fn inner_classes(&self) -> Vec<(&str, Option<&str>, Option<&str>, u16)> {
        let Some(mut at) = self.attribute(&self.attributes, "InnerClasses") else {
            return Vec::new();
        };
        let mut rows = Vec::new();
        for _ in 0..at.u16().unwrap_or(0) {
            let (Ok(inner), Ok(outer), Ok(name), Ok(flags)) =
                (at.u16(), at.u16(), at.u16(), at.u16())
            else {
                break;
            };
            let Ok(inner) = self.pool.class_name(&self.bytes, inner) else { break };
            let outer = self.pool.class_name(&self.bytes, outer).ok();
            rows.push((inner, outer, self.pool.utf8(&self.bytes, name).ok(), flags));
        }
        rows
    }
}

fn members(bytes: &[u8], pool: &Pool, at: &mut Cursor<'_>) -> Result<Vec<Member>, Malformed> {
    let mut members = Vec::new();
    for _ in 0..at.u16()? {
        let flags = at.u16()?;
        let name = pool.utf8(bytes, at.u16()?)?.into();
        let descriptor = pool.utf8(bytes, at.u16()?)?.into();
        members.push(Member { flags, name, descriptor, attributes: attributes(bytes, pool, at)? });
    }
    Ok(members)
}

fn attributes(bytes: &[u8], pool: &Pool, at: &mut Cursor<'_>) -> Result<Vec<Attribute>, Malformed> {
    let mut attributes = Vec::new();
    for _ in 0..at.u16()? {
        let name = pool.utf8(bytes, at.u16()?)?.into();
        let length = at.u32()? as usize;
        let start = at.position();
        at.skip(length)?;
        attributes.push(Attribute { name, start, end: start + length });
    }
    Ok(attributes)
}
