//! Random models: two or three processes with rendezvous, variables and labels.

use everypath_model::Rng;

/// The rules for events that are no labels and no messages.
pub const RULES: &str = "assign x = 1 => xOne\nassign m = up => mUp\n";

/// The events that there may be in a model.
pub fn events(text: &str) -> Vec<String> {
    let mut events: Vec<String> =
        ["xOne", "mUp", "c", "c.up", "c.down", "d", "d.1", "r.0", "r.1", "q", "q.0"]
            .map(str::to_owned)
            .to_vec();
    let mut proctype = "";
    for line in text.lines() {
        if let Some(rest) = line.split("proctype ").nth(1) {
            proctype = rest.split('(').next().unwrap_or("");
        }
        if let Some(label) = line.trim().split(':').next().filter(|word| word.starts_with('L')) {
            events.push(format!("{proctype}.{label}"));
        }
    }
    events
}

/// A model.
pub fn model(rng: &mut Rng) -> String {
    let mut text = String::from(
        "mtype = { up, down };\nbit x;\nbool b = true;\nbyte n = 1;\nmtype m;\nbit a[2];\n\
         typedef T { bit f = 1; byte g[2] };\nT t;\nchan s = [2] of { byte };\n\
         inline turn(v) {\n  v = !v;\n  b = !b\n}\n\
         chan c = [0] of { mtype };\nchan d = [0] of { byte, bit };\nchan r[2] = [0] of { bit };\n\
         chan q = [1] of { bit };\n",
    );
    let mut maker = Maker { rng, labels: 0 };
    let count = 2 + maker.rng.below(2);
    for (index, name) in ["A", "B"].into_iter().enumerate().take(count.min(2)) {
        let many = if index == 1 && maker.rng.chance(20) { " [2]" } else { "" };
        text +=
            &format!("active{many} proctype {name}() {{\n  byte i; bit l; byte k = {};\n", index);
        maker.body(&mut text, 3, 1);
        text += "}\n";
    }
    if count == 3 {
        text += "proctype D(bit p; chan e) {\n  byte i; bit l; byte k = p;\n";
        maker.body(&mut text, 2, 1);
        text += "  if\n  :: p == 1 -> e!p\n  :: p == 0 -> e?l\n  :: skip\n  fi\n}\n";
        text += "init {\n  byte i; bit l;\n";
        text += match maker.rng.below(6) {
            0 => "  run D(1, r[0]); run D(0, r[0])\n",
            1 => "  atomic { run D(1, r[1]); run D(0, r[1]) };\n  b = false\n",
            2 => "  for (i : 0 .. 1) { run D(i, r[0]) }\n",
            3 => "  do\n  :: run D(1, r[0]); run D(0, r[0]); break\n  :: b -> break\n  od\n",
            4 => "  l = 1; if :: x -> l = 0 :: true fi; run D(l, r[0]); run D(!l, r[l])\n",
            _ => {
                "  i = 0; do :: i < 2 -> run D(i, r[0]); i++ :: n == 3 -> break :: else -> break od\n"
            }
        };
        text += "}\n";
    }
    text
}

/// Statements that can always be executed.
const QUICK: [&str; 26] = [
    "x = 1",
    "x = 0",
    "x = !x",
    "x = b",
    "b = !b",
    "b = (x && a[0])",
    "n = 2",
    "n++",
    "m = up",
    "m = down",
    "a[0] = 1",
    "a[k] = 1",
    "a[i] = x",
    "l = x",
    "l = 1 - l",
    "i = 1",
    "i = 0",
    "k = 1 - k",
    "skip",
    "t.f = x",
    "t.g[i] = 1",
    "t.g[1] = t.f",
    "x = t.f",
    "turn(l)",
    "turn(t.f)",
    "b = (_pid == 0)",
];

/// Statements that may have to wait.
const SLOW: [&str; 36] = [
    "(x)",
    "(!x || b)",
    "(n == 2 || !b)",
    "(m != up)",
    "(m == down || n < 3)",
    "(a[1] == x)",
    "(l == 0 || b)",
    "c!up",
    "c!down",
    "c!m",
    "c?up",
    "c?down",
    "c?m",
    "c?_",
    "d!1,x",
    "d!n,1",
    "d?n,x",
    "d?1,l",
    "d?eval(n),_",
    "r[0]!1",
    "r[k]!l",
    "r[i]?x",
    "r[0]?l",
    "q!x",
    "q?l",
    "q?<l>",
    "q??1",
    "s!n",
    "s?n",
    "s??eval(n)",
    "s!!1",
    "(t.f == 1)",
    "(t.g[0] > 0 || t.g[1] == x)",
    "(_pid == 1)",
    "nempty(q)",
    "timeout",
];

