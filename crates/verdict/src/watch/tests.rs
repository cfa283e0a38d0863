//! Cases by hand, and random expressions against a second evaluator.

use everypath_model::{Rng, Value};

use super::{EvalError, Watch};
use crate::Values;

fn state() -> Values {
    let text = r#"{
        "n": 3, "done": false, "state": "IDLE", "next": 0, "Inc[0].tmp": 7, "Inc[1].tmp": -1,
        "a[0]": 5, "a[1]": 6, "a[2]": 7, "s.f": 4, "s.g[0]": 1, "s.g[1]": 2,
        "q": ["REQ", "ACK"], "pairs": [["REQ", 1], ["ACK", 2]], "none": [], "i": 1, "big": 18446744073709551615
    }"#;
    serde_json::from_str(text).unwrap()
}

fn show(text: &str) -> String {
    match Watch::parse(text) {
        Ok(watch) => match watch.value(&state()) {
            Ok(value) => value.to_string(),
            Err(error) => format!("error: {error}"),
        },
        Err(error) => format!("unreadable: {error}"),
    }
}

#[test]
fn expressions_have_these_values() {
    for (text, value) in [
        ("n", "3"),
        (" n + 2 * 3 ", "9"),
        ("(n + 2) * 3", "15"),
        ("10 - 3 - 2", "5"),
        ("-n % 2", "-1"),
        ("7 / 2", "3"),
        ("!done && n == 3", "true"),
        ("done == 0", "true"),
        ("done || n", "true"),
        ("1 < 2 == true", "true"),
        ("n >= 3", "true"),
        ("Inc[0].tmp", "7"),
        ("Inc[i].tmp < 0", "true"),
        ("a[i + 1]", "7"),
        ("a", "[5, 6, 7]"),
        ("len(a)", "3"),
        ("s.f + s.g[1]", "6"),
        ("s.g", "[1, 2]"),
        ("q[0]", "REQ"),
        ("q[0] == REQ", "true"),
        ("ACK != q[0]", "true"),
        ("q == [REQ, ACK]", "true"),
        ("q == []", "false"),
        ("pairs[1][1]", "2"),
        ("pairs[0] == [REQ, 1]", "true"),
        ("len(q) == 2 && !empty(q)", "true"),
        ("empty(none)", "true"),
        ("state == IDLE", "true"),
        ("state == BUSY", "false"),
        ("state == 'IDLE'", "true"),
        ("state == 0", "false"),
        ("next == IDLE", "false"),
        // The right side is not looked at.
        ("true || nobody", "true"),
        ("false && 1 / 0", "false"),
    ] {
        assert_eq!(show(text), value, "{text}");
    }
}

