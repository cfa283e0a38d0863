//! The scalars of a machine's records, numbered through, and which of them an access may mean.

use everypath_machine::code::{Op, Space};
use everypath_machine::{Cell, Field, Machine};
use rustc_hash::FxHashMap;

/// A scalar by its number.
pub(crate) type Var = usize;

/// The record of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Record {
    Global,
    Hidden,
    /// Of the processes of a proctype.
    Local(u16),
}

impl Record {
    pub fn of(space: Space, proctype: u16) -> Record {
        match space {
            Space::Global => Record::Global,
            Space::Hidden => Record::Hidden,
            Space::Local => Record::Local(proctype),
        }
    }
}

/// A scalar.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scalar {
    pub record: Record,
    pub field: Field,
}

/// All scalars: the global ones, the hidden ones, then those of each proctype.
#[derive(Clone, Debug, Default)]
pub(crate) struct Variables {
    pub all: Vec<Scalar>,
    /// The numbers in order, to give out parts of them.
    numbers: Vec<Var>,
    tables: Vec<Table>,
}

#[derive(Clone, Debug, Default)]
struct Table {
    first: usize,
    end: usize,
    by_bit: FxHashMap<u32, Var>,
    /// The elements of arrays, by each of them.
    arrays: FxHashMap<Var, usize>,
    elements: Vec<Vec<Var>>,
}

impl Variables {
    pub fn new(machine: &Machine) -> Variables {
        let mut variables = Variables::default();
        variables.add(Record::Global, &machine.global_cells);
        variables.add(Record::Hidden, &machine.hidden_cells);
        for (ty, proctype) in machine.proctypes.iter().enumerate() {
            variables.add(Record::Local(ty as u16), &proctype.cells);
        }
        // Code of no proctype has no locals.
        variables.add(Record::Local(u16::MAX), &[]);
        variables.numbers = (0..variables.all.len()).collect();
        variables
    }

    fn add(&mut self, record: Record, cells: &[Cell]) {
        let mut table = Table { first: self.all.len(), ..Table::default() };
        let mut by_name: FxHashMap<String, usize> = FxHashMap::default();
        for cell in cells {
            let var = self.all.len();
            self.all.push(Scalar { record, field: cell.field });
            table.by_bit.insert(cell.field.bit, var);
            if cell.name.contains('[') {
                let name = without_indices(&cell.name);
                let array = *by_name.entry(name).or_insert_with(|| {
                    table.elements.push(Vec::new());
                    table.elements.len() - 1
                });
                table.elements[array].push(var);
                table.arrays.insert(var, array);
            }
        }
        table.end = self.all.len();
        self.tables.push(table);
    }

    fn table(&self, record: Record) -> &Table {
        match record {
            Record::Global => &self.tables[0],
            Record::Hidden => &self.tables[1],
            Record::Local(ty) => &self.tables[(2 + usize::from(ty)).min(self.tables.len() - 1)],
        }
    }

    /// All scalars of a record.
    pub fn of(&self, record: Record) -> &[Var] {
        let table = self.table(record);
        &self.numbers[table.first..table.end]
    }

    /// The scalars that a field may be part of: one if it is exactly that one.
    pub fn at(&self, record: Record, field: Field) -> &[Var] {
        let table = self.table(record);
        match table.by_bit.get(&field.bit) {
            Some(&var) if self.all[var].field == field => &self.numbers[var..=var],
            _ => self.of(record),
        }
    }

    /// The scalars that a field may be, some distance further on.
    pub fn around(&self, record: Record, field: Field, at: Option<i32>) -> &[Var] {
        if let Some(at) = at {
            let bit = u32::try_from(at).ok().and_then(|at| field.bit.checked_add(at));
            if let Some(bit) = bit {
                return self.at(record, Field { bit, ..field });
            }
        }
        let table = self.table(record);
        match table.by_bit.get(&field.bit).and_then(|var| table.arrays.get(var)) {
            Some(&array) => &table.elements[array],
            None => self.of(record),
        }
    }

    /// Whether a scalar is part of an array.
    pub fn is_element(&self, var: Var) -> bool {
        self.table(self.all[var].record).arrays.contains_key(&var)
    }

    /// What an instruction may read of the variables; a distance counts as unknown.
    pub fn read(&self, op: Op, proctype: u16) -> &[Var] {
        match op {
            Op::Load { space, field, .. } => self.at(Record::of(space, proctype), field),
            Op::LoadAt { space, field, .. } => {
                self.around(Record::of(space, proctype), field, None)
            }
            Op::LoadRemote { proctype, field, .. } => {
                let record = Record::Local(proctype);
                match self.at(record, field) {
                    [one] if !self.is_element(*one) => self.at(record, field),
                    _ => self.around(record, field, None),
                }
            }
            _ => &[],
        }
    }

    /// What an instruction may write.
    pub fn written(&self, op: Op, proctype: u16) -> &[Var] {
        match op {
            Op::Store { space, field, .. } => self.at(Record::of(space, proctype), field),
            Op::StoreAt { space, field, .. } => {
                self.around(Record::of(space, proctype), field, None)
            }
            _ => &[],
        }
    }

    /// The variable that an instruction sets for certain.
    pub fn set(&self, op: Op, proctype: u16) -> Option<Var> {
        match op {
            Op::Store { .. } => match self.written(op, proctype) {
                [one] => Some(*one),
                _ => None,
            },
            _ => None,
        }
    }
}

/// `z.r[1].c` as `z.r[].c`.
fn without_indices(name: &str) -> String {
    let mut inside = false;
    name.chars()
        .filter(|&c| {
            inside = (inside || c == '[') && c != ']';
            !inside || c == '['
        })
        .collect()
}