struct Maker<'a> {
    rng: &'a mut Rng,
    labels: usize,
}

impl Maker<'_> {
    fn body(&mut self, text: &mut String, most: usize, depth: usize) {
        for index in 0..1 + self.rng.below(most) {
            // A block does not begin with a label.
            self.statement(text, depth, index > 0);
        }
    }

    fn statement(&mut self, text: &mut String, depth: usize, labelled: bool) {
        let pad = "  ".repeat(depth);
        let label = match labelled && self.rng.chance(50) {
            true => {
                self.labels += 1;
                format!("L{}: ", self.labels)
            }
            false => String::new(),
        };
        if depth < 4 && self.rng.chance(40) {
            return self.compound(text, depth);
        }
        if self.rng.chance(60) {
            let quick = self.pick(&QUICK);
            // The statements of an inline stand elsewhere.
            let label = if quick.starts_with("turn") { "" } else { &label };
            *text += &format!("{pad}{label}{quick};\n");
            return;
        }
        // Most of what may wait for ever can be passed over.
        let slow = self.pick(&SLOW);
        *text += &match (self.rng.below(5), label.is_empty()) {
            (0, _) => format!("{pad}{label}{slow};\n"),
            (1, _) | (_, true) => format!("{pad}if\n{pad}:: {slow}\n{pad}:: skip\n{pad}fi;\n"),
            _ => format!("{pad}if\n{pad}:: skip;\n{pad}  {label}{slow}\n{pad}:: skip\n{pad}fi;\n"),
        };
    }

    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.rng.below(from.len())]
    }

    fn guard(&mut self) -> &'static str {
        const GUARDS: [&str; 16] = [
            "x",
            "!x",
            "b && !x",
            "n == 1",
            "n != 1",
            "m == up",
            "true",
            "a[0] || l",
            "c?up",
            "d!2,0",
            "k == 1",
            "x == b",
            "t.f",
            "t.g[0] == 1 && !t.f",
            "_pid == 0",
            "full(q)",
        ];
        self.pick(&GUARDS)
    }

    fn compound(&mut self, text: &mut String, depth: usize) {
        let pad = "  ".repeat(depth);
        match self.rng.below(9) {
            0 | 1 => {
                *text += &format!("{pad}if\n");
                for _ in 0..2 {
                    let guard = self.guard();
                    *text += &format!("{pad}:: {guard} ->\n");
                    self.body(text, 2, depth + 1);
                }
                if self.rng.chance(60) {
                    *text += &format!("{pad}:: else ->\n");
                    self.body(text, 1, depth + 1);
                }
                *text += &format!("{pad}fi;\n");
            }
            2 | 3 => {
                *text += &format!("{pad}do\n");
                let guard = self.guard();
                *text += &format!("{pad}:: {guard} ->\n");
                self.body(text, 2, depth + 1);
                let way = self.pick(&["break", "x -> break", "else -> break", "l = 1; break"]);
                *text += &format!("{pad}:: {way}\n{pad}od;\n");
            }
            4 => {
                *text += &format!("{pad}atomic {{\n");
                self.body(text, 3, depth + 1);
                *text += &format!("{pad}}};\n");
            }
            5 => {
                let inside = self.pick(&[
                    "n = 1; b = x; n = n + 1",
                    "if :: x -> n = 1 :: else -> n = 2 fi; b = !b",
                    "b = !b; t.f = !t.f; t.g[0] = n",
                ]);
                *text += &format!("{pad}d_step {{ {inside} }};\n");
            }
            6 => {
                let escape = self.guard();
                *text += &format!("{pad}{{\n");
                self.body(text, 2, depth + 1);
                *text += &format!("{pad}}} unless {{\n{pad}  {escape};\n{pad}}};\n");
            }
            7 => {
                *text += &format!("{pad}for (i : 0 .. 1) {{\n");
                self.body(text, 2, depth + 1);
                *text += &format!("{pad}}};\n");
            }
            _ => {
                *text += &format!("{pad}select (i : 0 .. 1);\n");
                let simple = self.pick(&QUICK);
                *text += &format!(
                    "{pad}if\n{pad}:: i == 0 -> goto G{}\n{pad}:: else\n{pad}fi;\n",
                    self.labels
                );
                *text += &format!("{pad}{simple};\n{pad}G{}: skip;\n", self.labels);
                self.labels += 1;
            }
        }
    }
}
