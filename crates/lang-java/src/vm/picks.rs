//! The values that choices gave, for traces.

use super::Worker;
use crate::code::Type;
use crate::link::{Class, Kind};

/// What is noted while a step is replayed.
#[derive(Default)]
pub(crate) struct Picks {
    /// The values of this step, as text.
    pub values: Vec<String>,
    /// A choice was made for a class that drivers call: what that returns is told.
    pending: bool,
}

/// Whether a class is one of those that drivers call for choices.
fn is_driver(class: &Class) -> bool {
    let name = &*class.name;
    ["everypath/", "gov/nasa/jpf/vm/Verify", "org/sosy_lab/"]
        .iter()
        .any(|ours| name.starts_with(ours))
}

impl Worker {
    /// A method that the machine does itself made a choice and gives this.
    #[cold]
    pub(super) fn note_pick(&mut self, kind: &Type, words: [u32; 2]) {
        self.picked = false;
        let driver = is_driver(self.top.method.class);
        let Some(picks) = &mut self.picks else { return };
        picks.pending = driver;
        if !driver {
            self.tell_pick(kind, words);
        }
    }

    /// The current method is about to return this.
    #[cold]
    pub(super) fn note_returned(&mut self, words: [u32; 2]) {
        let leaves = is_driver(self.top.method.class)
            && self.frames.last().is_none_or(|caller| !is_driver(caller.method.class));
        if leaves && self.picks.as_mut().is_some_and(|picks| std::mem::take(&mut picks.pending)) {
            let kind = self.top.method.descriptor.result.clone();
            self.tell_pick(&kind, words);
        }
    }

    fn tell_pick(&mut self, kind: &Type, [low, high]: [u32; 2]) {
        let wide = u64::from(low) | u64::from(high) << 32;
        let text = match kind {
            Type::Primitive(b'V') => return,
            Type::Primitive(b'Z') => (low != 0).to_string(),
            Type::Primitive(b'C') => match char::from_u32(low) {
                Some(char) => format!("{char:?}"),
                None => format!("'\\u{low:04x}'"),
            },
            Type::Primitive(b'J') => (wide as i64).to_string(),
            Type::Primitive(b'F') => f32::from_bits(low).to_string(),
            Type::Primitive(b'D') => f64::from_bits(wide).to_string(),
            Type::Primitive(_) => (low as i32).to_string(),
            Type::Reference(_) if low == 0 => "null".to_owned(),
            Type::Reference(_) => {
                let class = self.class_of(low);
                match (&*class.name, class.kind) {
                    ("java/lang/String", Kind::Instance) => match self.text_of(low) {
                        Ok(text) => format!("{text:?}"),
                        Err(_) => return,
                    },
                    _ => format!("an object of {}", class.java_name()),
                }
            }
        };
        if let Some(picks) = &mut self.picks {
            picks.values.push(text);
        }
    }
}
