//! Class files with calls in front of some of their instructions.
//!
//! Code moves, and with it everything that names a place of it: jumps, switches, handlers, tables of lines and
//! variables, and the types that a verifier wants to see at the targets of jumps.

use std::collections::BTreeMap;

use crate::classfile::{Cursor, Malformed};

/// The class and the method that are called, with the number of the place.
const CLASS: &str = "everypath/Replay";
const METHOD: (&str, &str) = ("at", "(I)V");

/// Bytes of a call: the number, and the call itself.
const CALL: usize = 6;

/// A place: a method by its name and descriptor, an instruction of it by its number, and the number of the place.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub method: (String, String),
    pub instruction: u32,
    pub number: u16,
}

/// A class file that calls at these places.
pub(super) fn rewritten(bytes: &[u8], sites: &[Site]) -> Result<Vec<u8>, String> {
    rewrite(bytes, sites).map_err(|error| error.to_string())
}

fn wrong(at: &Cursor<'_>, what: &str) -> Malformed {
    Malformed::new(at.position(), what)
}

fn rewrite(bytes: &[u8], sites: &[Site]) -> Result<Vec<u8>, Malformed> {
    let mut at = Cursor::new(bytes, 8, bytes.len());
    let count = at.u16()?;
    let start = at.position();
    let texts = pool(&mut at, count)?;
    let mut out = bytes[..8].to_vec();
    let more = 6;
    let Some(total) = count.checked_add(more) else {
        return Err(wrong(&at, "its constant pool is full"));
    };
    put16(&mut out, total);
    out.extend_from_slice(&bytes[start..at.position()]);
    // A reference to the method behind all that is there.
    utf8(&mut out, CLASS);
    out.push(7);
    put16(&mut out, count);
    utf8(&mut out, METHOD.0);
    utf8(&mut out, METHOD.1);
    out.push(12);
    put16(&mut out, count + 2);
    put16(&mut out, count + 3);
    out.push(10);
    put16(&mut out, count + 1);
    put16(&mut out, count + 4);
    let call = count + 5;

    let head = at.position();
    at.skip(6)?;
    let interfaces = usize::from(at.u16()?);
    at.skip(2 * interfaces)?;
    for _ in 0..at.u16()? {
        at.skip(6)?;
        skip_attributes(&mut at)?;
    }
    let methods = at.u16()?;
    out.extend_from_slice(&bytes[head..at.position()]);
    for _ in 0..methods {
        let head = at.position();
        at.skip(2)?;
        let (name, descriptor) = (at.u16()?, at.u16()?);
        let text = |index: u16| texts.get(&index).map_or("", String::as_str);
        let own = |site: &&Site| site.method.0 == text(name) && site.method.1 == text(descriptor);
        let own: Vec<&Site> = sites.iter().filter(own).collect();
        let attributes = at.u16()?;
        out.extend_from_slice(&bytes[head..at.position()]);
        for _ in 0..attributes {
            let start = at.position();
            let name = at.u16()?;
            let length = at.u32()? as usize;
            let body = at.position();
            at.skip(length)?;
            if text(name) != "Code" || own.is_empty() {
                out.extend_from_slice(&bytes[start..at.position()]);
                continue;
            }
            let initialiser = text(descriptor) == "()V" && own[0].method.0 == "<clinit>";
            let places: BTreeMap<u32, u16> = own
                .iter()
                .filter_map(|site| {
                    // Ours begin with an instruction that is not in the file.
                    let instruction = site.instruction.checked_sub(u32::from(initialiser))?;
                    Some((instruction, site.number))
                })
                .collect();
            let cursor = Cursor::new(bytes, body, body + length);
            let code = code(bytes, cursor, &places, call, &texts)?;
            put16(&mut out, name);
            put32(&mut out, code.len() as u32);
            out.extend_from_slice(&code);
        }
    }
    out.extend_from_slice(&bytes[at.position()..]);
    Ok(out)
}

fn put16(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_be_bytes());
}

fn put32(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_be_bytes());
}

fn utf8(out: &mut Vec<u8>, text: &str) {
    out.push(1);
    put16(out, text.len() as u16);
    out.extend_from_slice(text.as_bytes());
}

