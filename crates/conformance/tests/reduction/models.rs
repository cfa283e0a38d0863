//! Random models in which many steps are independent and a few are not, in all the ways that a
//! reduction may get wrong: elements of arrays, both ends of channels, rendezvous inside sequences,
//! processes and channels that come and go, escapes, timeouts.

use everypath_model::Rng;

/// A model from a seed.
pub fn model(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut writer = Writer { rng: &mut rng, text: String::new(), depth: 0 };
    writer.model();
    writer.text
}

struct Writer<'r> {
    rng: &'r mut Rng,
    text: String,
    depth: u32,
}

impl Writer<'_> {
    fn below(&mut self, n: usize) -> usize {
        self.rng.below(n)
    }

    fn one<'a>(&mut self, all: &[&'a str]) -> &'a str {
        let index = self.below(all.len());
        all[index]
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn model(&mut self) {
        self.line("byte g; byte h; byte m; byte a[3]; bool f;");
        self.line("chan c = [1] of { byte };");
        self.line("chan d = [2] of { byte };");
        self.line("chan r = [0] of { byte };");
        self.line("chan s = [0] of { byte };");
        let made = self.below(3) == 0;
        let count = 2 + self.below(2);
        for i in 0..count {
            let started = made && i > 0;
            let head = match (started, self.below(10)) {
                (true, 0) => format!("proctype P{i}(byte me; chan w) provided (f == 0)"),
                (true, _) => format!("proctype P{i}(byte me; chan w)"),
                (false, 0) => format!("active proctype P{i}() provided (f == 0)"),
                (false, 1) => format!("active [2] proctype P{i}()"),
                (false, 2) => format!("active D_proctype P{i}()"),
                (false, _) => format!("active proctype P{i}()"),
            };
            self.line(&head);
            self.line("{");
            self.line("byte x; byte y = _pid;");
            if !started {
                self.line("byte me = 1;");
                let w = self.one(&[
                    "chan w = [1] of { byte };",
                    "chan w = [0] of { byte };",
                    "chan w = c;",
                ]);
                self.line(w);
            }
            if made && i == 0 {
                for other in 1..count {
                    let (me, w) = (self.below(3), self.one(&["w", "c", "d", "r"]));
                    let line = format!("run P{other}({me}, {w});");
                    self.line(&line);
                    if self.below(3) == 0 {
                        self.statement();
                    }
                }
            }
            let statements = 2 + self.below(4);
            for _ in 0..statements {
                self.statement();
            }
            if self.below(3) == 0 {
                self.line("do");
                let options = 1 + self.below(2);
                for _ in 0..options {
                    self.option();
                }
                self.line(":: break;");
                self.line("od;");
            }
            self.line("L: x = 0;");
            self.line("}");
        }
    }

    fn option(&mut self) {
        self.text.push_str(":: ");
        self.simple();
        if self.below(2) == 0 {
            self.simple();
        }
    }

    /// A statement on a line of its own.
    fn simple(&mut self) {
        let index = self.one(&["0", "1", "me", "_pid % 3", "x % 3", "y % 3", "g % 3"]);
        let other = self.one(&["0", "2", "me", "(_pid + 1) % 3", "x % 3"]);
        let global = self.one(&["g", "h", "m", "f"]);
        let channel = self.one(&["c", "d", "r", "s", "w", "c", "d"]);
        let value = self.one(&["0", "1", "x", "g", "a[me]", "me"]);
        let line = match self.below(26) {
            0 => format!("{global} = ({global} + 1) % 2;"),
            1 => format!("{global} = {value} % 2;"),
            2 => format!("a[{index}] = (a[{index}] + 1) % 2;"),
            3 => format!("a[{index}] == a[{other}];"),
            4 => format!("a[{index}] == 0 && {global} == 0;"),
            5 => format!("{global} == 1;"),
            6 => format!("{global} == 0 || x == 1;"),
            7 => format!("{channel}!{value};"),
            8 => format!("{channel}?x;"),
            9 => format!("{channel}?{};", self.one(&["0", "1", "eval(g)", "eval(me)"])),
            10 => format!("{}?a[{index}];", self.one(&["c", "d", "r"])),
            11 => format!("{}??x;", self.one(&["c", "d"])),
            12 => format!("{}!!{value};", self.one(&["c", "d"])),
            13 => format!(
                "{}({});",
                self.one(&["empty", "full", "nempty", "nfull"]),
                self.one(&["c", "d"])
            ),
            14 => format!("len({}) == 1;", self.one(&["c", "d"])),
            15 => format!("assert({global} == 0);"),
            16 => format!("assert(a[{index}] + {global} < 2);"),
            17 => format!("{}?<x>;", self.one(&["c", "d"])),
            18 => "x = (x + 1) % 2;".to_owned(),
            19 => "y = 2 - y % 3;".to_owned(),
            20 => format!("m == 0; m = {value} % 2;"),
            21 => "d_step { m == 0; m = 1; };".to_owned(),
            22 => "m = 0;".to_owned(),
            23 => "_nr_pr > 2;".to_owned(),
            24 => format!("d?[{}];", self.one(&["0", "1", "_"])),
            _ => "skip;".to_owned(),
        };
        self.line(&line);
    }

    fn statement(&mut self) {
        self.depth += 1;
        match if self.depth > 2 { 99 } else { self.below(22) } {
            0 | 1 => {
                self.line("atomic {");
                for _ in 0..2 + self.below(2) {
                    self.simple();
                }
                self.line("};");
            }
            2 => {
                self.line("if");
                self.option();
                self.option();
                self.line("fi;");
            }
            3 | 8 => {
                self.line("if");
                self.option();
                self.line(":: atomic {");
                self.line("else;");
                self.simple();
                self.line("};");
                self.line("fi;");
            }
            4 => {
                self.line("if");
                self.option();
                self.line(":: timeout;");
                self.line("fi;");
            }
            5 => {
                self.line("{");
                self.simple();
                self.simple();
                self.line("} unless {");
                self.simple();
                self.line("};");
            }
            6 => {
                self.line("d_step {");
                self.simple();
                let global = self.one(&["g", "h"]);
                self.line(&format!("{global} = 1;"));
                self.line("};");
            }
            7 => {
                self.line("atomic {");
                self.line("if");
                self.option();
                self.option();
                self.line("fi;");
                self.simple();
                self.line("};");
            }
            _ => self.simple(),
        }
        self.depth -= 1;
    }
}
