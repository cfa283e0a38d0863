//! Sets of abstract objects, each kept once.

use rustc_hash::FxHashMap;

/// An abstract object, by its place.
pub(super) type ObjId = u32;
/// A set, by its place.
pub(super) type SetId = u32;

/// No object: a value that is no reference, or comes from nowhere.
pub(super) const EMPTY: SetId = 0;

/// All sets that came up.
pub(super) struct Sets {
    list: Vec<Box<[ObjId]>>,
    known: FxHashMap<Box<[ObjId]>, SetId>,
    unions: FxHashMap<(SetId, SetId), SetId>,
}

impl Sets {
    pub fn new() -> Sets {
        let mut sets =
            Sets { list: Vec::new(), known: FxHashMap::default(), unions: FxHashMap::default() };
        sets.intern(Vec::new());
        sets
    }

    /// The set of these objects, in any order.
    pub fn intern(&mut self, mut objects: Vec<ObjId>) -> SetId {
        objects.sort_unstable();
        objects.dedup();
        if let Some(&id) = self.known.get(objects.as_slice()) {
            return id;
        }
        let id = self.list.len() as SetId;
        let objects: Box<[ObjId]> = objects.into();
        self.list.push(objects.clone());
        self.known.insert(objects, id);
        id
    }

    pub fn one(&mut self, object: ObjId) -> SetId {
        self.intern(vec![object])
    }

    /// The objects of a set, ascending.
    pub fn get(&self, set: SetId) -> &[ObjId] {
        &self.list[set as usize]
    }

    pub fn union(&mut self, a: SetId, b: SetId) -> SetId {
        if a == b || b == EMPTY {
            return a;
        }
        if a == EMPTY {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.unions.get(&key) {
            return known;
        }
        let both = self.get(a).iter().chain(self.get(b)).copied().collect();
        let union = self.intern(both);
        self.unions.insert(key, union);
        union
    }

    /// The objects of a set for which something holds.
    pub fn filter(&mut self, set: SetId, keep: impl Fn(ObjId) -> bool) -> SetId {
        if self.get(set).iter().all(|&object| keep(object)) {
            return set;
        }
        let kept = self.get(set).iter().copied().filter(|&object| keep(object)).collect();
        self.intern(kept)
    }
}