#[test]
fn what_has_no_value_says_why() {
    for (text, message) in [
        ("dome", "error: unknown name `dome`: did you mean `done`?"),
        ("tmp", "error: unknown name `tmp`: did you mean `Inc[0].tmp`?"),
        ("n == nobody", "error: unknown name `nobody`"),
        ("nobody == noone", "error: unknown name `nobody`"),
        ("a[3]", "error: there is no `a[3]`: `a` ends at 2"),
        ("a[-1]", "error: there is no `a[-1]`: `a` ends at 2"),
        ("none[0]", "error: `none` is empty: there is no `none[0]`"),
        ("n[0]", "error: `n` is 3, which has no elements"),
        ("n / 0", "error: division by zero"),
        ("n % (i - 1)", "error: division by zero"),
        ("state + 1", "error: the word `IDLE` is no number"),
        ("q < 1", "error: the list [REQ, ACK] is no number"),
        ("!q", "error: the list [REQ, ACK] is neither true nor false"),
        ("len(n)", "error: `3` has no length: it is no list"),
        ("9223372036854775807 + 1", "error: the result needs more than 64 bits"),
        ("(-9223372036854775807 - 1) / -1", "error: the result needs more than 64 bits"),
        ("-(-9223372036854775807 - 1)", "error: the result needs more than 64 bits"),
        ("big + 1", "error: the word `18446744073709551615` is no number"),
        (
            "",
            "unreadable: expected a name, a number or `(`, but the expression ends (at character 1)",
        ),
        (
            "n +",
            "unreadable: expected a name, a number or `(`, but the expression ends (at character 4)",
        ),
        ("(n", "unreadable: expected `)`, but the expression ends (at character 3)"),
        ("n = 3", "unreadable: `=` changes a value; write `==` to compare (at character 3)"),
        ("n & 3", "unreadable: write `&&` (at character 3)"),
        ("n 3", "unreadable: expected an operator, found `3` (at character 3)"),
        ("a[1", "unreadable: expected `]`, but the expression ends (at character 4)"),
        ("s.1", "unreadable: expected the name of a field, found `1` (at character 3)"),
        ("12abc", "unreadable: `12abc` is no number (at character 1)"),
        (
            "99999999999999999999",
            "unreadable: `99999999999999999999` is no number (at character 1)",
        ),
        ("'abc", "unreadable: the quote is not closed (at character 1)"),
        ("foo(1)", "unreadable: unknown function `foo`: there are len and empty (at character 1)"),
        (
            "full(q)",
            "unreadable: how much a channel can hold is not part of a state; compare len(..) (at character 1)",
        ),
        ("ü + €", "unreadable: expected a name, a number or `(`, found `€` (at character 6)"),
    ] {
        assert_eq!(show(text), message, "{text}");
    }
    let error = Watch::parse("n + * 2").unwrap_err().located("n + * 2");
    assert_eq!(error, "expected a name, a number or `(`, found `*`\n  n + * 2\n      ^");
}

#[test]
fn deep_and_long_expressions_are_refused() {
    for text in [
        "(".repeat(100_000),
        "!".repeat(100_000),
        "-".repeat(100_000),
        "[".repeat(100_000),
        "a[".repeat(100_000),
        "len(".repeat(100_000),
        format!("1{}", " + 1".repeat(100_000)),
        format!("1{}", " - -1".repeat(100_000)),
    ] {
        let error = Watch::parse(&text).unwrap_err();
        assert_eq!(error.message, "the expression is too deep");
    }
    let fine = format!("{}n{}", "(".repeat(150), ")".repeat(150));
    assert_eq!(show(&fine), "3");
}

#[test]
fn a_list_of_pairs_is_a_scope_too() {
    let values = [("n".to_owned(), Value::Int(2)), ("q".to_owned(), Value::List(Vec::new()))];
    let watch = Watch::parse("n == 2 && empty(q)").unwrap();
    assert_eq!(watch.truth(&values[..]), Ok(true));
    let unknown = Watch::parse("m").unwrap().truth(&values[..]).unwrap_err();
    assert_eq!(unknown, EvalError::Unknown { name: "m".to_owned(), similar: None });
}

/// A second, independent reading of expressions over numbers: a tree with its value beside it.
struct Twin {
    text: String,
    /// How strongly the outermost operator binds; names and numbers most.
    binds: u8,
    /// `None` where there is no value.
    value: Option<Number>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Number {
    Int(i128),
    Bool(bool),
}

impl Number {
    fn int(self) -> i128 {
        match self {
            Number::Int(number) => number,
            Number::Bool(truth) => i128::from(truth),
        }
    }

