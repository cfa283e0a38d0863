//! Objects numbered by where they were made: the order of the objects of an area is that of their births, a
//! birth being the instruction that made the object and the smallest count that no other object of this
//! instruction has at that time. So objects keep their order for life, whatever leads to them; states that
//! differ only in the order in which objects were made are told apart.

use rustc_hash::FxHashSet;

use super::{Run, Worker};

/// Marks births that have no count yet: the number of their instruction.
pub(super) const UNCOUNTED: u32 = 1 << 31;

impl Worker {
    /// Notes where the object that was just made was made.
    #[inline]
    pub(crate) fn note_site(&mut self) -> Run<()> {
        if self.heap.by_sites {
            let site = [self.top.method.id, self.top.pc];
            let number = self.vm.dictionary.intern(&site)?;
            self.heap.births.push(number | UNCOUNTED);
        }
        Ok(())
    }

    /// The births of all objects, in which those of objects in this order are counted.
    pub(super) fn count_births(&self, order: &[u32], births: &mut Vec<u32>) -> Run<()> {
        births.clone_from(&self.heap.births);
        let old = order.iter().map(|&dense| births[dense as usize]);
        let mut taken: FxHashSet<u32> = old.filter(|birth| birth & UNCOUNTED == 0).collect();
        let mut site = Vec::new();
        for &dense in order {
            let birth = births[dense as usize];
            if birth & UNCOUNTED == 0 {
                continue;
            }
            site.clear();
            self.vm.dictionary.read(birth & !UNCOUNTED, &mut site);
            site.push(0);
            births[dense as usize] = loop {
                let number = self.vm.dictionary.intern(&site)?;
                if taken.insert(number) {
                    break number;
                }
                site[2] += 1;
            };
        }
        Ok(())
    }
}
