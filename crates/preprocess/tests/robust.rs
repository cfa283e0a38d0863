//! No input may cause a panic, a hang or a flood.

mod common;

use std::fmt::Write;
use std::time::{Duration, Instant};

use common::{run, run_with};
use everypath_preprocess::{Limits, Options};

/// Runs a text that must be refused with this code.
fn refused(text: &str, code: &str) {
    let start = Instant::now();
    let run = run(text);
    assert_eq!(run.codes(), [code]);
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn doubling_macros() {
    let mut text = String::from("#define A0 x\n#define E0\n");
    for i in 0..60 {
        let _ = writeln!(text, "#define A{} A{i} A{i}\n#define E{} E{i} E{i}", i + 1, i + 1);
    }
    refused(&format!("{text}A60\n"), "EP1117");
    refused(&format!("{text}E60\n"), "EP1117");
    refused(&format!("{text}#if A60\n#endif\n"), "EP1117");
}

#[test]
fn doubling_arguments() {
    let nested = |name: &str, inner: &str| format!("{}{inner}{}", name.repeat(60), ")".repeat(60));
    refused(&format!("#define D(x) x x\n{}\n", nested("D(", "a")), "EP1117");
    let paste = "#define P(x) x##x\n#define X(x) P(x)\n";
    refused(&format!("{paste}{}\n", nested("X(", "a")), "EP1117");
    let string = "#define S(x) #x\n#define X(x) S(x)\n";
    refused(&format!("{string}{}\n", nested("X(", "\"\\\\\"")), "EP1117");
}

#[test]
fn deep_nesting() {
    let calls =
        |depth: usize| format!("#define f(x) x\n{}1{}\n", "f(".repeat(depth), ")".repeat(depth));
    assert_eq!(run(&calls(390)).text(), "1");
    refused(&calls(1000), "EP1118");
    refused(&format!("#if {}1\n#endif\n", "(".repeat(100_000)), "EP1118");
    assert_eq!(run(&format!("#if {}1\nx\n#endif\n", "!".repeat(100_000))).text(), "x");
    assert_eq!(run(&"#if 1\n".repeat(100_000)).errors(), 20);
}

#[test]
fn small_output_limit() {
    let limits = Limits { output_bytes: 1000, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let run = run_with(&"abc ".repeat(1000), &options, &[]);
    assert_eq!(run.codes(), ["EP1117"]);
    assert!(run.output.text.len() < 1100);
}

#[test]
fn includes_that_double() {
    let text = "#if __INCLUDE_LEVEL__ < 30\n#include \"a.h\"\n#include \"a.h\"\n#endif\n";
    let limits = Limits { total_work: 1_000_000, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let run = run_with(text, &options, &[("a.h", text)]);
    assert_eq!(run.codes(), ["EP1117"]);
}

#[test]
fn long_inputs_take_linear_time() {
    let mut chain = String::from("#define A0 x\n");
    for i in 0..50_000 {
        let _ = writeln!(chain, "#define A{} A{i} y", i + 1);
    }
    let texts = [
        "a = b + c; /* d */ do :: x -> y od\n".repeat(100_000),
        "#define f(x,y) (x+y)\n".to_string() + &"f(a, b[2]) + f(1, 2)\n".repeat(50_000),
        chain + "A50000\n",
        "a\\\n".repeat(500_000),
        "#define f(x) x f\nf".to_string() + &"(1)".repeat(300_000),
        "#define f(x) x\n".to_string() + &"f\n".repeat(300_000),
        format!("/*{}", "*x".repeat(1_000_000)),
        "'\n".repeat(500_000),
    ];
    for text in &texts {
        let start = Instant::now();
        run(text);
        let seconds = start.elapsed().as_secs_f64();
        assert!(seconds < 10.0, "{seconds} s for {:?}", text.get(..40));
    }
}

/// Xorshift.
fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 20) as usize
}

#[test]
fn random_bytes() {
    const PARTS: &[&str] = &[
        "#",
        "##",
        "define ",
        "undef ",
        "if ",
        "ifdef ",
        "elif ",
        "else",
        "endif",
        "include ",
        "line ",
        "error ",
        "pragma ",
        "A",
        "f",
        "f(",
        "x)",
        "(",
        ")",
        ",",
        "...",
        "__VA_ARGS__",
        "defined ",
        "\n",
        "\n",
        "\n#",
        "\n#",
        "\\\n",
        "\\ \n",
        "\r",
        "\r\n",
        "/*",
        "*/",
        "//",
        "\"",
        "'",
        " ",
        " ",
        "\t",
        "\0",
        "\u{e9}",
        "\u{fffd}",
        "\u{1f600}",
        "\u{feff}",
        "0",
        "1",
        "0..N",
        "1e+",
        "<",
        ">",
        "<a.h>",
        "\"a.h\"",
        "__LINE__",
        "__COUNTER__",
        "_Pragma",
        "__FILE__",
        "%:",
        "%:%:",
        "=",
        "/",
        "?",
        ":",
        "&&",
        "||",
        "-",
        "~",
        "!",
        "L'",
        "u8\"",
        "\\x",
        "__has_include",
        "once",
    ];
    let mut state = 0x1234_5678_9abc_def1;
    let limits = Limits { call_tokens: 20_000, total_work: 100_000, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let start = Instant::now();
    let mut rounds = 0;
    while start.elapsed() < Duration::from_secs(3) {
        for _ in 0..100 {
            let mut texts = [String::new(), String::new()];
            for text in &mut texts {
                if next(&mut state).is_multiple_of(2) {
                    text.push_str("#define A f(A\n#define f(x,...) x A #x __VA_ARGS__##x\n");
                }
                for _ in 0..next(&mut state) % 60 {
                    match next(&mut state) % 16 {
                        0 => {
                            let code = next(&mut state) as u32 % 0x300;
                            text.push(char::from_u32(code).unwrap_or(' '));
                        }
                        _ => text.push_str(PARTS[next(&mut state) % PARTS.len()]),
                    }
                }
            }
            let run = run_with(&texts[0], &options, &[("a.h", &texts[1])]);
            let (output, map) = (&run.output.text, &run.output.map);
            for offset in 0..=output.len() {
                let span = map.span(offset, (offset + 1).min(output.len()));
                assert!(span.start <= span.end, "{texts:?}");
                assert!(span.end as usize <= run.sources.file(span.file).text.len(), "{texts:?}");
                if let Some(span) = map.in_macro(offset) {
                    assert!(span.end as usize <= run.sources.file(span.file).text.len());
                }
            }
            for diagnostic in &run.output.diagnostics {
                let span = diagnostic.primary.as_ref().expect("a place").span;
                assert!(span.start <= span.end, "{texts:?}: {diagnostic:?}");
                assert!(
                    span.end as usize <= run.sources.file(span.file).text.len(),
                    "{texts:?}: {diagnostic:?}"
                );
            }
            rounds += 1;
        }
    }
    println!("{rounds} random texts");
}
