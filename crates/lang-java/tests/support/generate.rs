//! Random Java programs that end: arithmetic, arrays, objects, strings, exceptions, lambdas and calls.
//!
//! A program prints what it computes and every exception it meets, so that two virtual machines that
//! disagree anywhere print different texts. Fuel that every loop and call uses up makes it end.

use std::fmt::Write;

/// A small generator of numbers; the same seed gives the same program for ever.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn one_of<'a>(&mut self, options: &[&'a str]) -> &'a str {
        options[self.below(options.len())]
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Int,
    Long,
    Double,
    Bool,
    Text,
}

impl Type {
    const ALL: [Type; 5] = [Type::Int, Type::Long, Type::Double, Type::Bool, Type::Text];

    fn name(self) -> &'static str {
        match self {
            Type::Int => "int",
            Type::Long => "long",
            Type::Double => "double",
            Type::Bool => "boolean",
            Type::Text => "String",
        }
    }

    fn letter(self) -> char {
        match self {
            Type::Int => 'i',
            Type::Long => 'l',
            Type::Double => 'd',
            Type::Bool => 'z',
            Type::Text => 's',
        }
    }
}

/// Methods `m0` to `m3`; each one calls later ones only.
const METHODS: usize = 4;
/// Variables of each type in every method.
const VARIABLES: usize = 2;
const INTS: [&str; 12] = [
    "0",
    "1",
    "-1",
    "2",
    "7",
    "31",
    "255",
    "65536",
    "-128",
    "1000003",
    "Integer.MAX_VALUE",
    "Integer.MIN_VALUE",
];
const LONGS: [&str; 7] =
    ["0L", "1L", "-3L", "1L << 33", "123456789012L", "Long.MAX_VALUE", "Long.MIN_VALUE"];
const DOUBLES: [&str; 9] = [
    "0.0",
    "-0.0",
    "1.5",
    "0.1",
    "-2.75",
    "1e10",
    "1e-7",
    "Double.NaN",
    "Double.POSITIVE_INFINITY",
];
const TEXTS: [&str; 6] = ["\"\"", "\"a\"", "\"xyz\"", "\"12\"", "\"\\u00e9\\u4e2d\"", "\"Hello\""];

struct Writer {
    dice: Dice,
    out: String,
    indent: usize,
    method: usize,
    loops: usize,
}

/// The source of the class `name`.
pub fn program(name: &str, seed: u64) -> String {
    let mut writer =
        Writer { dice: Dice(seed), out: String::new(), indent: 0, method: 0, loops: 0 };
    writer.class(name);
    writer.out
}

impl Writer {
    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn open(&mut self, text: &str) {
        self.line(&format!("{text} {{"));
        self.indent += 1;
    }

    fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    fn class(&mut self, name: &str) {
        self.open(&format!("class {name}"));
        for line in [
            "interface Op { int apply(int a, int b); }",
            "static class Node {",
            "    int v; Node next;",
            "    Node(int v, Node next) { this.v = v; this.next = next; }",
            "    int sum() { int s = 0; for (Node n = this; n != null; n = n.next) s += n.v; return s; }",
            "}",
            "static class Odd extends Node {",
            "    Odd(int v, Node next) { super(v | 1, next); }",
            "    @Override int sum() { return 31 * super.sum() + v; }",
            "}",
            "static int fuel = 400;",
            "static int si; static long sl = 1; static double sd; static boolean sz; static String ss = \"\";",
            "static int[] sa = new int[5]; static Node list = new Node(1, null);",
            "static String clip(String s) { return s == null || s.length() <= 40 ? s : s.substring(s.length() - 40); }",
        ] {
            self.line(line);
        }
        for method in (0..METHODS).rev() {
            self.method = method;
            self.loops = 0;
            self.open(&format!("static int m{method}(int i0, long l0, String s0)"));
            self.line("if (--fuel < 0) return i0;");
            self.variables(&[Type::Int, Type::Long, Type::Text]);
            for _ in 0..3 + self.dice.below(3) {
                match self.dice.below(4) {
                    0 => self.statement(2),
                    _ => self.attempt(2),
                }
            }
            let result = self.expression(Type::Int, 2);
            self.line(&format!("return {result};"));
            self.close();
        }
        self.open("public static void main(String[] args)");
        self.open("try");
        self.line("System.out.println(m0(args.length + 3, 5L, \"main\"));");
        self.close();
        self.open("catch (RuntimeException e)");
        self.line("System.out.println(e);");
        self.open("for (StackTraceElement f : e.getStackTrace())");
        self.line("System.out.println(f);");
        self.line("if (f.getMethodName().equals(\"main\")) break;");
        self.close();
        self.close();
        self.line("System.out.println(si + \" \" + sl + \" \" + sd + \" \" + sz + \" \" + ss + \" \" + java.util.Arrays.toString(sa));");
        self.line("System.out.println(list == null ? \"no list\" : list.sum() + \" \" + list.getClass().getName());");
        self.close();
        self.close();
    }

