//! Random models whose processes are busy with variables of their own: values that die, values that
//! never change, variables that nothing depends on, and branches that are never taken.

use std::fmt::Write as _;

use everypath_model::Rng;

/// The model of a seed.
pub fn private_model(seed: u64) -> String {
    let mut writer = Writer { rng: Rng::new(seed ^ 0x10ca1), text: String::new(), labels: 0 };
    writer.model();
    writer.text
}

struct Writer {
    rng: Rng,
    text: String,
    labels: u32,
}

/// Locals that are used, in every proctype.
const LOCALS: [&str; 5] = ["a", "b", "c", "flag", "arr[i]"];

impl Writer {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{:depth$}{text}", "", depth = depth * 4);
    }

    fn model(&mut self) {
        self.line(0, "byte g, h, limit = 3, zero, written; int useless; short far = -7;");
        self.line(0, "byte table[3] = 2; bool on = true;");
        let buffered = self.rng.chance(60);
        let capacity = if buffered { self.rng.range(1, 2) } else { 0 };
        self.line(0, &format!("chan q = [{capacity}] of {{ byte, byte }};"));
        let remote = self.rng.chance(15);
        let count = if self.rng.chance(25) { 2 } else { 1 };
        for index in 0..count {
            self.proctype(index, index == 0, remote);
        }
        self.partner(remote);
        self.line(0, "init {");
        let same = self.rng.chance(60);
        self.line(1, "atomic {");
        let instances = if self.rng.chance(40) { 2 } else { 1 };
        for k in 0..instances {
            let extra = if same { 4 } else { 4 + k };
            self.line(2, &format!("run P0({extra}, {k});"));
        }
        if count > 1 {
            self.line(2, "run P1(1, 2);");
        }
        self.line(1, "}");
        self.line(0, "}");
    }

    /// Somebody who keeps the channel and the globals going.
    fn partner(&mut self, remote: bool) {
        self.line(0, "active proctype Partner() {");
        self.line(1, "byte x, y, turns;");
        self.line(1, "do");
        self.line(1, ":: turns < 2 -> turns++; g = (g + 1) % 3; x = turns; y = x");
        self.line(1, ":: q?x,y -> h = x % 2");
        if self.rng.chance(50) {
            self.line(1, ":: turns < 1 -> turns++; q!turns,3");
        }
        if self.rng.chance(20) {
            self.line(1, ":: turns < 2 -> turns++; if :: q!1,1 :: else -> h = 1 fi");
        }
        if remote {
            self.line(1, ":: P0:a == 2 -> turns = 2; assert(h < 2)");
        }
        self.line(1, ":: turns == 2 -> break");
        self.line(1, "od");
        self.line(0, "}");
    }

    fn proctype(&mut self, index: i32, first: bool, remote: bool) {
        self.line(0, &format!("proctype P{index}(byte par; byte own) {{"));
        self.line(1, "byte a, b, c, i, idle, dead; bool flag; byte arr[3]; int sink;");
        let statements = self.rng.range(3, 6);
        for _ in 0..statements {
            self.statement(1, 2);
        }
        if remote && first {
            self.line(1, "a = 2; b = 0;");
        }
        self.line(1, "assert(b < 200);");
        self.line(0, "}");
    }

    fn local(&mut self) -> String {
        (*self.rng.pick(&LOCALS)).to_owned()
    }

    fn value(&mut self) -> String {
        match self.rng.below(11) {
            0 => self.rng.range(0, 3).to_string(),
            1 => "par".into(),
            2 => "own".into(),
            3 => "limit".into(),
            4 => "g".into(),
            5 => "table[i]".into(),
            6 => format!("({} + 1) % 4", self.local()),
            7 => "_pid % 2".into(),
            8 => format!("({} > 1 -> {} : 2)", self.local(), self.local()),
            _ => self.local(),
        }
    }

    fn condition(&mut self) -> String {
        let (left, right) = (self.local(), self.value());
        match self.rng.below(8) {
            0 => format!("{left} < {right}"),
            1 => format!("{left} == {right}"),
            2 => "flag".into(),
            3 => format!("{left} != {right} && {left} < 9"),
            4 => "zero == 1".into(),
            5 => "on".into(),
            6 => "limit > 3".into(),
            _ => format!("{left} >= {right}"),
        }
    }

    fn statement(&mut self, depth: usize, nested: u32) {
        match self.rng.weighted(&[22, 6, 5, 5, 8, 7, 8, 5, 5, 3, 4, 3, 3, 3]) {
            0 => {
                let (to, value) = (self.local(), self.value());
                self.line(depth, &format!("{to} = {value};"));
            }
            1 => {
                let value = self.value();
                let to = *self.rng.pick(&["idle", "useless", "sink", "written"]);
                self.line(depth, &format!("{to} = {to} + {value};"));
            }
            2 => {
                let value = self.value();
                self.line(depth, &format!("dead = {value}; sink = dead; dead = 1;"));
            }
            3 => self.line(depth, "i = (i + 1) % 3;"),
            4 => {
                let value = self.value();
                let what = *self.rng.pick(&["g", "h", "limit", "on"]);
                let value = match what {
                    "limit" => "3".to_owned(),
                    "on" => "1".to_owned(),
                    _ => format!("{value} % 3"),
                };
                self.line(depth, &format!("{what} = {value};"));
            }
            5 => {
                let (a, b) = (self.value(), self.local());
                self.line(depth, &format!("if :: q!{a},{b} :: skip fi;"));
            }
            6 => self.choice(depth, nested),
            7 => self.counting(depth, nested),
            8 => {
                let (a, b) = (self.local(), self.local());
                self.line(depth, &format!("if :: q?{a},{b} :: g > 0 fi;"));
            }
            9 => {
                let condition = self.condition();
                self.line(depth, &format!("assert({condition} || h < 3);"));
            }
            10 => {
                let kind = *self.rng.pick(&["atomic", "d_step"]);
                let (a, b, value) = (self.local(), self.local(), self.value());
                self.line(depth, &format!("{kind} {{ {a} = {value}; {b} = {a}; a = 1 }};"));
            }
            11 => {
                let value = self.local();
                self.line(depth, &format!("printf(\"%d\\n\", {value});"));
            }
            12 => {
                // May fail.
                let at = *self.rng.pick(&["c % 4", "own", "b"]);
                self.line(depth, &format!("arr[{at}] = 1;"));
            }
            _ => {
                self.labels += 1;
                let label = self.labels;
                let condition = self.condition();
                self.line(depth, &format!("if :: {condition} -> goto L{label} :: else fi;"));
                self.statement(depth, 0);
                self.line(depth, &format!("L{label}: skip;"));
            }
        }
    }

    fn choice(&mut self, depth: usize, nested: u32) {
        self.line(depth, "if");
        let ways = self.rng.range(1, 2);
        for _ in 0..ways {
            let condition = self.condition();
            self.line(depth, &format!(":: {condition} ->"));
            self.inner(depth + 1, nested);
        }
        if self.rng.chance(80) {
            self.line(depth, ":: else ->");
            self.inner(depth + 1, nested);
        }
        self.line(depth, "fi;");
    }

    fn counting(&mut self, depth: usize, nested: u32) {
        if nested == 0 {
            return self.line(depth, "c = 2; c = c + 1;");
        }
        self.line(depth, "i = 0;");
        self.line(depth, "do");
        self.line(depth, ":: i < 2 ->");
        self.inner(depth + 1, 0);
        self.line(depth + 1, "i++");
        self.line(depth, ":: else -> break");
        self.line(depth, "od;");
    }

    fn inner(&mut self, depth: usize, nested: u32) {
        let count = self.rng.range(1, 2);
        for _ in 0..count {
            if nested > 0 {
                self.statement(depth, nested - 1);
            } else {
                let (to, value) = (*self.rng.pick(&["a", "b", "idle"]), self.value());
                self.line(depth, &format!("{to} = {value};"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_model_for_ever() {
        assert_eq!(private_model(7), private_model(7));
        assert_ne!(private_model(7), private_model(8));
    }
}