/// Passes over the constants, and gives the texts among them.
fn pool(at: &mut Cursor<'_>, count: u16) -> Result<BTreeMap<u16, String>, Malformed> {
    let mut texts = BTreeMap::new();
    let mut index = 1;
    while index < count {
        match at.u8()? {
            1 => {
                let length = usize::from(at.u16()?);
                let mut text = Vec::with_capacity(length);
                for _ in 0..length {
                    text.push(at.u8()?);
                }
                texts.insert(index, String::from_utf8_lossy(&text).into_owned());
            }
            3 | 4 | 9..=12 | 17 | 18 => at.skip(4)?,
            5 | 6 => {
                at.skip(8)?;
                index += 1;
            }
            7 | 8 | 16 | 19 | 20 => at.skip(2)?,
            15 => at.skip(3)?,
            _ => return Err(wrong(at, "it has a constant of an unknown kind")),
        }
        index += 1;
    }
    Ok(texts)
}

fn skip_attributes(at: &mut Cursor<'_>) -> Result<(), Malformed> {
    for _ in 0..at.u16()? {
        at.skip(2)?;
        let length = at.u32()? as usize;
        at.skip(length)?;
    }
    Ok(())
}

/// Where instructions are now: by the byte where they were.
struct Moved {
    /// Where a jump to it leads: to the call, if there is one.
    target: Vec<u32>,
    /// Where the instruction itself is.
    exact: Vec<u32>,
}

impl Moved {
    fn target(&self, byte: usize, at: &Cursor<'_>) -> Result<u16, Malformed> {
        let found = self.target.get(byte).filter(|&&to| to != u32::MAX);
        let found = found.ok_or_else(|| wrong(at, "it names a place between instructions"))?;
        u16::try_from(*found).map_err(|_| wrong(at, "its code gets too long"))
    }
}

/// The bytes of an attribute `Code` with the calls.
fn code(
    bytes: &[u8],
    mut at: Cursor<'_>,
    places: &BTreeMap<u32, u16>,
    call: u16,
    texts: &BTreeMap<u16, String>,
) -> Result<Vec<u8>, Malformed> {
    let (stack, locals) = (at.u16()?, at.u16()?);
    let length = at.u32()? as usize;
    let start = at.position();
    at.skip(length)?;
    let old = &bytes[start..start + length];
    let starts = instructions(old, &at)?;
    // Where everything goes: the size of an instruction depends on its place only through padding.
    let mut moved = Moved { target: vec![u32::MAX; length + 1], exact: vec![u32::MAX; length + 1] };
    let mut to = 0;
    for (number, &from) in starts.iter().enumerate() {
        moved.target[from] = to as u32;
        if places.contains_key(&(number as u32)) {
            to += CALL;
        }
        moved.exact[from] = to as u32;
        let end = starts.get(number + 1).copied().unwrap_or(length);
        to += match old[from] {
            0xaa | 0xab => end - padded(from + 1) + padded(to + 1) - to,
            _ => end - from,
        };
    }
    (moved.target[length], moved.exact[length]) = (to as u32, to as u32);
    if to > 0xffff {
        return Err(wrong(&at, "its code gets too long"));
    }
    let mut new = Vec::with_capacity(to);
    for (number, &from) in starts.iter().enumerate() {
        if let Some(&site) = places.get(&(number as u32)) {
            new.push(0x11);
            put16(&mut new, site);
            new.push(0xb8);
            put16(&mut new, call);
        }
        let end = starts.get(number + 1).copied().unwrap_or(length);
        instruction(&mut new, old, from, end, &moved, &at)?;
    }
    debug_assert_eq!(new.len(), to);
    let mut out = Vec::new();
    put16(&mut out, stack.saturating_add(1));
    put16(&mut out, locals);
    put32(&mut out, new.len() as u32);
    out.extend_from_slice(&new);
    let handlers = at.u16()?;
    put16(&mut out, handlers);
    for _ in 0..handlers {
        for _ in 0..3 {
            let byte = usize::from(at.u16()?);
            put16(&mut out, moved.target(byte, &at)?);
        }
        put16(&mut out, at.u16()?);
    }
    let mut kept: Vec<(u16, Vec<u8>)> = Vec::new();
    for _ in 0..at.u16()? {
        let name = at.u16()?;
        let length = at.u32()? as usize;
        let start = at.position();
        at.skip(length)?;
        let body = Cursor::new(bytes, start, start + length);
        // What else there may be is for readers of types of which there are none at run time.
        let made = match texts.get(&name).map_or("", String::as_str) {
            "LineNumberTable" => lines(body, &moved)?,
            "LocalVariableTable" | "LocalVariableTypeTable" => variables(body, &moved)?,
            "StackMapTable" => frames(body, &moved)?,
            _ => continue,
        };
        kept.push((name, made));
    }
    put16(&mut out, kept.len() as u16);
    for (name, body) in kept {
        put16(&mut out, name);
        put32(&mut out, body.len() as u32);
        out.extend_from_slice(&body);
    }
    Ok(out)
}

