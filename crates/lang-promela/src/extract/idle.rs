//! Events of rules about something that the model has, though no place that is reached makes them.

use everypath_flow::What;

use super::Extraction;
use crate::ast::*;

impl Extraction<'_> {
    /// Finds them.
    pub(super) fn idle_events(&self) -> Vec<String> {
        let mut found = Vec::new();
        for rule in &self.binding.rules {
            let names = self.names(rule.what);
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            // A message or an element of a variable has more behind the name.
            let part = |name: &&str| {
                rule.name.strip_prefix(*name).is_some_and(|rest| rest.starts_with('.'))
            };
            let parts = matches!(rule.what, What::Assign | What::Test);
            if rule.names_one_of(&names) || parts && names.iter().any(part) {
                found.push(rule.event.clone());
            }
        }
        let known: Vec<String> =
            [What::Call, What::Send].iter().flat_map(|&what| self.names(what)).collect();
        let label_of = |call: &String| {
            let (process, label) = call.rsplit_once('.').unwrap_or(("", call));
            let instance = self.instances.iter().find(|one| one.name == process);
            instance.is_some_and(|one| {
                let proctype = &self.model.proctypes[one.proctype.index()];
                proctype.labels.iter().any(|known| known.name == label)
            })
        };
        let calls = &self.binding.calls;
        found.extend(calls.iter().filter(|call| known.contains(call) || label_of(call)).cloned());
        found
    }

    /// What a rule may be about that says what happens.
    fn names(&self, what: What) -> Vec<String> {
        let model = self.model;
        let mut names = Vec::new();
        match what {
            What::Call => {
                for proctype in &model.proctypes {
                    for label in &proctype.labels {
                        names.push(label.name.clone());
                        names.push(format!("{}.{}", proctype.name, label.name));
                    }
                }
            }
            What::Send | What::Receive => {
                let constants = model.mtypes.iter().flat_map(|set| set.names.iter().cloned());
                let numbers = 0..=i32::from(u8::MAX);
                let messages: Vec<String> =
                    constants.chain(numbers.map(|number| number.to_string())).collect();
                for channel in self.channels.names() {
                    names.extend(messages.iter().map(|message| format!("{channel}.{message}")));
                    names.push(channel);
                }
            }
            What::Assign | What::Test => {
                for var in &model.vars {
                    names.push(var.name.clone());
                    let Owner::Proctype(owner) = var.owner else { continue };
                    names.push(format!("{}.{}", model.proctypes[owner.index()].name, var.name));
                    let own = self.instances.iter().filter(|one| one.proctype == owner);
                    names.extend(own.map(|one| format!("{}.{}", one.name, var.name)));
                }
            }
            What::Start => {
                names.extend(model.proctypes.iter().map(|proctype| proctype.name.clone()));
                names.extend(self.instances.iter().map(|instance| instance.name.clone()));
            }
            What::At => {
                for (_, file) in self.sources.iter() {
                    let path = &file.path;
                    let short = path.file_name().map(|name| name.to_string_lossy().into_owned());
                    for line in 1..=file.text.lines().count() {
                        names.push(format!("{}:{line}", short.as_deref().unwrap_or("")));
                        names.push(format!("{}:{line}", path.display()));
                    }
                }
            }
            _ => {}
        }
        names
    }
}
