//! Names of objects, and the values of fields.

use everypath_model::Value;

use crate::heap::BASE;
use crate::vm::Worker;

impl Worker {
    /// An object as a person knows it: its class, and which of its instances.
    pub(crate) fn object_name(&self, object: u32) -> String {
        if object == 0 {
            return "null".to_owned();
        }
        let class = self.class_of(object);
        if &*class.name == "java/lang/Class" {
            return format!("{}.class", self.mirrored(object).get_name());
        }
        if object & BASE != 0 {
            return class.get_name();
        }
        let before = (1..object).filter(|&other| self.class_of(other) == class).count();
        format!("{}#{}", class.get_name(), before + 1)
    }

    /// Static fields of the program's classes and fields of its objects.
    pub(crate) fn values(&self) -> Vec<(String, Value)> {
        let mut values = Vec::new();
        let mut known = self.heap.known.clone();
        known.sort_unstable();
        for id in known {
            let class = self.vm.registry.class_of(id);
            if class.library {
                continue;
            }
            let place = self.heap.statics(&self.vm.base, id);
            let fields = class.linked().fields.iter();
            for field in fields.filter(|f| f.is(crate::classfile::flags::STATIC)) {
                if field.name.starts_with('$') {
                    continue;
                }
                let word = |index| self.heap.word(&self.vm.dictionary, place, field.slot + index);
                let bits =
                    u64::from(word(0)) | if field.wide() { u64::from(word(1)) << 32 } else { 0 };
                let name = format!("{}.{}", class.get_name(), field.name);
                values.push((name, self.value(&field.descriptor, bits)));
            }
        }
        for object in 1..=self.heap.objects.len() as u32 {
            let class = self.class_of(object);
            if class.library || class.element().is_some() {
                continue;
            }
            let name = self.object_name(object);
            let mut owner = Some(class);
            while let Some(class) = owner.filter(|class| !class.library) {
                let fields = class.linked().fields.iter();
                for field in fields.filter(|f| !f.is(crate::classfile::flags::STATIC)) {
                    let low = u64::from(self.get(object, field.slot));
                    let high = match field.wide() {
                        true => u64::from(self.get(object, field.slot + 1)) << 32,
                        false => 0,
                    };
                    let value = self.value(&field.descriptor, low | high);
                    values.push((format!("{name}.{}", field.name), value));
                }
                owner = class.super_class;
            }
        }
        values
    }

    fn value(&self, descriptor: &str, bits: u64) -> Value {
        match descriptor.as_bytes()[0] {
            b'Z' => Value::Bool(bits != 0),
            b'C' => {
                let char = char::from_u32(bits as u32).unwrap_or('\u{fffd}');
                Value::Name(format!("{char:?}"))
            }
            b'J' => Value::Int(bits as i64),
            b'F' => Value::Name(f32::from_bits(bits as u32).to_string()),
            b'D' => Value::Name(f64::from_bits(bits).to_string()),
            b'B' | b'S' | b'I' => Value::Int(i64::from(bits as u32 as i32)),
            _ => {
                let object = bits as u32;
                if object != 0 && &*self.class_of(object).name == "java/lang/String" {
                    let text = self.text_of(object).unwrap_or_default();
                    return Value::Name(format!("{text:?}"));
                }
                Value::Name(self.object_name(object))
            }
        }
    }
}
