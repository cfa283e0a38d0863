//! The classes of the program's own loaders. A space is what one loader calls classes: those that it defined,
//! and those that it got from others. It holds for all paths on which a loader has it; a path on which the
//! loader would call something else by a name cannot be followed.

use std::sync::{PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::class::Class;
use super::registry::{LoadError, Registry};
use crate::classfile::ClassFile;

#[derive(Default)]
struct Space {
    names: FxHashMap<Box<str>, &'static Class>,
    /// The class that was defined in it first.
    first: Option<&'static Class>,
}

/// All spaces; the first one is number 1.
#[derive(Default)]
pub(super) struct Spaces {
    spaces: RwLock<Vec<Space>>,
    keys: RwLock<FxHashMap<String, u32>>,
}

impl Spaces {
    pub fn get(&self, space: u32, name: &str) -> Option<&'static Class> {
        let spaces = self.spaces.read().unwrap_or_else(PoisonError::into_inner);
        spaces.get(space as usize - 1)?.names.get(name).copied()
    }

    pub fn put(&self, space: u32, class: &'static Class) {
        let mut spaces = self.spaces.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(space) = spaces.get_mut(space as usize - 1) {
            space.names.insert(class.name.clone(), class);
            space.first.get_or_insert(class);
        }
    }
}

impl Registry {
    /// The space of a key, and the class that was defined in it first.
    pub fn space(&self, key: String) -> (u32, Option<&'static Class>) {
        let mut keys = self.spaces.keys.write().unwrap_or_else(PoisonError::into_inner);
        let mut spaces = self.spaces.spaces.write().unwrap_or_else(PoisonError::into_inner);
        let number = *keys.entry(key).or_insert_with(|| {
            spaces.push(Space::default());
            spaces.len() as u32
        });
        (number, spaces.get(number as usize - 1).and_then(|space| space.first))
    }

    /// A class as the code of a space calls it; what its loader was never asked for is missing.
    pub fn class_in(&self, space: u32, name: &str) -> Result<&'static Class, LoadError> {
        if space == 0 {
            return self.class(name);
        }
        let element = name.trim_start_matches('[');
        if element.len() == name.len() {
            return self.spaces.get(space, name).ok_or_else(|| LoadError::Missing(name.to_owned()));
        }
        let Some(element) = element.strip_prefix('L').and_then(|name| name.strip_suffix(';'))
        else {
            return self.class(name);
        };
        let mut class = self.class_in(space, element)?;
        for _ in 0..name.len() - element.len() - 2 {
            class = self.array_of(class)?;
        }
        Ok(class)
    }

    /// Defines a class in a space; `None` if another one was defined there by this name.
    pub fn define_file(
        &self,
        space: u32,
        file: ClassFile,
        super_class: &'static Class,
        interfaces: Vec<&'static Class>,
    ) -> Result<Option<&'static Class>, LoadError> {
        let (name, bytes) = (file.name.clone(), file.bytes.clone());
        let parents = interfaces.clone();
        let class = match self.spaces.get(space, &name) {
            Some(class) => class,
            None => self.define_in_space(space, file, super_class, interfaces)?,
        };
        let same = class.space == space
            && class.file.as_ref().is_some_and(|file| file.bytes == bytes)
            && class.super_class == Some(super_class)
            && class.interfaces == parents;
        Ok(same.then_some(class))
    }

    /// Notes what a loader calls a name; whether it never called anything else so.
    pub fn bind(&self, space: u32, class: &'static Class) -> bool {
        let mut spaces = self.spaces.spaces.write().unwrap_or_else(PoisonError::into_inner);
        let Some(space) = spaces.get_mut((space as usize).wrapping_sub(1)) else { return true };
        *space.names.entry(class.name.clone()).or_insert(class) == class
    }
}
