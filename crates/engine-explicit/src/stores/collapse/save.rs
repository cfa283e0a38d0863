//! A store in words, and back: the dictionaries in the order of their numbers, the forests over them,
//! and the table, or the filter in its place, as it lies in memory.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::stores::dictionary::Dictionary;
use crate::stores::forest::{Forest, Node, Shared};
use crate::stores::table::{Plan, Width};
use crate::stores::wire::{In, Out, nonsense};

use super::{Collapse, Epoch, make_table};

impl Collapse<'_> {
    pub(super) fn write(&self, out: &mut Out<'_>) -> io::Result<()> {
        let epoch = self.epoch();
        out.number(self.len.0.load(Ordering::Relaxed))?;
        out.number(u64::from(epoch.number))?;
        // Older forests are made of the first of the same dictionaries, unless it was made anew.
        let last = |rebuilt: u32| {
            let forests = epoch.past.iter().map(|forest| &**forest).chain([&epoch.forest]);
            forests.rev().find(|forest| forest.rebuilt == rebuilt)
        };
        let generations: Vec<&Forest> = (0..=epoch.forest.rebuilt).filter_map(last).collect();
        out.list(&generations, |out, forest| {
            out.list(&forest.nodes, |out, node| write_values(&node.dictionary, out))
        })?;
        epoch.forest.write(out)?;
        out.list(&epoch.past, |out, forest| forest.write(out))?;
        let table = &epoch.table;
        write_plan(table.plan(), out)?;
        out.raw(table.memory().iter().map(|word| word.load(Ordering::Relaxed)))?;
        self.sieve.as_ref().map_or(Ok(()), |sieve| sieve.save(out))
    }

    pub(super) fn read(&mut self, input: &mut In<'_>) -> io::Result<()> {
        let len = input.number()?;
        let number = input.small()?;
        let dictionaries = input.list(|input| {
            input.list(|input| {
                let count = input.number()?;
                let dictionary = Dictionary::beginning_with(&input.words()?, self.ledger)?;
                for _ in 1..count {
                    dictionary.intern(&input.words()?, self.ledger)?;
                }
                Ok(Arc::new(dictionary))
            })
        })?;
        let forest = Forest::read(input, &dictionaries)?;
        let past = input.list(|input| Forest::read(input, &dictionaries).map(Arc::new))?;
        let plan = read_plan(input)?;
        if plan.marks != self.marks || past.len() != forest.version as usize {
            return Err(nonsense());
        }
        self.ledger.give(self.epoch().table.plan().bytes());
        let table = make_table(plan, self.gates.len(), self.ledger)?;
        let words = table.memory();
        input.raw(words.len() as u64, |at, word| {
            if word != 0 {
                words[at as usize].store(word, Ordering::Relaxed);
            }
        })?;
        if let Some(sieve) = &self.sieve {
            sieve.restore(input)?;
        }
        self.table_bytes.store(plan.bytes(), Ordering::Relaxed);
        self.len.0.store(len, Ordering::Relaxed);
        let epoch = Arc::new(Epoch { number, forest, past, table: Arc::new(table) });
        for gate in &mut self.gates {
            *gate.0.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner) = epoch.clone();
        }
        Ok(())
    }
}

/// The size of a table.
fn write_plan(plan: Plan, out: &mut Out<'_>) -> io::Result<()> {
    let Plan { bits, base, width, lines, marks } = plan;
    let width = Width::ALL.iter().position(|w| *w == width).unwrap_or(0);
    for number in [u64::from(bits), u64::from(base), width as u64, lines, u64::from(marks)] {
        out.number(number)?;
    }
    Ok(())
}

fn read_plan(input: &mut In<'_>) -> io::Result<Plan> {
    let (bits, base) = (input.small()?, input.small()?);
    let width = *Width::ALL.get(input.number()? as usize).ok_or_else(nonsense)?;
    let plan = Plan { bits, base, width, lines: input.number()?, marks: input.truth()? };
    let sane = (1..=bits).contains(&base) && bits <= 64 && plan.lines >= 2 && plan.lines < 1 << 48;
    if sane { Ok(plan) } else { Err(nonsense()) }
}

/// The vectors of a dictionary.
fn write_values(dictionary: &Dictionary, out: &mut Out<'_>) -> io::Result<()> {
    out.number(u64::from(dictionary.len()))?;
    for number in 0..dictionary.len() {
        let vector = dictionary.get(number);
        out.number(vector.len() as u64)?;
        out.raw(vector.iter().map(|word| word.load(Ordering::Relaxed)))?;
    }
    Ok(())
}

impl Forest {
    fn write(&self, out: &mut Out<'_>) -> io::Result<()> {
        out.number(u64::from(self.version))?;
        out.number(u64::from(self.used))?;
        out.number(u64::from(self.rebuilt))?;
        let shared = self.shared.map(|s| u64::from(s.component) << 32 | u64::from(s.piece));
        out.option(shared)?;
        out.list(&self.nodes, |out, node| {
            out.option(
                node.children.map(|(left, right)| u64::from(left) << 32 | u64::from(right)),
            )?;
            out.option(node.parent.map(u64::from))
        })?;
        out.list(&self.leaves, |out, leaf| out.words(&[leaf.component, leaf.part, leaf.node]))?;
        self.write_roots(out)?;
        out.words(&self.first_leaf)?;
        out.words(&self.leaf_of)
    }

    fn read(input: &mut In<'_>, dictionaries: &[Vec<Arc<Dictionary>>]) -> io::Result<Forest> {
        let version = input.small()?;
        let used = input.small()?;
        let rebuilt = input.small()?;
        let dictionaries = dictionaries.get(rebuilt as usize).ok_or_else(nonsense)?;
        let shared = input
            .option()?
            .map(|both| Shared { component: (both >> 32) as u32, piece: (both as u32).max(1) });
        let shapes = input.list(|input| {
            let children = input.option()?.map(|both| ((both >> 32) as u32, both as u32));
            Ok((children, input.option()?.map(|parent| parent as u32)))
        })?;
        if shapes.len() > dictionaries.len() {
            return Err(nonsense());
        }
        let nodes = shapes.iter().zip(dictionaries).map(|(&(children, parent), dictionary)| Node {
            dictionary: dictionary.clone(),
            children,
            parent,
        });
        let nodes: Vec<Node> = nodes.collect();
        let leaves = input.list(|input| match input.words()?[..] {
            [component, part, node] => Ok(crate::stores::forest::Leaf { component, part, node }),
            _ => Err(nonsense()),
        })?;
        let mut forest =
            Forest { version, used, rebuilt, shared, nodes, leaves, ..Forest::default() };
        forest.read_roots(input)?;
        forest.first_leaf = input.words()?;
        forest.leaf_of = input.words()?;
        if forest.leaf_of.len() != forest.nodes.len() {
            return Err(nonsense());
        }
        Ok(forest)
    }
}
