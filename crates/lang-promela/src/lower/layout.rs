//! Where the variables of a model lie, and what their parts are called.

use everypath_machine::code::Space;
use everypath_machine::{Cell, ChannelType, Field, Kind, LayoutBuilder, stride};

use crate::ast::*;

/// The place of a variable: its first element and the distance to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub space: Space,
    /// First bit.
    pub bit: u32,
    /// Bits from one element to the next; 0 for a scalar.
    pub stride: u32,
}

/// A typedef laid out.
#[derive(Clone, Debug, Default)]
pub(super) struct StructLayout {
    /// First bit and element distance of each field.
    pub fields: Vec<(u32, u32)>,
    /// Bits in all, rounded so that elements can follow each other.
    pub size: u32,
}

/// The width and sign of a scalar type; `packed` is false where SPIN stores a bit in a whole
/// byte: for array elements and for the only field of a message.
pub(super) fn scalar(ty: Type, packed: bool) -> (u8, bool) {
    match ty {
        Type::Bit | Type::Bool if packed => (1, false),
        Type::Bit | Type::Bool | Type::Byte | Type::Pid | Type::Mtype(_) | Type::Chan => (8, false),
        Type::Short => (16, true),
        Type::Int => (32, true),
        Type::Unsigned(width) => (width, false),
        Type::Struct(_) => (32, true),
    }
}

/// How values of a type are shown.
pub(super) fn kind(ty: Type) -> Kind {
    match ty {
        Type::Bool => Kind::Bool,
        Type::Mtype(set) => Kind::Name(set.0 as u16),
        Type::Chan => Kind::Channel,
        _ => Kind::Int,
    }
}

/// Layouts of all typedefs, in order (a typedef uses only earlier ones).
pub(super) fn structs(model: &Model) -> Vec<StructLayout> {
    let mut done: Vec<StructLayout> = Vec::new();
    for def in &model.typedefs {
        let mut builder = LayoutBuilder::default();
        let fields = def.fields.iter().map(|f| place(&mut builder, &done, f.ty, f.array)).collect();
        done.push(StructLayout { fields, size: stride(builder.bits()) });
    }
    done
}

/// Places a variable or field: its first bit and the distance between elements.
pub(super) fn place(
    builder: &mut LayoutBuilder,
    structs: &[StructLayout],
    ty: Type,
    array: Option<u32>,
) -> (u32, u32) {
    match (ty, array) {
        (Type::Struct(id), _) => {
            let size = structs[id.index()].size;
            (builder.block(size * array.unwrap_or(1), size), size)
        }
        (_, None) => (builder.scalar(scalar(ty, true).0), 0),
        (_, Some(count)) => {
            let step = stride(u32::from(scalar(ty, false).0));
            (builder.block(step * count, step), step)
        }
    }
}

/// How far global variables are kept apart. What shares no word is told apart by searches that
/// remember what processes did: few words are better for vectors, many for their memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spread {
    /// Every scalar has a word.
    Scalars,
    /// Every variable has words of its own.
    Variables,
    /// They share words.
    Nothing,
}

/// Words that variables may take for being kept apart.
const APART: usize = 24;

/// How far the global variables of a model are kept apart.
pub(super) fn spread(model: &Model) -> Spread {
    let globals = || model.globals.iter().map(|id| &model.vars[id.index()]);
    let variables = || globals().filter(|var| var.prefix != Prefix::Hidden && var.ty != Type::Chan);
    let scalars: usize = variables().map(|var| var.array.unwrap_or(1) as usize).sum();
    if scalars <= APART {
        Spread::Scalars
    } else if variables().count() <= APART {
        Spread::Variables
    } else {
        Spread::Nothing
    }
}