    fn text(self) -> String {
        match self {
            Number::Int(number) => number.to_string(),
            Number::Bool(truth) => truth.to_string(),
        }
    }
}

fn fits(number: i128) -> Option<Number> {
    (i128::from(i64::MIN)..=i128::from(i64::MAX)).contains(&number).then_some(Number::Int(number))
}

fn inside(twin: &Twin, least: u8, rng: &mut Rng) -> String {
    if twin.binds < least || rng.chance(10) {
        format!("({})", twin.text)
    } else {
        twin.text.clone()
    }
}

fn random(rng: &mut Rng, depth: usize) -> Twin {
    if depth == 0 || rng.chance(15) {
        let (text, number) = *rng.pick(&[
            ("n", Number::Int(3)),
            ("done", Number::Bool(false)),
            ("a[1]", Number::Int(6)),
            ("Inc[1].tmp", Number::Int(-1)),
            ("len(q)", Number::Int(2)),
            ("true", Number::Bool(true)),
            ("0", Number::Int(0)),
            ("2", Number::Int(2)),
            ("4611686018427387904", Number::Int(1 << 62)),
        ]);
        return Twin { text: text.to_owned(), binds: 9, value: Some(number) };
    }
    if rng.chance(20) {
        let inner = random(rng, depth - 1);
        let (sign, value) = if rng.chance(50) {
            ("!", inner.value.map(|v| Number::Bool(v.int() == 0)))
        } else {
            ("-", inner.value.and_then(|v| fits(-v.int())))
        };
        return Twin { text: format!("{sign}{}", inside(&inner, 8, rng)), binds: 8, value };
    }
    let (left, right) = (random(rng, depth - 1), random(rng, depth - 1));
    let (spelling, binds) = *rng.pick(&[
        ("||", 1),
        ("&&", 2),
        ("==", 3),
        ("!=", 3),
        ("<", 4),
        ("<=", 4),
        (">", 4),
        (">=", 4),
        ("+", 5),
        ("-", 5),
        ("*", 6),
        ("/", 6),
        ("%", 6),
    ]);
    let value = left.value.and_then(|l| {
        let lazy = match spelling {
            "||" if l.int() != 0 => Some(Number::Bool(true)),
            "&&" if l.int() == 0 => Some(Number::Bool(false)),
            _ => None,
        };
        if lazy.is_some() {
            return lazy;
        }
        let (l, r) = (l.int(), right.value?.int());
        match spelling {
            "||" | "&&" => Some(Number::Bool(r != 0)),
            "==" => Some(Number::Bool(l == r)),
            "!=" => Some(Number::Bool(l != r)),
            "<" => Some(Number::Bool(l < r)),
            "<=" => Some(Number::Bool(l <= r)),
            ">" => Some(Number::Bool(l > r)),
            ">=" => Some(Number::Bool(l >= r)),
            "+" => fits(l + r),
            "-" => fits(l - r),
            "*" => fits(l.checked_mul(r)?),
            "/" if r != 0 => fits(l / r),
            // The remainder of the smallest number by -1 is not defined in 64 bits either.
            "%" if r != 0 => fits(l / r).and(fits(l % r)),
            _ => None,
        }
    });
    let blank = if rng.chance(80) { " " } else { "" };
    let text = format!(
        "{}{blank}{spelling}{blank}{}",
        inside(&left, binds, rng),
        inside(&right, binds + 1, rng)
    );
    Twin { text, binds, value }
}

#[test]
fn random_expressions_agree_with_the_twin() {
    let scope = state();
    let mut valued = 0;
    for seed in 0..20_000 {
        let mut rng = Rng::new(seed);
        let depth = 1 + rng.below(6);
        let twin = random(&mut rng, depth);
        let watch = Watch::parse(&twin.text).unwrap_or_else(|e| panic!("{}: {e}", twin.text));
        let value = watch.value(&scope).ok().map(|value| value.to_string());
        assert_eq!(value, twin.value.map(Number::text), "{}", twin.text);
        valued += usize::from(value.is_some());
    }
    assert!(valued > 10_000, "only {valued} expressions have a value");
}

#[test]
fn random_text_is_read_or_refused() {
    let pieces =
        ["(", ")", "[", "]", "n", "a", ".", "1", "-", "!", "==", "&&", ",", "'", " ", "len", "é"];
    for seed in 0..20_000 {
        let mut rng = Rng::new(seed);
        let text: String = (0..rng.below(14)).map(|_| *rng.pick(&pieces)).collect();
        match Watch::parse(&text) {
            Ok(watch) => drop(watch.value(&state())),
            Err(error) => assert!(!error.located(&text).is_empty() && error.at.end <= text.len()),
        }
    }
}