    /// Declares the variables that are not parameters.
    fn variables(&mut self, parameters: &[Type]) {
        for of in Type::ALL {
            for index in usize::from(parameters.contains(&of))..VARIABLES {
                let value = self.constant(of);
                self.line(&format!("{} {}{index} = {value};", of.name(), of.letter()));
            }
        }
        self.line("int[] a = {3, 1, 4, 1, 5};");
        self.line("Node n = list;");
        self.line("Object o = null;");
        let body =
            self.dice.one_of(&["x + y * 3", "x ^ y", "x / (y | 2)", "x - k", "Math.max(x, y)"]);
        self.line("int k = i0;");
        self.line(&format!("Op op = (x, y) -> {body};"));
    }

    fn constant(&mut self, of: Type) -> String {
        match of {
            Type::Int => self.dice.one_of(&INTS),
            Type::Long => self.dice.one_of(&LONGS),
            Type::Double => self.dice.one_of(&DOUBLES),
            Type::Bool => self.dice.one_of(&["true", "false"]),
            Type::Text => self.dice.one_of(&TEXTS),
        }
        .to_string()
    }

    fn variable(&mut self, of: Type) -> String {
        if self.dice.below(5) == 0 {
            return format!("s{}", of.letter());
        }
        format!("{}{}", of.letter(), self.dice.below(VARIABLES))
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..1 + self.dice.below(2) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        let of = Type::ALL[self.dice.below(Type::ALL.len())];
        let simple = depth == 0;
        match self.dice.below(if simple { 8 } else { 15 }) {
            0 | 1 => {
                let (target, value) = (self.variable(of), self.expression(of, 2));
                self.line(&if of == Type::Text {
                    format!("{target} = clip({value});")
                } else {
                    format!("{target} = {value};")
                });
            }
            2 => {
                let (target, value) = (self.variable(Type::Int), self.expression(Type::Int, 1));
                let operator =
                    self.dice.one_of(&["+", "-", "*", "^", "|", "&", "<<", ">>", ">>>", "%"]);
                self.line(&format!("{target} {operator}= {value};"));
            }
            3 => {
                let (index, value) = (self.index(), self.expression(Type::Int, 2));
                let array = self.dice.one_of(&["a", "sa"]);
                let operator = self.dice.one_of(&["=", "+=", "^=", "="]);
                self.line(&format!("{array}[{index}] {operator} {value};"));
            }
            4 => {
                let value = self.expression(of, 2);
                self.line(&format!("System.out.println({value});"));
            }
            5 => {
                let value = self.expression(Type::Int, 1);
                let class = self.dice.one_of(&["Node", "Odd"]);
                let under = self.dice.one_of(&["list", "n", "null"]);
                let target = self.dice.one_of(&["list", "n"]);
                self.line(&format!("{target} = new {class}({value}, {under});"));
            }
            6 => {
                let text = self.dice.one_of(&[
                    "o = n;",
                    "o = s0;",
                    "o = a;",
                    "o = i0;",
                    "n = (Node) o;",
                    "n.v++;",
                    "if (list.next != null) list = list.next;",
                    "if (o instanceof Odd odd) n = odd.next;",
                ]);
                self.line(text);
            }
            7 => {
                let (target, value) = (self.variable(Type::Text), self.expression(of, 1));
                self.line(&format!("{target} = clip({target} + {value});"));
            }
            8 | 9 => {
                let condition = self.expression(Type::Bool, 2);
                self.open(&format!("if ({condition})"));
                self.block(depth - 1);
                self.close();
                if self.dice.below(2) == 0 {
                    self.open("else");
                    self.block(depth - 1);
                    self.close();
                }
            }
            10 => {
                let (name, bound) = (format!("c{}", self.loops), 2 + self.dice.below(5));
                self.loops += 1;
                self.open(&format!(
                    "for (int {name} = 0; {name} < {bound} && --fuel > 0; {name}++)"
                ));
                self.block(depth - 1);
                if self.dice.below(3) == 0 {
                    let condition = self.expression(Type::Bool, 1);
                    let jump = self.dice.one_of(&["break", "continue"]);
                    self.line(&format!("if ({condition}) {jump};"));
                }
                self.line(&format!("i1 += {name};"));
                self.close();
            }
            11 => {
                let selector = self.expression(Type::Int, 1);
                self.open(&format!("switch ({selector} & 3)"));
                for case in 0..3 {
                    self.line(&format!("case {case}:"));
                    self.block(depth - 1);
                    if self.dice.below(3) > 0 {
                        self.line("break;");
                    }
                }
                self.line("default:");
                self.block(depth - 1);
                self.close();
            }
            12 | 13 => self.attempt(depth),
            _ => {
                let selector = self.variable(Type::Text);
                let tail = self.expression(of, 1);
                self.line(&format!("switch (String.valueOf({selector})) {{ case \"a\": i1++; break; case \"xyz\": i1 += 2; default: ss = clip(\"\" + {tail}); }}"));
            }
        }
    }

