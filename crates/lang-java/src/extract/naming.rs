//! What objects are called: by the variable that they are first kept in.

use std::collections::BTreeSet;

use super::points::{Points, simple};
use crate::code::op;
use crate::link::Method;

impl Points<'_> {
    /// Gives every object a name of its own.
    pub fn name_objects(&mut self) {
        let mut taken: BTreeSet<String> =
            self.objects.iter().map(|object| object.name.clone()).collect();
        taken.insert("main".to_owned());
        for index in 0..self.objects.len() {
            if !self.objects[index].name.is_empty() {
                continue;
            }
            let wanted = self.name_of(index);
            let mut name = wanted.clone();
            let mut number = 2;
            while !taken.insert(name.clone()) {
                name = format!("{wanted}_{number}");
                number += 1;
            }
            self.objects[index].name = name;
        }
    }

    fn name_of(&mut self, index: usize) -> String {
        let class = self.objects[index].class;
        let fallback = match class.hidden {
            true => "lambda".to_owned(),
            false => simple(class).replace("[]", "s"),
        };
        let Some((context, pc)) = self.objects[index].made else { return fallback };
        let method = self.contexts[context as usize].method;
        let Some(at) = kept_at(method, pc) else { return fallback };
        let Ok(code) = method.code() else { return fallback };
        let insn = code.insns[at as usize];
        match insn.op {
            op::ASTORE => match code.local_name(at + 1, insn.a) {
                Some(name) => name.to_owned(),
                None => fallback,
            },
            op::PUTSTATIC | op::PUTFIELD => {
                let field = method.class.field_at(&self.program.vm.registry, insn.a);
                let Ok(field) = field else { return fallback };
                let this = self.contexts[context as usize].params.first().copied();
                let owner = match insn.op {
                    op::PUTFIELD => this.and_then(|set| self.only(set)),
                    _ => return field.name.to_string(),
                };
                match owner.map(|owner| &self.objects[owner as usize].name) {
                    Some(owner) if !owner.is_empty() => format!("{owner}.{}", field.name),
                    _ => format!("{}.{}", simple(field.class), field.name),
                }
            }
            _ => fallback,
        }
    }
}

/// The instruction that keeps what another one makes, if it follows in a straight line.
fn kept_at(method: &Method, made: u32) -> Option<u32> {
    let code = method.code().ok()?;
    let mut depth = 1usize;
    let mut at = made as usize + 1;
    while let Some(&insn) = code.insns.get(at) {
        let copied = match insn.op {
            op::DUP | op::DUP_X1 | op::DUP_X2 => Some(1),
            op::DUP2 | op::DUP2_X1 | op::DUP2_X2 => Some(2),
            op::SWAP => Some(0),
            _ => None,
        };
        if let Some(copied) = copied {
            depth += copied;
            at += 1;
            continue;
        }
        let (taken, put) = method.class.effect(insn)?;
        if taken >= depth {
            return Some(at as u32);
        }
        depth = depth + put - taken;
        at += 1;
    }
    None
}
