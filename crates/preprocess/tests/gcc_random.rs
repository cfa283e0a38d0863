//! Random sources, full of macros, next to gcc.

mod common;
mod gcc_common;

use gcc_common::{compare_batch, have_gcc};

/// Xorshift.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 16) as usize % bound
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len())]
    }
}

const OBJECTS: &[&str] = &["A", "B", "C", "D", "E"];
const FUNCTIONS: &[&str] = &["F", "G", "H", "J", "K"];
const PLAIN: &[&str] = &[
    "x",
    "y",
    "foo",
    "0",
    "1",
    "42",
    "0..N",
    "1.",
    ".5",
    "1e",
    "0x1p",
    "+",
    "-",
    "++",
    "--",
    "<",
    ">",
    "<=",
    ">>",
    "<<",
    "=",
    "==",
    "!",
    "!!",
    "?",
    "??",
    "::",
    ":",
    "..",
    ".",
    "...",
    "->",
    "<->",
    "&",
    "&&",
    "|",
    "||",
    "*",
    "/",
    "%",
    "^",
    "~",
    "#",
    "@",
    "`",
    "\\",
    "[",
    "]",
    "{",
    "}",
    ";",
    "\"s\"",
    "\"a\\\"b\"",
    "'c'",
    "'\\''",
    "L",
    "u8",
    "L\"w\"",
    "<:",
    ":>",
    "%:",
    "<%",
    "%>",
    "__LINE__",
    "q??<x>",
    "do",
    "$d",
    "=",
    "-",
    "+",
    ".",
    ":",
];
const SPACES: &[&str] = &["", "", "", " ", " ", " ", "  ", "\t", "/**/", "/* c */", " /* ' */ "];

/// Writes one source.
struct Writer {
    random: Random,
    text: String,
}

impl Writer {
    fn space(&mut self, lines: bool) {
        let roll = self.random.below(40);
        match roll {
            0 => self.text.push_str("\\\n"),
            1 => self.text.push_str(" \\\n "),
            2 => self.text.push_str("/* a\n b */"),
            3 if lines => self.text.push('\n'),
            4 if lines => self.text.push_str(" \n  "),
            _ => {
                let space = self.random.pick(SPACES);
                self.text.push_str(space);
            }
        }
    }

    fn call(&mut self, depth: usize, lines: bool) {
        let name = self.random.pick(FUNCTIONS);
        self.text.push_str(name);
        self.space(lines);
        if self.random.chance(12) {
            return;
        }
        self.text.push('(');
        let usual = match name {
            "F" => 1,
            "G" | "K" => 2,
            "J" => 0,
            _ => self.random.below(4),
        };
        let count = if self.random.chance(4) { self.random.below(4) } else { usual };
        for index in 0..count {
            if index > 0 {
                self.text.push(',');
            }
            self.space(lines);
            let length = self.random.below(4);
            self.tokens(length, depth + 1, &[], lines);
            self.space(lines);
        }
        self.text.push(')');
    }

    fn tokens(&mut self, count: usize, depth: usize, parameters: &[&str], lines: bool) {
        for _ in 0..count {
            match self.random.below(20) {
                0..4 => {
                    let name = self.random.pick(OBJECTS);
                    self.text.push_str(name);
                }
                4..9 if depth < 4 => self.call(depth, lines),
                9 if depth < 4 => {
                    self.text.push('(');
                    let length = self.random.below(3);
                    self.tokens(length, depth + 1, parameters, lines);
                    self.text.push(')');
                }
                10..14 if !parameters.is_empty() => {
                    let name = self.random.pick(parameters);
                    self.text.push_str(name);
                }
                14 if depth < 2 => self.text.push(','),
                15 => {
                    let name = self.random.pick(FUNCTIONS);
                    self.text.push_str(name);
                }
                _ => {
                    let token = self.random.pick(PLAIN);
                    if lines && matches!(token, "#" | "%:") {
                        // Not a directive, please.
                        self.text.push('x');
                    }
                    self.text.push_str(token);
                }
            }
            self.space(lines);
        }
    }