    fn attempt(&mut self, depth: usize) {
        self.open("try");
        self.block(depth - 1);
        if self.dice.below(3) == 0 {
            let (condition, text) =
                (self.expression(Type::Bool, 1), self.expression(Type::Text, 1));
            self.line(&format!("if ({condition}) throw new IllegalStateException({text});"));
        }
        let target = self.variable(Type::Int);
        let value = self.expression(Type::Int, 3);
        self.line(&format!("{target} = {value};"));
        self.line(&format!("System.out.println(\"{target} \" + {target});"));
        self.close();
        let caught = self.dice.one_of(&[
            "ArithmeticException | ArrayIndexOutOfBoundsException",
            "RuntimeException",
            "RuntimeException",
            "RuntimeException",
            "RuntimeException",
            "RuntimeException",
        ]);
        self.open(&format!("catch ({caught} e)"));
        self.line("System.out.println(e.getMessage());");
        self.line("si += e.getStackTrace()[0].getLineNumber();");
        self.close();
        if self.dice.below(2) == 0 {
            self.open("finally");
            self.statement(0);
            self.close();
        }
    }

    fn index(&mut self) -> String {
        let value = self.expression(Type::Int, 1);
        match self.dice.below(4) {
            0 => self.dice.below(6).to_string(),
            1 if self.dice.below(3) == 0 => value,
            _ => format!("Math.floorMod({value}, 5)"),
        }
    }

