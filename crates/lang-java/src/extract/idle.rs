//! Events of rules about something that the program has, though no place that is reached makes them.

use everypath_flow::{Binding, Site, What};

use super::body::is_library;
use super::points::{NULL, OPAQUE, Points, method_names, simple};
use crate::link::Class;

/// What the program has for a rule to be about: places that do it, with their names.
struct Things<'a> {
    binding: &'a Binding,
    /// Events that something fits, whatever object and thread it is.
    found: Vec<String>,
}

impl Things<'_> {
    fn add(&mut self, what: What, names: &[String], objects: &[&str], threads: &[String]) {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let rules = self.binding.rules.iter().filter(|rule| rule.what == what);
        for rule in rules.filter(|rule| rule.names_one_of(&names)) {
            // With the names that there are, one of each at least has to fit.
            let any = |rule: &everypath_flow::Rule| {
                let binding = Binding { rules: vec![rule.clone()], calls: Vec::new() };
                let value = rule.value.as_deref();
                let objects = objects.iter().map(|object| Some(*object)).chain([None]);
                let mut sites =
                    objects.flat_map(|object| threads.iter().map(move |thread| (object, thread)));
                sites.any(|(object, thread)| {
                    let site = Site { what, names: &names, object, value, thread };
                    !binding.events(&site).is_empty()
                })
            };
            if any(rule) {
                self.found.push(rule.event.clone());
            }
        }
        if what == What::Call {
            let called = self.binding.calls.iter().filter(|call| {
                let on = |object: &&str| {
                    let method = call.strip_prefix(*object).and_then(|rest| rest.strip_prefix('.'));
                    method.is_some_and(|method| names.contains(&method))
                };
                names.contains(&call.as_str()) || objects.iter().any(on)
            });
            self.found.extend(called.cloned());
        }
    }
}

/// Finds them.
pub(super) fn events(points: &Points<'_>, binding: &Binding, threads: &[String]) -> Vec<String> {
    let registry = &points.program.vm.registry;
    let named = |class: Option<&Class>| -> Vec<&str> {
        let objects = points.objects.iter().skip(OPAQUE as usize + 1);
        objects
            .filter(|object| !object.many)
            .filter(|object| class.is_none_or(|class| object.class.is_subtype_of(class)))
            .map(|object| object.name.as_str())
            .collect()
    };
    let mut things = Things { binding, found: Vec::new() };
    let mut classes: Vec<&'static Class> = Vec::new();
    let of_objects = points.objects.iter().skip(NULL as usize + 1).map(|object| object.class);
    let of_methods = points.contexts.iter().map(|context| context.method.class);
    for class in of_objects.chain(of_methods) {
        for &id in &class.supertypes {
            let class = registry.class_of(id);
            if !classes.iter().any(|known| known.id == class.id) {
                classes.push(class);
            }
        }
    }
    // Those that nothing is made of have to be asked for by their names.
    let rules = binding.rules.iter().map(|rule| &rule.name);
    for name in rules.chain(&binding.calls) {
        let Some((class, _)) = name.rsplit_once('.') else { continue };
        let inside = format!("{}${class}", points.program.main.class.name);
        for name in [class.replace('.', "/"), inside, class.replace('.', "$")] {
            let plain = name.chars().all(|c| c.is_alphanumeric() || "/$_".contains(c));
            if let (true, Ok(class)) = (plain, registry.class(&name))
                && !classes.iter().any(|known| known.id == class.id)
            {
                classes.push(class);
            }
        }
    }
    for class in classes {
        let objects = named(Some(class));
        for method in &class.linked().methods {
            let names = method_names(registry, method, Some(class));
            for what in [What::Call, What::Enter, What::Exit, What::Return] {
                things.add(what, &names, &objects, threads);
            }
            if let (false, Ok(code)) = (is_library(class), method.code()) {
                let file = class.file.as_ref().and_then(|file| file.source_file()).unwrap_or("");
                for (_, line) in &code.lines {
                    things.add(What::At, &[format!("{file}:{line}")], &[], threads);
                }
            }
        }
        for field in &class.linked().fields {
            let long = format!("{}.{}", simple(class), field.name);
            let mut names = vec![long, field.name.to_string()];
            names.extend(objects.iter().map(|object| format!("{object}.{}", field.name)));
            things.add(What::Assign, &names, &objects, threads);
            things.add(What::Test, &names, &objects, threads);
        }
    }
    let locks: Vec<String> = named(None).into_iter().map(str::to_owned).collect();
    for name in &locks {
        for what in [What::Lock, What::Unlock, What::Wait, What::Notify] {
            things.add(what, std::slice::from_ref(name), &[name], threads);
        }
    }
    for thread in threads {
        things.add(What::Start, std::slice::from_ref(thread), &[thread], threads);
        things.add(What::Join, std::slice::from_ref(thread), &[thread], threads);
    }
    things.found.sort();
    things.found.dedup();
    things.found
}