    fn body(&mut self, parameters: &[&str]) {
        let count = self.random.below(6);
        for index in 0..count {
            if index > 0 && self.random.chance(12) {
                self.text.push_str("##");
                self.space(false);
            }
            if !parameters.is_empty() && self.random.chance(10) {
                self.text.push('#');
                let name = self.random.pick(parameters);
                self.text.push_str(name);
            } else if !parameters.is_empty() && self.random.chance(40) {
                let name = self.random.pick(parameters);
                self.text.push_str(name);
            } else {
                self.tokens(1, 1, parameters, false);
            }
            self.space(false);
        }
        self.text.push('\n');
    }

    fn define(&mut self, name: &str) {
        self.text.push_str("#define ");
        self.text.push_str(name);
        let parameters: &[&str] = match name {
            "F" => &["p"],
            "G" => &["p", "q"],
            "H" => &["__VA_ARGS__"],
            "K" => match self.random.below(2) {
                0 => &["p", "__VA_ARGS__"],
                _ => &["p", "rest"],
            },
            _ => &[],
        };
        let list = match (name, parameters.last()) {
            ("F", _) => "(p)",
            ("G", _) => "(p, q)",
            ("H", _) => "(...)",
            ("J", _) => "()",
            ("K", Some(&"rest")) => "(p, rest...)",
            ("K", _) => "(p,...)",
            _ => "",
        };
        self.text.push_str(list);
        self.text.push(' ');
        self.body(parameters);
    }

    fn case(&mut self) {
        for name in OBJECTS.iter().chain(FUNCTIONS) {
            self.text.push_str("#undef ");
            self.text.push_str(name);
            self.text.push('\n');
        }
        for name in OBJECTS.iter().chain(FUNCTIONS) {
            if self.random.chance(70) {
                self.define(name);
            }
        }
        for _ in 0..=self.random.below(4) {
            if self.random.chance(15) {
                let name = self.random.pick(OBJECTS);
                let test = match self.random.below(4) {
                    0 => format!("#ifdef {name}\n"),
                    1 => format!("#ifndef {name}\n"),
                    2 => format!("#if defined({name}) && !defined F\n"),
                    _ => "#if 0\n".to_string(),
                };
                self.text.push_str(&test);
                let length = self.random.below(5);
                self.tokens(length, 0, &[], true);
                self.text.push_str("\n#else\n");
                let length = self.random.below(5);
                self.tokens(length, 0, &[], true);
                self.text.push_str("\n#endif\n");
            } else {
                let length = self.random.below(8);
                self.tokens(length, 0, &[], true);
                self.text.push('\n');
            }
        }
        self.text.push_str(") ) )\n");
    }
}

#[test]
fn random_sources() {
    if !have_gcc() {
        return;
    }
    let batches =
        std::env::var("EVERYPATH_BATCHES").ok().and_then(|n| n.parse().ok()).unwrap_or(20);
    let seed = std::env::var("EVERYPATH_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut cases = 0;
    for batch in 0..batches {
        let random = Random(0x9e37_79b9_7f4a_7c15 ^ ((seed * 1_000_003 + batch + 1) << 8));
        let mut writer = Writer { random, text: String::new() };
        for _ in 0..5 {
            writer.random.next();
        }
        let mut starts = Vec::new();
        for _ in 0..200 {
            starts.push(writer.text.len());
            writer.case();
            cases += 1;
        }
        compare_batch(&format!("random{batch}"), &writer.text, &starts);
    }
    println!("{cases} random sources agree");
}

/// Every two tokens that a macro brings together.
#[test]
fn all_pairs() {
    if !have_gcc() {
        return;
    }
    let mut text = String::from("#define I(x) x\n#define E\n");
    let mut starts = Vec::new();
    for a in PLAIN {
        for b in PLAIN {
            if *a == "\\" && *b == "\\" {
                continue;
            }
            starts.push(text.len());
            text.push_str(&format!("I({a})I({b}) I({a}){b};{a} E {b}\n"));
        }
    }
    compare_batch("pairs", &text, &starts);
}
