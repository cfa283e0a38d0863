//! From the bytes of a class file to instructions.

use std::sync::OnceLock;

use super::subroutines::without_subroutines;
use super::{Code, Handler, Insn, Switch, Variable, op};
use crate::classfile::{ClassFile, CodeAttribute, Const, Cursor, Malformed, RawVariable};

/// Decodes the code of a method. An initialiser begins with an instruction of our own that no handler
/// covers: the initialisers of superclasses run and fail there.
pub(crate) fn decode(
    file: &ClassFile,
    attribute: CodeAttribute,
    initialiser: bool,
) -> Result<Code, Malformed> {
    let CodeAttribute { max_stack, max_locals, start, end, handlers, lines, names } = attribute;
    let length = end - start;
    if length == 0 || length > 0xffff {
        return Err(Malformed::new(start, "the code of a method has no allowed length"));
    }
    let mut insns = Vec::with_capacity(length / 2);
    let mut opcodes = Vec::with_capacity(length / 2);
    if initialiser {
        insns.push(Insn::new(op::INITIALISE, 0, 0));
        opcodes.push(u8::MAX);
    }
    let mut switches = Vec::new();
    // The number of the instruction at each byte.
    let mut index_of = vec![u32::MAX; length + 1];
    let mut at = Cursor::new(&file.bytes, start, end);
    while !at.done() {
        let byte = at.position() - start;
        index_of[byte] = insns.len() as u32;
        opcodes.push(file.bytes[at.position()]);
        insns.push(insn(file, &mut at, byte, start, &mut switches)?);
    }
    index_of[length] = insns.len() as u32;
    let resolve = |byte: u32| match index_of.get(byte as usize) {
        Some(&index) if index != u32::MAX && (byte as usize) < length => Ok(index),
        _ => Err(Malformed::new(start, "a jump leads between instructions")),
    };
    for insn in &mut insns {
        if matches!(insn.op, op::IFEQ..=op::JSR | op::IFNULL | op::IFNONNULL) {
            insn.b = resolve(insn.b)?;
        }
    }
    for switch in &mut switches {
        switch.default = resolve(switch.default)?;
        for case in &mut switch.cases {
            case.1 = resolve(case.1)?;
        }
    }
    let border = |byte: u16| match index_of.get(usize::from(byte)) {
        Some(&index) if index != u32::MAX => Ok(index),
        _ => Err(Malformed::new(start, "an exception handler begins between instructions")),
    };
    let handlers = handlers
        .iter()
        .map(|raw| {
            Ok(Handler {
                start: border(raw.start)?,
                end: border(raw.end)?,
                target: resolve(u32::from(raw.target))?,
                class: raw.class,
            })
        })
        .collect::<Result<_, Malformed>>()?;
    let place = |byte: usize| {
        index_of[..=byte.min(length)].iter().rev().find(|&&i| i != u32::MAX).copied().unwrap_or(0)
    };
    let mut lines: Vec<(u32, u16)> =
        lines.iter().map(|&(byte, line)| (place(usize::from(byte)), line)).collect();
    lines.sort_by_key(|&(start, _)| start);
    let names = names
        .into_iter()
        .map(|RawVariable { start, length, name, kind, slot }| {
            let (first, last) = (usize::from(start), usize::from(start) + usize::from(length));
            Variable { start: place(first), end: place(last), name, kind, slot }
        })
        .collect();
    let code = Code {
        insns,
        opcodes,
        max_stack,
        max_locals,
        handlers,
        switches,
        lines,
        names,
        cover: OnceLock::new(),
        flow: OnceLock::new(),
        typed: OnceLock::new(),
    };
    without_subroutines(code).map_err(|what| Malformed::new(start, what))
}