fn padded(byte: usize) -> usize {
    byte.next_multiple_of(4)
}

fn word(code: &[u8], byte: usize, at: &Cursor<'_>) -> Result<i32, Malformed> {
    let four = code.get(byte..byte + 4).and_then(|four| four.try_into().ok());
    four.map(i32::from_be_bytes).ok_or_else(|| wrong(at, "its code ends too early"))
}

/// The first bytes of all instructions.
fn instructions(code: &[u8], at: &Cursor<'_>) -> Result<Vec<usize>, Malformed> {
    let mut starts = Vec::new();
    let mut byte = 0;
    while byte < code.len() {
        starts.push(byte);
        byte += match code[byte] {
            0x10 | 0x12 | 0x15..=0x19 | 0x36..=0x3a | 0xbc => 2,
            0x11 | 0x13 | 0x14 | 0x84 | 0x99..=0xa7 | 0xb2..=0xb8 | 0xbb | 0xbd => 3,
            0xc0 | 0xc1 | 0xc6 | 0xc7 => 3,
            0xc5 => 4,
            0xb9 | 0xba | 0xc8 => 5,
            0xc4 => match code.get(byte + 1) {
                Some(0x84) => 6,
                _ => 4,
            },
            0xaa => {
                let table = padded(byte + 1);
                let (low, high) = (word(code, table + 4, at)?, word(code, table + 8, at)?);
                let count = (i64::from(high) - i64::from(low) + 1).clamp(0, 0x10000) as usize;
                table + 12 + 4 * count - byte
            }
            0xab => {
                let table = padded(byte + 1);
                let count = word(code, table + 4, at)?.clamp(0, 0x10000) as usize;
                table + 8 + 8 * count - byte
            }
            0xa8 | 0xa9 | 0xc9 => return Err(wrong(at, "it has subroutines")),
            _ => 1,
        };
    }
    match byte == code.len() {
        true => Ok(starts),
        false => Err(wrong(at, "its code ends too early")),
    }
}

/// Appends an instruction with its jumps as they are now.
fn instruction(
    out: &mut Vec<u8>,
    code: &[u8],
    from: usize,
    end: usize,
    moved: &Moved,
    at: &Cursor<'_>,
) -> Result<(), Malformed> {
    let here = out.len() as i64;
    let jump = |offset: i64| -> Result<i64, Malformed> {
        let byte = usize::try_from(from as i64 + offset).unwrap_or(usize::MAX);
        Ok(i64::from(moved.target(byte, at)?) - here)
    };
    match code[from] {
        op @ (0x99..=0xa7 | 0xc6 | 0xc7) => {
            let offset = i16::from_be_bytes([code[from + 1], code[from + 2]]);
            let offset = i16::try_from(jump(i64::from(offset))?);
            let offset = offset.map_err(|_| wrong(at, "a jump gets too long"))?;
            out.push(op);
            out.extend_from_slice(&offset.to_be_bytes());
        }
        0xc8 => {
            let offset = jump(i64::from(word(code, from + 1, at)?))?;
            out.push(0xc8);
            out.extend_from_slice(&(offset as i32).to_be_bytes());
        }
        op @ (0xaa | 0xab) => {
            let table = padded(from + 1);
            out.push(op);
            out.resize(padded(out.len()), 0);
            let put = |out: &mut Vec<u8>, byte: usize, target: bool| -> Result<(), Malformed> {
                let value = word(code, byte, at)?;
                let value = if target { jump(i64::from(value))? as i32 } else { value };
                out.extend_from_slice(&value.to_be_bytes());
                Ok(())
            };
            put(out, table, true)?;
            let head = if op == 0xaa { 2 } else { 1 };
            for index in 0..head {
                put(out, table + 4 + 4 * index, false)?;
            }
            for (index, byte) in (table + 4 + 4 * head..end).step_by(4).enumerate() {
                // Keys and targets take turns where keys are listed.
                put(out, byte, op == 0xaa || index % 2 == 1)?;
            }
        }
        _ => out.extend_from_slice(&code[from..end]),
    }
    Ok(())
}

