//! Random jumps and escapes.

use super::{Generator, Place};

impl Generator {
    pub(super) fn unless(&mut self, place: Place) {
        self.uses("unless");
        let atomic = self.rng.chance(25);
        if atomic {
            self.uses("atomic unless");
        }
        if place.unless {
            self.uses("nested unless");
        }
        if place.atomic {
            self.uses("unless in atomic");
        }
        self.line(if atomic { "atomic {" } else { "{" });
        let inner = Place {
            unless: true,
            no_label: true,
            atomic: place.atomic || atomic,
            ..place.deeper()
        };
        self.in_braces(inner, 3);
        self.line("} unless {");
        self.indent += 1;
        self.open_scope();
        // An else that begins an escape is always true: not here.
        match self.rng.below(5) {
            0 => {
                self.uses("escape selection");
                self.line("if");
                let test = self.comparison();
                self.line(&format!(":: ({test}) ->"));
                self.indent += 1;
                self.assignment();
                self.indent -= 1;
                let test = self.comparison();
                self.line(&format!(":: ({test});"));
                self.line("fi;");
            }
            1 if self.channel(|_| true).is_some() => {
                let (name, chan) = self.channel(|_| true).expect("there is a channel");
                self.uses("escape receive");
                self.receive(&name, &chan);
            }
            _ => self.guard(),
        }
        let escape = Place { unless: true, ..place.later().deeper() };
        self.statements(escape, 2);
        self.close_scope();
        self.indent -= 1;
        self.line("};");
    }

    pub(super) fn goto(&mut self, place: Place) {
        if place.in_loop && !place.first && self.rng.chance(30) {
            self.uses(if place.atomic { "break out of atomic" } else { "break" });
            // Under a condition: what follows should stay reachable.
            self.conditional_jump("break");
            return;
        }
        self.uses("goto");
        if place.atomic {
            self.uses("goto out of atomic");
        }
        // Replaced by a label when all labels of the process are known.
        let mark = if place.atomic { "goto @A@" } else { "goto @L@" };
        if place.first {
            self.assignment();
            self.line(&format!("{mark};"));
        } else if self.rng.chance(80) {
            self.conditional_jump(mark);
        } else {
            self.line(&format!("{mark};"));
        }
    }

    pub(super) fn conditional_jump(&mut self, jump: &str) {
        self.line("if");
        let test = self.condition(1);
        self.line(&format!(":: ({test}) -> {jump};"));
        self.line(":: else;");
        self.line("fi;");
    }

    /// Gives every jump a target: from inside an atomic only out of it, so that no loop is endless.
    pub(super) fn resolve_gotos(&mut self, start: usize) {
        let all: Vec<String> = self.labels.iter().map(|(name, _)| name.clone()).collect();
        let outside: Vec<String> = self
            .labels
            .iter()
            .filter(|(_, atomic)| !atomic)
            .map(|(name, _)| name.clone())
            .collect();
        let tail = self.text.split_off(start);
        let mut before = String::new();
        // Those of atomic sequences that are still to come: a jump there makes no endless loop.
        let mut ahead: Vec<String> = self
            .labels
            .iter()
            .filter(|(_, atomic)| *atomic)
            .map(|(name, _)| name.clone())
            .collect();
        for line in tail.split_inclusive('\n') {
            ahead.retain(|name| line.trim() != format!("{name}:"));
            let onward: Vec<String> = outside.iter().chain(&ahead).cloned().collect();
            let (mark, targets) =
                if line.contains("goto @A@") { ("goto @A@", &onward) } else { ("goto @L@", &all) };
            if !line.contains(mark) {
                self.text.push_str(line);
            } else if targets.is_empty() {
                self.text.push_str(&line.replace(mark, "g0 = 0"));
            } else {
                let target = self.rng.pick(targets).clone();
                // A jump to itself is refused.
                let itself = before == format!("{target}:");
                let jump = if itself { "g0 = 1".to_string() } else { format!("goto {target}") };
                self.text.push_str(&line.replace(mark, &jump));
            }
            before = line.trim().to_string();
        }
    }
}
