//! The subset of C that is understood, as a tree.

use crate::ast::{BinaryOp, Type, UnaryOp};

/// An integer type of C, with the widths it has on the machines that SPIN's verifiers run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CType {
    Bool,
    Char,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
}

impl CType {
    /// Bytes.
    pub fn size(self) -> u32 {
        match self {
            CType::Bool | CType::Char | CType::UChar => 1,
            CType::Short | CType::UShort => 2,
            CType::Int | CType::UInt => 4,
        }
    }

    /// The type of a variable of the model that can hold all its values. It holds more than those
    /// of a `char`, so what is stored there is cut to eight bits first.
    pub fn stored(self) -> Type {
        match self {
            CType::Bool => Type::Bool,
            CType::UChar => Type::Byte,
            CType::Char | CType::Short => Type::Short,
            CType::UShort => Type::Unsigned(16),
            CType::Int => Type::Int,
            CType::UInt => Type::Unsigned(32),
        }
    }

    /// The type as which values of a variable of the model are seen in C.
    pub fn of(ty: Type) -> Option<CType> {
        match ty {
            Type::Byte | Type::Pid | Type::Mtype(_) => Some(CType::UChar),
            Type::Short => Some(CType::Short),
            Type::Unsigned(32) => Some(CType::UInt),
            // A bit field of less than 32 bits becomes an `int` in every expression.
            Type::Int | Type::Bit | Type::Bool | Type::Unsigned(_) => Some(CType::Int),
            Type::Chan | Type::Struct(_) => None,
        }
    }
}

/// An expression.
#[derive(Clone, Debug)]
pub(super) struct CExpr {
    pub kind: CExprKind,
    /// In the fragment, from 0.
    pub line: u32,
    /// Of the tree.
    pub height: u32,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub(super) enum CExprKind {
    /// Bits, and whether they are unsigned.
    Int(i32, bool),
    Object(Object),
    Unary(UnaryOp, Box<CExpr>),
    Binary(BinaryOp, Box<CExpr>, Box<CExpr>),
    Cond(Box<CExpr>, Box<CExpr>, Box<CExpr>),
    Cast(CType, Box<CExpr>),
    SizeOfType(CType),
    SizeOfName(String),
}

/// Something that has a place: `x`, `now.x[i].f`, `PP->x`.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub root: Root,
    /// Never empty.
    pub path: Vec<Part>,
    pub line: u32,
}

/// Where an object is looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Root {
    /// Among the names of C.
    Plain,
    /// `now.`: the global variables of the model.
    Now,
    /// `Pname->`: the variables of the running process.
    Process(String),
}

/// `name` or `name[index]`
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub name: String,
    pub index: Option<Box<CExpr>>,
}

/// A statement.
#[derive(Clone, Debug)]
pub(super) enum CStmt {
    /// `int x = e;`
    Declare {
        ty: CType,
        name: String,
        init: Option<CExpr>,
        line: u32,
    },
    /// `x = e;`, `x op= e;`
    Assign(Object, Option<BinaryOp>, CExpr),
    Assert(CExpr),
    If(CExpr, Vec<CStmt>, Vec<CStmt>),
    While(CExpr, Vec<CStmt>),
    DoWhile(Vec<CStmt>, CExpr),
    /// The declarations of the block end with it.
    Block(Vec<CStmt>),
    Break,
}

/// A declaration outside of functions.
#[derive(Clone, Debug)]
pub(super) enum Global {
    /// Without a value it is 0 if it is the `first` of its list, and otherwise one more than the
    /// one before it.
    Enumerator {
        name: String,
        value: Option<CExpr>,
        first: bool,
        line: u32,
    },
    Object(GlobalObject),
}

/// A variable outside of functions.
#[derive(Clone, Debug)]
pub(super) struct GlobalObject {
    pub ty: CType,
    pub name: String,
    /// Number of elements.
    pub array: Option<ArraySize>,
    pub init: Option<GlobalInit>,
    pub line: u32,
}

/// `[n]` or `[]`
#[derive(Clone, Debug)]
pub(super) enum ArraySize {
    Given(CExpr),
    FromList,
}

/// `= e` or `= { e, ... }`
#[derive(Clone, Debug)]
pub(super) enum GlobalInit {
    Value(CExpr),
    List(Vec<CExpr>),
}

/// What a fragment of global declarations contains.
#[derive(Clone, Debug, Default)]
pub(super) struct Globals {
    pub items: Vec<Global>,
    /// Headers that need not be read.
    pub headers: Vec<String>,
}