fn lines(mut at: Cursor<'_>, moved: &Moved) -> Result<Vec<u8>, Malformed> {
    let mut out = Vec::new();
    let count = at.u16()?;
    put16(&mut out, count);
    for _ in 0..count {
        let byte = usize::from(at.u16()?);
        put16(&mut out, moved.target(byte, &at)?);
        put16(&mut out, at.u16()?);
    }
    Ok(out)
}

fn variables(mut at: Cursor<'_>, moved: &Moved) -> Result<Vec<u8>, Malformed> {
    let mut out = Vec::new();
    let count = at.u16()?;
    put16(&mut out, count);
    for _ in 0..count {
        let (start, length) = (usize::from(at.u16()?), usize::from(at.u16()?));
        let (from, to) = (moved.target(start, &at)?, moved.target(start + length, &at)?);
        put16(&mut out, from);
        put16(&mut out, to.saturating_sub(from));
        for _ in 0..3 {
            put16(&mut out, at.u16()?);
        }
    }
    Ok(out)
}

/// The types at the targets of jumps, each with its place as it is now.
fn frames(mut at: Cursor<'_>, moved: &Moved) -> Result<Vec<u8>, Malformed> {
    let mut out = Vec::new();
    let count = at.u16()?;
    put16(&mut out, count);
    let (mut old, mut last) = (None::<usize>, None::<u16>);
    for _ in 0..count {
        let kind = at.u8()?;
        let delta = match kind {
            0..=63 => u16::from(kind),
            64..=127 => u16::from(kind) - 64,
            247..=255 => at.u16()?,
            _ => return Err(wrong(&at, "it has a frame of an unknown kind")),
        };
        let byte = old.map_or(usize::from(delta), |old| old + usize::from(delta) + 1);
        old = Some(byte);
        let place = moved.target(byte, &at)?;
        let delta = match last {
            None => place,
            Some(last) => place.wrapping_sub(last).wrapping_sub(1),
        };
        last = Some(place);
        let (kind, types) = match kind {
            0..=63 | 251 => (251, 0),
            64..=127 | 247 => (247, 1),
            248..=250 => (kind, 0),
            252..=254 => (kind, usize::from(kind) - 251),
            _ => (255, 0),
        };
        out.push(kind);
        put16(&mut out, delta);
        for _ in 0..types {
            kind_of_value(&mut at, moved, &mut out)?;
        }
        if kind == 255 {
            for _ in 0..2 {
                let values = at.u16()?;
                put16(&mut out, values);
                for _ in 0..values {
                    kind_of_value(&mut at, moved, &mut out)?;
                }
            }
        }
    }
    Ok(out)
}

fn kind_of_value(at: &mut Cursor<'_>, moved: &Moved, out: &mut Vec<u8>) -> Result<(), Malformed> {
    let tag = at.u8()?;
    out.push(tag);
    match tag {
        7 => put16(out, at.u16()?),
        // An object that is not initialised, by the instruction that made it.
        8 => {
            let byte = usize::from(at.u16()?);
            let exact = moved.exact.get(byte).filter(|&&to| to != u32::MAX);
            let exact = exact.ok_or_else(|| wrong(at, "it names a place between instructions"))?;
            put16(out, *exact as u16);
        }
        _ => {}
    }
    Ok(())
}
