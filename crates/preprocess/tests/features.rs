//! Each feature by example.

mod common;

use std::path::PathBuf;

use common::{clean, run, run_with};
use everypath_model::Severity;
use everypath_preprocess::{CODES, Options};

#[test]
fn text_without_directives_is_kept() {
    assert_eq!(clean("byte x;\n\n  q??<x>, 0..3 <-> a!!b\n"), "byte x;\n\n  q??<x>, 0..3 <-> a!!b");
}

#[test]
fn object_macros() {
    assert_eq!(clean("#define N 3\nx = N;\n"), "x = 3;");
    assert_eq!(clean("#define A B C\n#define B b\n[A]\n"), "[b C]");
    assert_eq!(clean("#define E\na E b E;\n"), "a b ;");
}

#[test]
fn a_number_may_hold_dots_and_names() {
    assert_eq!(clean("#define N 3\n0..N 0 .. N N..N\n"), "0..N 0 .. 3 3 .. 3");
}

#[test]
fn function_macros() {
    assert_eq!(clean("#define max(a,b) ((a)>(b)->(a):(b))\nmax(x, f(1,2))\n"), {
        "((x)>(f(1,2))->(x):(f(1,2)))"
    });
    assert_eq!(clean("#define f(x) <x>\nf f (1) f()\n"), "f <1> <>");
    assert_eq!(clean("#define f() 1\nf() f( )\n"), "1 1");
}

