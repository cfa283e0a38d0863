//! Models that are too large to be laid out, found before anything is.

use everypath_model::{Diagnostic, Severity, Span};

use super::layout::scalar;
use crate::ast::*;

/// Bytes of a state: an expansion holds one for each process that can move.
const STATE_BYTES: u64 = 1 << 20;
/// Scalars with a name of their own, over all records.
const SCALARS: u64 = 4_000_000;
/// Scalars of a message: each may need a register.
const MESSAGE: u64 = 100_000;
/// Channels at a time; also those that one process makes.
const CHANNELS: u64 = 255;
/// Messages of a channel.
const CAPACITY: u32 = 65_535;

/// How large something is; sums and products stop at the largest number.
#[derive(Clone, Copy, Default)]
struct Size {
    scalars: u64,
    bits: u64,
    channels: u64,
}

impl Size {
    fn add(&mut self, other: Size) {
        self.scalars = self.scalars.saturating_add(other.scalars);
        self.bits = self.bits.saturating_add(other.bits);
        self.channels = self.channels.saturating_add(other.channels);
    }

    fn times(self, count: u64) -> Size {
        Size {
            scalars: self.scalars.saturating_mul(count),
            bits: self.bits.saturating_mul(count),
            channels: self.channels.saturating_mul(count),
        }
    }

    fn bytes(self) -> u64 {
        self.bits / 8
    }
}

/// Why the model cannot be laid out.
pub(super) fn check(model: &Model) -> Option<Diagnostic> {
    let mut structs: Vec<Size> = Vec::new();
    for def in &model.typedefs {
        let mut size = Size::default();
        for field in &def.fields {
            match variable(&structs, field.span, field.ty, field.array, &field.init) {
                Ok(part) => size.add(part),
                Err(diagnostic) => return Some(*diagnostic),
            }
        }
        structs.push(size);
    }
    let record = |ids: &mut dyn Iterator<Item = &VarId>| {
        let mut size = Size::default();
        let mut first_large = None;
        for id in ids {
            let var = &model.vars[id.index()];
            size.add(variable(&structs, var.span, var.ty, var.array, &var.init)?);
            if size.bytes() > STATE_BYTES || size.scalars > SCALARS {
                first_large.get_or_insert(var.span);
            }
        }
        match first_large {
            Some(span) => Err(too_large(span, size)),
            None => Ok(size),
        }
    };
    let mut total = match record(&mut model.globals.iter()) {
        Ok(size) => size,
        Err(diagnostic) => return Some(*diagnostic),
    };
    let (mut scalars, mut processes) = (total.scalars, 0);
    if total.channels > CHANNELS {
        let chan = |id: &&VarId| matches!(model.vars[id.index()].init, Init::Channel(_));
        let last = model.globals.iter().rfind(chan).or(model.globals.last())?;
        return Some(too_many_channels(model.vars[last.index()].span, total.channels));
    }
    for proctype in &model.proctypes {
        let size = match record(&mut proctype.params.iter().chain(&proctype.locals)) {
            Ok(size) => size,
            Err(diagnostic) => return Some(*diagnostic),
        };
        scalars = scalars.saturating_add(size.scalars);
        processes += u64::from(proctype.active);
        total.add(size.times(u64::from(proctype.active)));
        let span = proctype.span;
        if size.channels > CHANNELS || total.channels > CHANNELS {
            return Some(too_many_channels(span, size.channels.max(total.channels)));
        }
        if processes > 255 {
            let message = format!("{processes} processes at the start; there can be 255 at a time");
            return Some(Diagnostic::new(Severity::Unsupported, "EP1410", span, message));
        }
        if total.bytes() > STATE_BYTES || scalars > SCALARS {
            return Some(*too_large(span, Size { scalars, ..total }));
        }
    }
    None
}

/// The size of a variable or field.
fn variable(
    structs: &[Size],
    span: Span,
    ty: Type,
    array: Option<u32>,
    init: &Init,
) -> Result<Size, Box<Diagnostic>> {
    let mut element = match ty {
        Type::Struct(id) => structs[id.index()],
        _ => {
            let bits = u64::from(scalar(ty, array.is_none()).0);
            Size { scalars: 1, bits, channels: 0 }
        }
    };
    if let Init::Channel(channel) = init {
        if channel.capacity > CAPACITY {
            let message = format!(
                "a channel with room for {} messages; there can be {CAPACITY}",
                channel.capacity
            );
            return Err(Box::new(Diagnostic::new(Severity::Unsupported, "EP1410", span, message)));
        }
        let mut message = Size::default();
        for &field in &channel.fields {
            message.add(match field {
                Type::Struct(id) => structs[id.index()],
                _ => Size { scalars: 1, bits: u64::from(scalar(field, false).0), channels: 0 },
            });
        }
        if message.scalars > MESSAGE {
            return Err(too_large(span, message));
        }
        element.bits = element.bits.saturating_add(message.times(channel.capacity.into()).bits);
        element.channels += 1;
    }
    Ok(element.times(array.unwrap_or(1).into()))
}

fn too_large(span: Span, size: Size) -> Box<Diagnostic> {
    let megabytes = size.bytes().div_ceil(1 << 20);
    let message = if size.bytes() > STATE_BYTES {
        format!(
            "a state of this model would take {megabytes} MiB; the limit is {} MiB",
            STATE_BYTES >> 20
        )
    } else {
        format!("this model has {} variables and array elements", size.scalars)
    };
    let help = "make the arrays smaller, or the messages and capacities of the channels";
    Box::new(Diagnostic::new(Severity::Unsupported, "EP1410", span, message).help(help))
}

fn too_many_channels(span: Span, count: u64) -> Diagnostic {
    let message = format!("{count} channels at the start; there can be {CHANNELS} at a time");
    Diagnostic::new(Severity::Unsupported, "EP1410", span, message)
}
