//! Hostile input: an answer without a panic, in little time and memory.

mod support;

use std::time::{Duration, Instant};

/// Reads a text; its only purpose is to come back.
fn survives(text: &str) -> bool {
    let (_, parsed) = support::read(text);
    let errors = parsed.diagnostics.iter().filter(|d| d.is_error()).count();
    assert!(errors <= 20, "{errors} errors");
    assert_eq!(parsed.model.is_none(), errors > 0);
    parsed.model.is_some()
}

fn first_error(text: &str) -> String {
    let (_, parsed) = support::read(text);
    parsed.diagnostics.iter().find(|d| d.is_error()).map_or("none", |d| d.code).to_string()
}

#[test]
fn deep_nesting_is_an_error() {
    let deep = |open: &str, middle: &str, close: &str| {
        format!("{}{middle}{}", open.repeat(100_000), close.repeat(100_000))
    };
    let body =
        |inner: String| format!("byte x, a[2]; chan q = [1] of {{byte}}; init {{ {inner} }}");
    for text in [
        body(format!("x = {}", deep("(", "1", ")"))),
        body(format!("x = {}", deep("1 + (", "1", ")"))),
        body(format!("x = {}", deep("(1 -> 1 : ", "1", ")"))),
        body(format!("x = {}", deep("- ", "1", ""))),
        body(format!("x = {}", deep("a[", "1", "]"))),
        body(format!("q?{}", deep("1(", "1", ")"))),
        body(deep("{ ", "skip", " }")),
        body(deep("atomic { ", "skip", " }")),
        body(deep("if :: ", "skip", " fi")),
        body(deep("x unless { ", "skip", " }")),
        body(format!("x = {}", deep("1 + ", "1", ""))),
        format!("byte a[{}]; init {{ skip }}", deep("(", "1", ")")),
        format!("byte x; init {{ skip }} ltl p {{ {} }}", deep("[] ", "x", "")),
    ] {
        assert_eq!(first_error(&text), "EP1204", "{}", &text[..90]);
    }
}

#[test]
fn moderate_nesting_is_fine() {
    let parens = format!("{}1{}", "(".repeat(240), ")".repeat(240));
    assert!(survives(&format!("byte x; init {{ x = {parens} }}")));
    let blocks = format!("{}skip{}", "{ ".repeat(240), " }".repeat(240));
    assert!(survives(&format!("init {{ {blocks} }}")));
    let sum = "1 + ".repeat(900);
    assert!(survives(&format!("byte x; init {{ x = {sum}1 }}")));
}

#[test]
fn inline_bombs_are_errors() {
    let chain = |levels: usize, body: fn(usize) -> String| {
        let mut text = "byte x; inline f0(a) { a = 1 }\n".to_string();
        for i in 0..levels {
            text += &format!("inline f{}(a) {{ {} }}\n", i + 1, body(i));
        }
        text + &format!("init {{ f{levels}(x) }}")
    };
    let once = |i: usize| format!("f{i}(a)");
    assert!(survives(&chain(31, once)));
    assert_eq!(first_error(&chain(32, once)), "EP1211");
    assert_eq!(first_error(&chain(31, |i| format!("f{i}(a); f{i}(a)"))), "EP1211");
    survives(&chain(31, |i| format!("f{i}(a + a + a + a)")));
}

#[test]
fn large_input_takes_linear_time() {
    let many = |count: usize, item: fn(usize) -> String| (0..count).map(item).collect::<String>();
    let start = Instant::now();
    let count = 30_000;
    survives(&format!("byte x; init {{ {} skip }}", many(count, |_| "x = x + 1;\n".into())));
    survives(&format!("{} init {{ skip }}", many(count, |i| format!("byte v{i};\n"))));
    survives(&format!("init {{ {} skip }}", many(count, |i| format!("byte v{i};\n"))));
    survives(&format!("init {{ {} L: skip }}", many(count, |_| "{ skip; goto L };\n".into())));
    survives(&format!("init {{ {} goto L }}", many(count, |_| "{ skip; L: skip };\n".into())));
    survives(&format!("mtype = {{ {} }}; init {{ skip }}", many(count, |i| format!("m{i} "))));
    let fields = many(count, |i| format!("byte v{i};\n"));
    let uses = many(count, |i| format!("t.v{i} = 1;\n"));
    survives(&format!("typedef T {{ {fields} }} T t; init {{ {uses} skip }}"));
    survives(&many(count, |_| "c_code { ".into()));
    survives(&many(count, |_| "init { if :: ".into()));
    survives(&many(count, |_| "/* \" ' @ $ ".into()));
    survives(&many(count, |i| format!("typedef T{} {{ T{i} a; T{i} b }}\n", i + 1)));
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

/// A small generator of random numbers (xorshift), so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// Words, numbers, signs and spaces.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = if word(first) {
            rest.find(|c: char| !word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (piece, after) = rest.split_at(length);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

#[test]
fn mutated_models_do_not_panic() {
    let mut samples: Vec<&str> = support::sections(include_str!("data/snippets.txt"))
        .into_iter()
        .map(|(_, text)| text)
        .collect();
    let trees = include_str!("data/trees.txt");
    samples.extend(
        support::sections(trees)
            .into_iter()
            .map(|(_, text)| text.split_once("\n=>").map_or(text, |(input, _)| input)),
    );
    let all: Vec<&str> = samples.iter().flat_map(|s| pieces(s)).collect();
    let mut random = Random(0x5eed_1234_5678_9abc);
    let start = Instant::now();
    let mut runs = 0;
    while start.elapsed() < Duration::from_secs(4) {
        let mut parts = pieces(samples[random.below(samples.len())]);
        for _ in 0..=random.below(4) {
            let (i, j) = (random.below(parts.len()), random.below(parts.len()));
            match random.below(6) {
                0 if !parts.is_empty() => drop(parts.remove(i)),
                1 if !parts.is_empty() => parts.insert(j, parts[i]),
                2 if !parts.is_empty() => parts.swap(i, j),
                3 => parts.insert(i, all[random.below(all.len())]),
                4 => parts.truncate(i),
                _ => parts.insert(i, ["\n", "\"", "'", "\\", "é", "{", "}", "(", "[]"][j % 9]),
            }
        }
        let mut text = parts.concat();
        if random.below(4) == 0 && !text.is_empty() {
            let mut bytes = text.into_bytes();
            let i = random.below(bytes.len());
            bytes[i] = random.below(256) as u8;
            text = String::from_utf8_lossy(&bytes).into_owned();
        }
        let result = std::panic::catch_unwind(|| support::read(&text));
        assert!(result.is_ok(), "panic on:\n{text}");
        runs += 1;
    }
    assert!(runs > 100, "only {runs} runs");
}