/// The same as [`place`] for a global variable.
pub(super) fn place_apart(
    builder: &mut LayoutBuilder,
    structs: &[StructLayout],
    ty: Type,
    array: Option<u32>,
    spread: Spread,
) -> (u32, u32) {
    if ty == Type::Chan || spread == Spread::Nothing {
        return place(builder, structs, ty, array);
    }
    builder.start_word();
    let placed = match (ty, array) {
        (Type::Struct(_), _) | (_, None) => place(builder, structs, ty, array),
        (_, Some(count)) if spread == Spread::Scalars => (builder.block(32 * count, 32), 32),
        _ => place(builder, structs, ty, array),
    };
    builder.start_word();
    placed
}

/// One scalar inside a variable: its name behind the variable's, its type, whether it is an element
/// of an array, and its bit.
pub(super) struct Leaf {
    pub name: String,
    pub ty: Type,
    pub packed: bool,
    pub bit: u32,
    pub init: Init,
}

impl Leaf {
    pub fn field(&self) -> Field {
        let (width, signed) = scalar(self.ty, self.packed);
        Field { bit: self.bit, width, signed }
    }
}

/// All scalars of a variable or field, in order.
#[allow(clippy::too_many_arguments)]
pub(super) fn leaves(
    model: &Model,
    structs: &[StructLayout],
    name: &str,
    ty: Type,
    array: Option<u32>,
    init: &Init,
    bit: u32,
    step: u32,
    out: &mut Vec<Leaf>,
) {
    for i in 0..array.unwrap_or(1) {
        let name = if array.is_some() { format!("{name}[{i}]") } else { name.to_string() };
        let bit = bit + i * step;
        match ty {
            Type::Struct(id) => {
                let def = &model.typedefs[id.index()];
                for (field, &(at, step)) in def.fields.iter().zip(&structs[id.index()].fields) {
                    let name = format!("{name}.{}", field.name);
                    leaves(
                        model,
                        structs,
                        &name,
                        field.ty,
                        field.array,
                        &field.init,
                        bit + at,
                        step,
                        out,
                    );
                }
            }
            _ => {
                // A list gives each element its own value.
                let init = match init {
                    Init::List(values) => {
                        let value = values.get(i as usize).or(values.last()).copied().unwrap_or(0);
                        Init::List(vec![value])
                    }
                    other => other.clone(),
                };
                out.push(Leaf { name, ty, packed: array.is_none(), bit, init });
            }
        }
    }
}

/// The named cells of some leaves.
pub(super) fn cells(leaves: &[Leaf], synthetic: bool) -> Vec<Cell> {
    leaves
        .iter()
        .map(|leaf| Cell {
            name: leaf.name.clone(),
            field: leaf.field(),
            kind: kind(leaf.ty),
            synthetic,
        })
        .collect()
}

/// The scalar types that a message field stands for.
pub(super) fn flatten(model: &Model, ty: Type, array: Option<u32>, out: &mut Vec<Type>) {
    for _ in 0..array.unwrap_or(1) {
        match ty {
            Type::Struct(id) => {
                for field in &model.typedefs[id.index()].fields {
                    flatten(model, field.ty, field.array, out);
                }
            }
            _ => out.push(ty),
        }
    }
}

/// The record of a channel.
pub(super) fn channel(model: &Model, init: &ChannelInit) -> ChannelType {
    let mut types = Vec::new();
    for &ty in &init.fields {
        flatten(model, ty, None, &mut types);
    }
    let kinds = types.iter().map(|&ty| kind(ty)).collect();
    // SPIN keeps the field of a one-field message in a whole byte, but packs several.
    let packed = types.len() > 1;
    let mut slot = LayoutBuilder::default();
    let fields: Vec<Field> = types
        .iter()
        .map(|&ty| {
            let (width, signed) = scalar(ty, packed);
            Field { bit: slot.scalar(width), width, signed }
        })
        .collect();
    let step = stride(slot.bits());
    let mut record = LayoutBuilder::default();
    let width = if init.capacity < 256 { 8 } else { 16 };
    let len = Field { bit: record.scalar(width), width, signed: false };
    let first = record.block(step * init.capacity, step);
    let words = if init.capacity == 0 { 0 } else { record.words() };
    ChannelType { capacity: init.capacity, fields, kinds, len, first, stride: step, words }
}
