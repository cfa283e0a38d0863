//! The register of what is promised names tests that are there and run, and docs/systems.md is what it says.

use std::fs;

use everypath_conformance::oracles::{
    List, Register, Tests, code, page, page_path, promised, root, tests_in,
};

fn register() -> Register {
    Register::load().unwrap_or_else(|why| panic!("{why}"))
}

#[test]
fn every_promise_is_shown_by_a_test_that_runs_or_is_open_with_a_reason() {
    let wrong = register().complaints(&root());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_page_is_what_the_register_says() {
    let written = fs::read_to_string(page_path()).unwrap_or_default();
    let wanted = page(&register());
    let lines = written.lines().zip(wanted.lines()).position(|(a, b)| a != b);
    assert!(
        written == wanted,
        "docs/systems.md is not what the register says (line {}): run `cargo xtask oracles --write`",
        1 + lines.unwrap_or_else(|| written.lines().count().min(wanted.lines().count())),
    );
}

#[test]
fn tests_are_found_in_sources() {
    let tests = Tests::below(&root().join("crates"));
    assert!(tests.count() > 900, "{}", tests.count());
    assert_eq!(tests.complaint("conformance::oracles::tests_are_found_in_sources"), None);
    assert_eq!(tests.complaint("engine-explicit::lossy::odds::p4_capacity_of_cells"), None);
    assert_eq!(tests.complaint("conformance::reduction::models_that_were_wrong_once"), None);
    // One that a macro makes of a list of names, and one that is ignored.
    assert_eq!(tests.complaint("lang-java::conformance::t01"), None);
    assert!(tests.complaint("lang-java::fuzz::one_batch").expect("it is").contains("ignored"));
    let missing = tests.complaint("conformance::oracle::tests_are_found_in_sources");
    let wanted = "there is no test conformance::oracle::tests_are_found_in_sources; there is \
                  conformance::oracles::tests_are_found_in_sources";
    assert_eq!(missing.as_deref(), Some(wanted));
}

#[test]
fn what_is_in_texts_and_comments_is_no_test() {
    let source = r##"
        // #[test] fn a() {}
        /* #[test] /* fn */ fn b() {} */
        const TEXT: &str = "#[test] fn c() {}\" #[test] fn c() {}";
        const RAW: &str = r#"#[test] fn d() {}"#;
        const QUOTE: char = '"';
        fn lifetime<'a>(x: &'a str) -> &'a str { x }
        #[test]
        fn e() {}
        #[test]
        #[ignore = "slow [very]"]
        fn f() {}
        #[ignore]
        #[test]
        fn g() {}
        #[test]
        #[cfg_attr(miri, ignore)]
        fn h() {}
        #[test]
        #[should_panic]
        fn i() {}
        proptest! {
            #[test]
            fn j(x in 0..3u8) {}
        }
        macro_rules! several { ($($name:ident)*) => { $(#[test] fn $name() {})* #[test] fn k() {} } }
        several! { l m }
    "##;
    let mut found = tests_in(source);
    found.sort();
    let plain = |name: &str| (name.to_owned(), false);
    let ignored = |name: &str| (name.to_owned(), true);
    let expected = [
        plain("e"),
        ignored("f"),
        ignored("g"),
        ignored("h"),
        plain("i"),
        plain("j"),
        plain("k"),
        plain("l"),
        plain("m"),
    ];
    assert_eq!(found, expected);
    assert_eq!(code("a /* b */ 'c' \"d\" e"), "a       e");
    assert_eq!(code("b\"\\\"\" br#\"\"\"# c"), "b  b  c");
}

const DIGEST: &str = "# A system
## 2. Feature checklist
- F1 one; T9 is not an id here
- F2 two. F3 three, with F9
- four
## 3. Algorithms
- F7 elsewhere
### 4.1 Worked
  T1 x (T2) T3
 1. first
 2. SECOND is no heading
  a) third
5. LAST
-------
 3. elsewhere
";

#[test]
fn ids_are_found_in_descriptions() {
    let list = |section: &str| List { section: section.to_owned(), ..List::default() };
    let words = List { words: Some("F".to_owned()), ..list("2") };
    assert_eq!(promised(DIGEST, &[words]), ["F1", "F2", "F3"]);
    let points = List { bullets: Some("C".to_owned()), ..list("2") };
    assert_eq!(promised(DIGEST, &[points]), ["C1", "C2", "C3"]);
    let headings = List { headings: Some("4.".to_owned()), ..list("4") };
    let numbers = List { numbers: Some("trap ".to_owned()), ..list("4") };
    assert_eq!(promised(DIGEST, &[headings, numbers]), ["4.1", "trap 1", "trap 2"]);
    let letters = List { letters: Some(String::new()), ..list("4") };
    assert_eq!(promised(DIGEST, &[letters]), ["a"]);
    let words = List { words: Some("T".to_owned()), ..list("4") };
    assert_eq!(promised(DIGEST, &[words]), ["T1", "T3"]);
}

#[test]
fn what_is_wrong_with_a_register_is_named() {
    let entry = |items: &str| {
        format!(
            "[[system]]\nid = \"x\"\nname = \"X\"\npaper = \"P\"\ndigest = \"none.md\"\n{items}\n"
        )
    };
    let read = |items: &str| Register::read(&entry(items), &root());
    let wrong = |items: &str| read(items).expect_err(items);
    assert!(wrong("").contains("nothing is promised"));
    assert!(wrong("[system.items]\nF1 = { tests = [] }").contains("x F1: there is no `says`"));
    assert!(wrong("[system.items]\nF1 = { say = \"\" }").contains("x F1: unknown key `say`"));
    let figure = |ours: &str| {
        let figure = "what = \"w\", paper = \"p\", source = \"rustfmt.toml\"";
        format!("figures = [{{ {figure}, {ours} }}]\n[system.items]\nF1 = {{ says = \"s\" }}")
    };
    assert!(wrong(&figure("ours = \"17 steps\"")).contains("does not have the figure 17"));
    assert!(wrong(&figure("row = \"steps\"")).contains("has no `steps`"));
    // A cell of a table of another page.
    let cell = |column: &str| {
        let cell = format!("row = \"bytes a state\", column = \"{column}\"");
        figure(&cell).replace("rustfmt.toml", "docs/performance.md")
    };
    let ours = &read(&cell("measured")).expect("the page has it").systems[0].figures[0].ours;
    assert!(ours.parse::<f64>().is_ok_and(|bytes| bytes > 1.0), "{ours}");
    assert!(wrong(&cell("guessed")).contains("with guessed"));
    let complaints = |items: &str| read(items).expect(items).complaints(&root());
    let item = |rest: &str| complaints(&format!("[system.items]\nF1 = {{ says = \"s\"{rest} }}"));
    assert_eq!(item(""), ["x F1: neither a test nor a reason"]);
    assert_eq!(item(", open = \"o\""), [""; 0]);
    assert_eq!(item(", tests = [\"a::b\"]"), ["x F1: there is no test a::b"]);
    assert_eq!(item(", open = \"o\", with = [\"a.b\"]"), ["x F1: there is no a.b"]);
}