fn insn(
    file: &ClassFile,
    at: &mut Cursor<'_>,
    byte: usize,
    start: usize,
    switches: &mut Vec<Switch>,
) -> Result<Insn, Malformed> {
    let place = at.position();
    let code = at.u8()?;
    let plain = |op: u8| Insn::new(op, 0, 0);
    let constant = |value: i32| Insn::new(op::ICONST, 0, value as u32);
    let target = |offset: i64| -> Result<u32, Malformed> {
        u32::try_from(byte as i64 + offset)
            .map_err(|_| Malformed::new(place, "a jump leads before the code"))
    };
    let constant_index = |at: &mut Cursor<'_>| match at.u16()? {
        index if usize::from(index) < file.pool.len() => Ok(index),
        index => Err(Malformed::new(place, &format!("there is no constant {index}"))),
    };
    let one_slot = |first: u8, op: u8| Insn::new(op, u16::from(code - first), 0);
    Ok(match code {
        0 | 1 => plain(code),
        2..=8 => constant(i32::from(code) - 3),
        9 | 10 => Insn::new(op::LCONST, 0, u32::from(code - 9)),
        11..=13 => constant(f32::from(code - 11).to_bits() as i32),
        14 | 15 => Insn::new(op::DCONST, 0, u32::from(code - 14)),
        16 => constant(i32::from(at.u8()? as i8)),
        17 => constant(i32::from(at.u16()? as i16)),
        18..=20 => {
            let index = if code == 18 { u16::from(at.u8()?) } else { at.u16()? };
            match (file.pool.get(index), code) {
                (Const::Integer(bits) | Const::Float(bits), 18 | 19) => constant(bits as i32),
                (Const::String(_) | Const::Class(_) | Const::Handle { .. }, 18 | 19)
                | (Const::MethodType(_) | Const::Dynamic { .. }, 18 | 19) => {
                    Insn::new(op::LDC, index, 0)
                }
                (Const::Dynamic { .. }, 20) => Insn::new(op::LDC, index, 0),
                (Const::Long(_) | Const::Double(_), 20) => Insn::new(op::LDC2, index, 0),
                _ => return Err(Malformed::new(place, "a constant cannot be loaded")),
            }
        }
        21 | 23 => Insn::new(op::ILOAD, u16::from(at.u8()?), 0),
        22 | 24 => Insn::new(op::LLOAD, u16::from(at.u8()?), 0),
        25 => Insn::new(op::ALOAD, u16::from(at.u8()?), 0),
        26..=29 => one_slot(26, op::ILOAD),
        30..=33 => one_slot(30, op::LLOAD),
        34..=37 => one_slot(34, op::ILOAD),
        38..=41 => one_slot(38, op::LLOAD),
        42..=45 => one_slot(42, op::ALOAD),
        46..=53 => plain(code),
        54 | 56 => Insn::new(op::ISTORE, u16::from(at.u8()?), 0),
        55 | 57 => Insn::new(op::LSTORE, u16::from(at.u8()?), 0),
        58 => Insn::new(op::ASTORE, u16::from(at.u8()?), 0),
        59..=62 => one_slot(59, op::ISTORE),
        63..=66 => one_slot(63, op::LSTORE),
        67..=70 => one_slot(67, op::ISTORE),
        71..=74 => one_slot(71, op::LSTORE),
        75..=78 => one_slot(75, op::ASTORE),
        79..=131 => plain(code),
        132 => {
            let slot = u16::from(at.u8()?);
            Insn::new(op::IINC, slot, i32::from(at.u8()? as i8) as u32)
        }
        133..=152 => plain(code),
        153..=168 | 198 | 199 => Insn::new(code, 0, target(i64::from(at.u16()? as i16))?),
        200 => Insn::new(op::GOTO, 0, target(i64::from(at.u32()? as i32))?),
        170 | 171 => {
            while !(at.position() - start).is_multiple_of(4) {
                at.u8()?;
            }
            let default = target(i64::from(at.u32()? as i32))?;
            let mut cases = Vec::new();
            if code == 170 {
                let (low, high) = (at.u32()? as i32, at.u32()? as i32);
                if high < low || i64::from(high) - i64::from(low) > 0xffff {
                    return Err(Malformed::new(place, "a switch has no allowed size"));
                }
                for key in low..=high {
                    cases.push((key, target(i64::from(at.u32()? as i32))?));
                }
            } else {
                let count = at.u32()?;
                if count > 0xffff {
                    return Err(Malformed::new(place, "a switch has no allowed size"));
                }
                for _ in 0..count {
                    let key = at.u32()? as i32;
                    cases.push((key, target(i64::from(at.u32()? as i32))?));
                }
                cases.sort_by_key(|&(key, _)| key);
            }
            switches.push(Switch { default, cases });
            Insn::new(code, 0, switches.len() as u32 - 1)
        }
        172 | 174 => plain(op::IRETURN),
        173 | 175 => plain(op::LRETURN),
        176 | 177 => plain(code),
        178..=184 | 187 | 189 | 192 | 193 => Insn::new(code, constant_index(at)?, 0),
        185 | 186 => {
            let index = constant_index(at)?;
            at.u16()?;
            Insn::new(code, index, 0)
        }
        188 => match at.u8()? {
            kind @ 4..=11 => Insn { op: code, x: kind, a: 0, b: 0 },
            _ => return Err(Malformed::new(place, "there is no array of that type")),
        },
        190 | 191 | 194 | 195 => plain(code),
        196 => {
            let code = at.u8()?;
            let slot = at.u16()?;
            match code {
                21 | 23 => Insn::new(op::ILOAD, slot, 0),
                22 | 24 => Insn::new(op::LLOAD, slot, 0),
                25 => Insn::new(op::ALOAD, slot, 0),
                54 | 56 => Insn::new(op::ISTORE, slot, 0),
                55 | 57 => Insn::new(op::LSTORE, slot, 0),
                58 => Insn::new(op::ASTORE, slot, 0),
                169 => Insn::new(op::RET, slot, 0),
                132 => Insn::new(op::IINC, slot, i32::from(at.u16()? as i16) as u32),
                _ => return Err(Malformed::new(place, "an instruction cannot be wide")),
            }
        }
        197 => {
            let index = constant_index(at)?;
            match at.u8()? {
                0 => return Err(Malformed::new(place, "an array needs a dimension")),
                count => Insn { op: code, x: count, a: index, b: 0 },
            }
        }
        169 => Insn::new(op::RET, u16::from(at.u8()?), 0),
        201 => Insn::new(op::JSR, 0, target(i64::from(at.u32()? as i32))?),
        _ => return Err(Malformed::new(place, &format!("there is no instruction {code}"))),
    })
}