    fn expression(&mut self, of: Type, depth: usize) -> String {
        if depth == 0 {
            return if self.dice.below(3) == 0 {
                format!("({})", self.constant(of))
            } else {
                self.variable(of)
            };
        }
        let mut text = String::new();
        match of {
            Type::Int => self.int(depth - 1, &mut text),
            Type::Long => {
                let (x, y) = (
                    self.expression(Type::Long, depth - 1),
                    self.expression(Type::Long, depth - 1),
                );
                let (i, d) = (
                    self.expression(Type::Int, depth - 1),
                    self.expression(Type::Double, depth - 1),
                );
                let _ = match self.dice.below(8) {
                    0 => write!(text, "(long) ({d})"),
                    1 => write!(text, "({x} {} {i})", self.dice.one_of(&["<<", ">>", ">>>"])),
                    2 => write!(text, "((long) {i} * {i})"),
                    3 => write!(text, "Long.hashCode({x}) + Long.bitCount({y})"),
                    4 => write!(text, "({x} {} ({y} | 1))", self.dice.one_of(&["/", "%"])),
                    _ => write!(
                        text,
                        "({x} {} {y})",
                        self.dice.one_of(&["+", "-", "*", "&", "|", "^"])
                    ),
                };
            }
            Type::Double => {
                let (x, y) = (
                    self.expression(Type::Double, depth - 1),
                    self.expression(Type::Double, depth - 1),
                );
                let (i, l) =
                    (self.expression(Type::Int, depth - 1), self.expression(Type::Long, depth - 1));
                let _ = match self.dice.below(7) {
                    0 => write!(text, "(double) ({l})"),
                    1 => write!(text, "(float) ({x})"),
                    2 => write!(
                        text,
                        "Math.{}({x})",
                        self.dice.one_of(&["abs", "floor", "ceil", "rint", "sqrt", "signum"])
                    ),
                    3 => write!(text, "({i} / 4.0)"),
                    _ => write!(text, "({x} {} {y})", self.dice.one_of(&["+", "-", "*", "/", "%"])),
                };
            }
            Type::Bool => {
                let compared = [Type::Int, Type::Long, Type::Double][self.dice.below(3)];
                let (x, y) =
                    (self.expression(compared, depth - 1), self.expression(compared, depth - 1));
                let (p, q) = (
                    self.expression(Type::Bool, depth - 1),
                    self.expression(Type::Bool, depth - 1),
                );
                let s = self.expression(Type::Text, depth - 1);
                let _ = match self.dice.below(7) {
                    0 => {
                        write!(text, "({p} {} {q})", self.dice.one_of(&["&&", "||", "^", "&", "|"]))
                    }
                    1 => write!(text, "!({p})"),
                    2 => write!(text, "s1.equals({s})"),
                    3 => write!(
                        text,
                        "(o instanceof {})",
                        self.dice.one_of(&["Node", "Odd", "String", "int[]", "Comparable"])
                    ),
                    _ => write!(
                        text,
                        "({x} {} {y})",
                        self.dice.one_of(&["<", "<=", ">", ">=", "==", "!="])
                    ),
                };
            }
            Type::Text => {
                let any = Type::ALL[self.dice.below(Type::ALL.len())];
                let (s, v) =
                    (self.expression(Type::Text, depth - 1), self.expression(any, depth - 1));
                let i = self.expression(Type::Int, depth - 1);
                let _ = match self.dice.below(9) {
                    0 => write!(text, "String.valueOf({v})"),
                    1 => write!(text, "({s} + {v} + {i})"),
                    2 => write!(text, "({s} + \"tail\").substring(Math.floorMod({i}, 5))"),
                    3 => write!(text, "new StringBuilder({s}).append({v}).reverse().toString()"),
                    4 => write!(
                        text,
                        "{s}.{}()",
                        self.dice.one_of(&["toUpperCase", "trim", "toLowerCase", "toString"])
                    ),
                    5 => write!(text, "{s}.replace('a', (char) ({i} & 127 | 64))"),
                    6 => write!(text, "Integer.toHexString({i})"),
                    _ => write!(text, "({s} + {v})"),
                };
            }
        }
        text
    }

    fn int(&mut self, depth: usize, text: &mut String) {
        let (x, y) = (self.expression(Type::Int, depth), self.expression(Type::Int, depth));
        let (l, d) = (self.expression(Type::Long, depth), self.expression(Type::Double, depth));
        let (s, z) = (self.expression(Type::Text, depth), self.expression(Type::Bool, depth));
        let _ = match self.dice.below(19) {
            0 => write!(text, "(int) ({l})"),
            1 => write!(text, "(int) ({d})"),
            2 => write!(text, "({})({x})", self.dice.one_of(&["byte", "short", "char"])),
            3 => write!(text, "({z} ? {x} : {y})"),
            4 => {
                let index = self.index();
                write!(text, "{}[{index}]", self.dice.one_of(&["a", "sa"]))
            }
            5 => write!(text, "{s}.length()"),
            6 => write!(text, "{s}.hashCode()"),
            7 => write!(
                text,
                "({s} + {}).charAt({})",
                self.dice.one_of(&["\"\"", "\"four\"", "\"four\""]),
                self.dice.below(4)
            ),
            8 => write!(text, "op.apply({x}, {y})"),
            9 if self.method + 1 < METHODS => {
                let callee = self.method + 1 + self.dice.below(METHODS - self.method - 1);
                write!(text, "m{callee}({x}, {l}, {s})")
            }
            10 => write!(text, "{}.sum()", self.dice.one_of(&["list", "n", "new Odd(5, n)"])),
            11 => {
                let variable = self.variable(Type::Int);
                write!(
                    text,
                    "{}",
                    self.dice.one_of(&["V++", "++V", "V--", "-V", "~V"]).replace('V', &variable)
                )
            }
            12 => write!(text, "({x} {} {y})", self.dice.one_of(&["<<", ">>", ">>>"])),
            13 => write!(text, "({x} {} ({y} | 1))", self.dice.one_of(&["/", "%"])),
            14 => write!(text, "({x} {} {y})", self.dice.one_of(&["/", "%"])),
            _ => write!(text, "({x} {} {y})", self.dice.one_of(&["+", "-", "*", "&", "|", "^"])),
        };
    }
}