#[test]
fn the_example_of_the_standard() {
    let text = "\
#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };
";
    let expected = "\
f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);
f(2 * (2 +(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))
   ^m(0,1);
int i[] = { 1, 23, 4, 5, };
char c[2][6] = { \"hello\", \"\" };";
    assert_eq!(clean(text), expected);
}

#[test]
fn strings_from_arguments() {
    assert_eq!(clean("#define s(x) #x\ns( a  +\n b \"q\\n\" '\"' )\n"), r#""a + b \"q\\n\" '\"'""#);
    assert_eq!(clean("#define s(x) #x\n#define xs(x) s(x)\n#define A 1\ns(A) xs(A)\n"), {
        "\"A\" \"1\""
    });
}

#[test]
fn pasting() {
    assert_eq!(clean("#define c(a,b) a##b\nc(x,1) c(,y) c(z,) c(,) c(<,<=) c(:,:)\n"), {
        "x1 y z <<= ::"
    });
    let run = run("#define c(a,b) a##b\nc(x,+)\n");
    assert_eq!(run.codes(), ["EP1107"]);
}

#[test]
fn variable_arguments() {
    let text = "\
#define p(f, ...) printf(f, ##__VA_ARGS__)
#define q(a...) [a]
#define r(x, ...) x:__VA_ARGS__
p(\"a\") p(\"b\", 1, 2) p(\"c\",)
q() q(1,2) r(1) r(1,2,3)
";
    assert_eq!(clean(text), "printf(\"a\") printf(\"b\", 1, 2) printf(\"c\",)\n[] [1,2] 1: 1:2,3");
}

#[test]
fn a_macro_never_expands_within_itself() {
    assert_eq!(clean("#define a b\n#define b a\na b\n"), "a b");
    assert_eq!(clean("#define f(x) x f(x)\nf(f(1))\n"), "1 f(1) f(1 f(1))");
}

#[test]
fn macro_bodies_are_one_line_and_calls_keep_theirs() {
    assert_eq!(clean("#define m a; \\\n  b; \\\n  c\nm\nx\n"), "a; b; c\nx");
    assert_eq!(clean("#define f(a,b) a;b\nf(1,\n\n2) x\ny\n"), "1;2\n\n   x\ny");
}

#[test]
fn comments_and_splices() {
    assert_eq!(clean("a/* x */b // c\nd /* e\nf */ g\n"), "a b\nd\n     g");
    assert_eq!(clean("ab\\\ncd // e \\\n f\ng\n"), "abcd\n\n\ng");
    assert_eq!(clean("\"/*\" '//'\n"), "\"/*\" '//'");
}

#[test]
fn carriage_returns_and_form_feeds_are_white_space() {
    assert_eq!(clean("#define A 1\r\nA\x0cb\r\n\x0cc\r\n"), "1 b\n c");
    assert_eq!(clean("a\rb\n"), "a\nb");
    let run = run("a\0b\n");
    assert_eq!((run.text(), run.codes()), ("a b", vec!["EP1156"]));
}

#[test]
fn trigraphs_and_digraphs_stay() {
    assert_eq!(clean("??= ??( ??< <: :>\n"), "??= ??( ??< <: :>");
}

#[test]
fn conditionals() {
    let text = "\
#define A
#ifdef A
1
#else
2
#endif
#ifndef A
3
#elif defined(B) || defined A
4
#elif 1
5
#endif
#if 0
don't
#if 1
6
#endif
#bogus
#else
7
#endif
";
    assert_eq!(clean(text).split_whitespace().collect::<Vec<_>>(), ["1", "4", "7"]);
}

#[test]
fn expressions() {
    for (expression, value) in [
        ("1 + 2 * 3 == 7", true),
        ("(1 + 2) * 3 == 9", true),
        ("-1 > 0u", true),
        ("-1 > 0", false),
        ("1 ? 0 : 1", false),
        ("0 ? 1 : 0 ? 1 : 2", true),
        ("0 && 1/0", false),
        ("1 || 1/0", true),
        ("1 ? 2 : 1/0", true),
        ("'a' == 97 && '\\n' == 10 && '\\x41' == 'A' && '\\0' == 0", true),
        ("'ab' == 24930", true),
        ("'\\377' < 0", true),
        ("0x10 == 16 && 010 == 8 && 10UL == 10", true),
        ("1 << 62 == 4611686018427387904", true),
        ("-8 >> 1 == -4", true),
        ("~0 == -1 && !0 && !!3", true),
        ("7 % 4 == 3 && -7 / 2 == -3", true),
        ("(2, 3) == 3", true),
        ("undefined_name", false),
        ("linux && unix && __STDC_VERSION__ == 199901L", true),
        ("1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 3 && 3 != 2", true),
        ("(6 & 3) == 2 && (6 | 3) == 7 && (6 ^ 3) == 5", true),
        ("0x7fffffffffffffff + 1 < 0", true),
    ] {
        let text = format!("#if {expression}\nyes\n#else\nno\n#endif\n");
        assert_eq!(clean(&text), if value { "yes" } else { "no" }, "{expression}");
    }
    for expression in [
        "",
        "1 +",
        "1 2",
        "(1",
        "1)",
        "1/0",
        "1 % 0",
        "\"a\"",
        "1.5",
        "1 = 2",
        "08",
        "1xyz",
        "''",
        "defined",
        "defined(",
        "defined(x",
        "1 ? 2",
        "* 3",
        "0x",
        "f(1)",
        "@",
    ] {
        let run = run(&format!("#if {expression}\n#endif\n"));
        assert_eq!(run.errors(), 1, "{expression}: {:?}", run.messages());
    }
}

#[test]
fn includes() {
    let options = Options {
        include_dirs: vec![PathBuf::from("inc"), PathBuf::from("b")],
        ..Options::default()
    };
    let files = [
        ("sub/a.h", "A1\n#include \"b.h\"\n#include <b.h>\nA2\n"),
        ("sub/b.h", "near __FILE__\n"),
        ("inc/b.h", "far\n"),
        ("once.h", "#pragma once\nonce\n"),
    ];
    let text = "\
#include \"sub/a.h\"
#define H <b.h>
#include H
#define S \"once.h\"
#include S
#include \"once.h\"
end __LINE__
";
    let run = run_with(text, &options, &files);
    assert!(run.output.diagnostics.is_empty(), "{:?}", run.messages());
    let words: Vec<_> = run.text().split_whitespace().collect();
    assert_eq!(words, ["A1", "near", "\"sub/b.h\"", "far", "A2", "far", "once", "end", "7"]);
    let start = run.output.text.find("near").unwrap();
    let span = run.output.map.span(start, start + 4);
    assert_eq!(run.sources.file(span.file).path, PathBuf::from("sub/b.h"));
}

#[test]
fn a_missing_include_is_an_error() {
    let run = run("#include \"nope.h\"\n#include <nope>\n#include\n#include x\n");
    assert_eq!(run.codes(), ["EP1111", "EP1111", "EP1110", "EP1110"]);
    let label = run.output.diagnostics[0].primary.as_ref().unwrap();
    assert_eq!(run.source(label.span), "\"nope.h\"");
}

#[test]
fn an_include_cycle_is_named() {
    let files = [("a.h", "#include \"b.h\"\n"), ("b.h", "#include \"a.h\"\n")];
    let run = run_with("#include \"a.h\"\n", &Options::default(), &files);
    assert_eq!(run.codes(), ["EP1112"]);
    assert!(run.messages()[0].contains("includes"), "{:?}", run.messages());
}

#[test]
fn a_file_cannot_complete_a_call_of_its_includer() {
    let run = run_with(
        "#include \"a.h\"\n(1)\n",
        &Options::default(),
        &[("a.h", "#define f(x) <x>\nf\n")],
    );
    assert_eq!(run.text(), "f\n(1)");
}

#[test]
fn the_command_line() {
    let options = Options {
        defines: vec![
            ("N".into(), Some("5".into())),
            ("X".into(), None),
            ("f(a)".into(), Some("<a>".into())),
            ("G".into(), None),
        ],
        undefines: vec!["G".into(), "unix".into()],
        ..Options::default()
    };
    let run = run_with("N X f(2) G unix\n", &options, &[]);
    assert_eq!((run.text(), run.errors()), ("5 1 <2> G unix", 0));
}

#[test]
fn predefined_names() {
    assert_eq!(clean("linux unix __linux__ __STDC__\n"), "1 1 1 1");
    assert_eq!(clean("__LINE__\n__LINE__ __FILE__ __COUNTER__ __COUNTER__\n"), {
        "1\n2 \"main.pml\" 0 1"
    });
    assert_eq!(clean("__DATE__ __TIME__\n"), "\"Jan  1 1970\" \"00:00:00\"");
    assert_eq!(run("#define unix 2\nunix\n").codes(), ["EP1151"]);
}

#[test]
fn line_directives() {
    assert_eq!(clean("#line 77 \"other\"\n__LINE__ __FILE__\n__LINE__\n"), "77 \"other\"\n78");
    assert_eq!(clean("# 12 \"x.pml\" 1\n__LINE__\n"), "12");
    assert_eq!(run("#line x\n").codes(), ["EP1115"]);
}

#[test]
fn messages_of_the_user() {
    let run = run("#error do   not\n#warning careful\n");
    assert_eq!(run.messages(), ["do not", "careful"]);
    assert_eq!(run.output.diagnostics[0].severity, Severity::Error);
    assert_eq!(run.output.diagnostics[1].severity, Severity::Warning);
}

#[test]
fn pragmas_are_errors() {
    assert_eq!(run("#pragma pack(1)\n").codes(), ["EP1114"]);
    assert_eq!(run("_Pragma(\"x\")\n").codes(), ["EP1114"]);
    assert_eq!(run("#if 0\n#pragma x\n#endif\n").errors(), 0);
    assert_eq!(clean("#ident \"x\"\ny\n"), "y");
}

#[test]
fn redefinition_warns_and_the_last_wins() {
    let run = run("#define A 1\n#define A 1\n#define A  2\nA\n");
    assert_eq!((run.text(), run.codes()), ("2", vec!["EP1151"]));
    assert_eq!(run.source(run.output.diagnostics[0].secondary[0].span), "A");
}

#[test]
fn odd_quotes() {
    let run = run("don't /* a\nb */ c\n#if 0\nisn't\n#endif\n");
    assert_eq!((run.text(), run.codes()), ("don't /* a\nb */ c", vec!["EP1153"]));
}

#[test]
fn misspelt_directives_get_a_suggestion() {
    for (word, meant) in [
        ("inculde", "include"),
        ("defien", "define"),
        ("endfi", "endif"),
        ("esle", "else"),
        ("ifdeff", "ifdef"),
        ("ndif", "endif"),
    ] {
        let run = run(&format!("#{word}\n"));
        assert_eq!(run.codes(), ["EP1101"]);
        let help = format!("did you mean `#{meant}`?");
        assert_eq!(run.output.diagnostics[0].help, Some(help));
    }
    let run = run("#if 0\n#endfi\n");
    assert_eq!(run.codes(), ["EP1103"]);
    assert!(run.output.diagnostics[0].help.as_ref().unwrap().contains("endfi"));
}

#[test]
fn unterminated_things_point_to_their_start() {
    for (text, code, place) in [
        ("a /* b\n\n", "EP1102", "/*"),
        ("x\n#if 1\ny\n", "EP1103", "if"),
        ("#define f(x) x\na f(1,\n2\n", "EP1105", "f"),
        ("#define f(x) x\nf(1,2)\n", "EP1106", "f(1,2)"),
        ("#define f(x,y) x\n f(1)\n", "EP1106", "f(1)"),
    ] {
        let run = run(text);
        assert_eq!(run.codes(), [code], "{text}");
        let label = run.output.diagnostics[0].primary.as_ref().unwrap();
        let found = run.source(label.span);
        assert!(place.starts_with(found) || found == place, "{text}: {found}");
    }
}

#[test]
fn malformed_definitions() {
    for text in [
        "#define",
        "#define 3",
        "#define defined",
        "#define f(",
        "#define f(a",
        "#define f(a,)",
        "#define f(a,a) x",
        "#define f(a b)",
        "#define f(...,a)",
        "#define a ## b",
        "#define a b ##",
        "#define f(a) #b",
        "#define f(a) #",
        "#undef",
        "#undef 3",
        "#ifdef\n#endif",
        "#ifndef 3\n#endif",
        "#else",
        "#elif 1",
        "#endif",
        "#if 1\n#else\n#else\n#endif",
        "#if 1\n#else\n#elif 1\n#endif",
        "#!x",
        "#assert a(b)",
    ] {
        let run = run(&format!("{text}\n"));
        assert_eq!(run.errors(), 1, "{text}: {:?}", run.messages());
    }
    assert_eq!(run("#define a+1\na\n").codes(), ["EP1157"]);
    assert_eq!(run("#undef a b\n#ifdef a b\n#else c\n#endif d\n").codes(), ["EP1154"; 4]);
}

#[test]
fn directives_within_arguments() {
    let text = "#define f(x) [x]\nf(1\n#define q 2\nq\n#ifdef q\n3\n#else\n4\n#endif\n) z\n";
    assert_eq!(clean(text).split_whitespace().collect::<Vec<_>>(), ["[1", "2", "3]", "z"]);
    assert_eq!(clean("#define f(x) x\nf\n#define q\n(1)\n"), "f\n\n(1)");
}

#[test]
fn origins() {
    let run = run("#define f(x) alpha + x\n#define g f(beta)\n  gamma = f( delta );\n\tg; last\n");
    assert_eq!(
        run.text(),
        "  gamma = alpha + delta;\n beta;".replace("beta", "alpha + beta") + " last"
    );
    assert_eq!(run.origin("gamma"), "gamma");
    assert_eq!(run.in_macro("gamma"), None);
    assert_eq!(run.origin("gamma ="), "gamma =");
    assert_eq!(run.origin("alpha"), "f( delta )");
    assert_eq!(run.in_macro("alpha"), Some("alpha"));
    assert_eq!(run.origin("delta"), "f( delta )");
    assert_eq!(run.in_macro("delta"), Some("delta"));
    assert_eq!(run.origin("= alpha"), "= f( delta )");
    assert_eq!(run.origin("beta"), "g");
    assert_eq!(run.in_macro("beta"), Some("beta"));
    assert_eq!(run.origin("last"), "last");
    let end = run.output.text.len();
    let span = run.output.map.span(end, end);
    assert_eq!((span.start, span.end), (span.end, span.end));
    assert_eq!(run.sources.start(span).0, 4);
}

#[test]
fn an_origin_spans_the_lines_of_a_call() {
    let run = run("#define f(x) x\na f(1\n+ 2) b\nc\\\nd\n");
    assert_eq!(run.origin("1"), "f(1\n+ 2)");
    assert_eq!(run.origin("b"), "b");
    assert_eq!(run.origin("cd"), "c\\\nd");
}

#[test]
fn at_most_twenty_errors() {
    let run = run(&"#error x\n".repeat(100));
    assert_eq!(run.errors(), 20);
    assert_eq!(run.codes().last(), Some(&"EP1119"));
}

#[test]
fn the_codes_are_distinct_and_in_order() {
    assert!(CODES.windows(2).all(|pair| pair[0].0 < pair[1].0));
}
