//! A validator for JSON Schema, as far as the schemas in the tests go: a keyword that it does not
//! know is an error, never passed over.

use serde_json::{Map, Value};

/// Says what is wrong with a document, if anything.
pub fn validate(schema: &Value, document: &Value) -> Result<(), String> {
    Validator { root: schema }.check(schema, document).map_err(|why| why.trim().to_owned())
}

struct Validator<'a> {
    root: &'a Value,
}

/// Keywords that say nothing about validity.
const ANNOTATIONS: [&str; 9] = [
    "$schema",
    "$id",
    "$defs",
    "definitions",
    "title",
    "description",
    "default",
    "format",
    "examples",
];

impl Validator<'_> {
    fn check(&self, schema: &Value, value: &Value) -> Result<(), String> {
        match schema {
            Value::Bool(true) => Ok(()),
            Value::Bool(false) => Err("nothing is allowed here".to_owned()),
            Value::Object(keywords) => {
                keywords.iter().try_for_each(|(key, arg)| self.keyword(keywords, key, arg, value))
            }
            other => Err(format!("this is no schema: {other}")),
        }
    }

    fn keyword(
        &self,
        all: &Map<String, Value>,
        key: &str,
        arg: &Value,
        value: &Value,
    ) -> Result<(), String> {
        let list = || arg.as_array().map(Vec::as_slice).unwrap_or_default();
        let fits = |one: &&Value| self.check(one, value).is_ok();
        let refuse = |why: &str| Err(format!(": {why} {arg}, but it is {}", brief(value)));
        match key {
            _ if ANNOTATIONS.contains(&key) => Ok(()),
            "$ref" => {
                let pointer = arg.as_str().and_then(|text| text.strip_prefix('#'));
                let target = pointer.and_then(|pointer| self.root.pointer(pointer));
                self.check(target.ok_or(format!("{arg} leads nowhere"))?, value)
            }
            "type" if !list().is_empty() => {
                if list().iter().any(|one| is(one, value)) {
                    Ok(())
                } else {
                    refuse("wanted")
                }
            }
            "type" if !is(arg, value) => refuse("wanted"),
            "enum" if !list().contains(value) => refuse("wanted one of"),
            "const" if arg != value => refuse("wanted"),
            "oneOf" if list().iter().filter(fits).count() != 1 => {
                let why: Vec<String> =
                    list().iter().filter_map(|one| self.check(one, value).err()).collect();
                Err(format!(": wanted one of several, but {}", why.join("; ")))
            }
            "anyOf" if !list().iter().any(|one| fits(&one)) => refuse("wanted any of"),
            "allOf" => list().iter().try_for_each(|one| self.check(one, value)),
            "not" if fits(&arg) => refuse("wanted nothing like"),
            "minimum" if value.as_f64() < arg.as_f64() && value.is_number() => refuse("at least"),
            "maximum" if value.as_f64() > arg.as_f64() && value.is_number() => refuse("at most"),
            "type" | "enum" | "const" | "oneOf" | "anyOf" | "not" | "minimum" | "maximum" => Ok(()),
            "properties" | "required" | "additionalProperties" => match value {
                Value::Object(object) => self.object(all, key, arg, object),
                _ => Ok(()),
            },
            "items" | "prefixItems" | "minItems" | "maxItems" | "uniqueItems" => match value {
                Value::Array(items) => self.array(all, key, arg, items),
                _ => Ok(()),
            },
            _ => Err(format!("the keyword `{key}` is not known")),
        }
    }

    fn object(
        &self,
        all: &Map<String, Value>,
        key: &str,
        arg: &Value,
        object: &Map<String, Value>,
    ) -> Result<(), String> {
        let known = |name: &String| {
            all.get("properties").is_some_and(|properties| properties.get(name).is_some())
        };
        match key {
            "required" => {
                let names = arg.as_array().into_iter().flatten().filter_map(Value::as_str);
                match names.into_iter().find(|name| !object.contains_key(*name)) {
                    Some(name) => Err(format!(": `{name}` is missing")),
                    None => Ok(()),
                }
            }
            "properties" => object.iter().try_for_each(|(name, value)| match arg.get(name) {
                Some(schema) => self.check(schema, value).map_err(|why| format!("/{name}{why}")),
                None => Ok(()),
            }),
            _ => object.iter().filter(|(name, _)| !known(name)).try_for_each(|(name, v)| {
                self.check(arg, v).map_err(|why| format!("/{name}: {why}"))
            }),
        }
    }

    fn array(
        &self,
        all: &Map<String, Value>,
        key: &str,
        arg: &Value,
        items: &[Value],
    ) -> Result<(), String> {
        let number = items.len() as u64;
        let first = all.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
        let at = |i: usize| move |why: String| format!("/{i}{why}");
        match key {
            "minItems" if Some(number) < arg.as_u64() => Err(format!(": fewer than {arg} items")),
            "maxItems" if Some(number) > arg.as_u64() => Err(format!(": more than {arg} items")),
            "uniqueItems" if arg == &Value::Bool(true) => {
                let twice = (1..items.len()).find(|&i| items[..i].contains(&items[i]));
                twice.map_or(Ok(()), |i| Err(format!("/{i}: it is there twice")))
            }
            "items" => {
                (first..items.len()).try_for_each(|i| self.check(arg, &items[i]).map_err(at(i)))
            }
            "prefixItems" => arg
                .as_array()
                .into_iter()
                .flatten()
                .zip(items)
                .enumerate()
                .try_for_each(|(i, (schema, item))| self.check(schema, item).map_err(at(i))),
            _ => Ok(()),
        }
    }
}

fn is(kind: &Value, value: &Value) -> bool {
    match kind.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        Some("number") => value.is_number(),
        Some("integer") => {
            value.is_u64() || value.is_i64() || value.as_f64().is_some_and(|x| x.fract() == 0.0)
        }
        _ => false,
    }
}

fn brief(value: &Value) -> String {
    value.to_string().chars().take(80).collect()
}
