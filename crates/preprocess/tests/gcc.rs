//! The output next to gcc's.

mod common;
mod gcc_common;

use std::path::Path;

use gcc_common::{compare, directory, have_gcc};

#[test]
fn corpus() {
    if !have_gcc() {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/promela");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(root.join("beem")).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|e| e == "pm" || e == "pml") {
            files.push(path);
        }
    }
    if files.is_empty() {
        println!("skipped: no corpus at {}", root.display());
    }
    files.sort();
    let mut failures = Vec::new();
    for path in &files {
        if let Err(difference) = compare(path) {
            failures.push(format!("{}: {difference}", path.display()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    println!("{} files agree", files.len());
}

/// Small sources, each on its own.
const SNIPPETS: &[&str] = &[
    "a /* x\n y */ b\nc\n",
    "a/* x\n y */b\nc\n",
    "a \\\n b\nc\n",
    "a\\\n+ b\\\nd\nc\n",
    "a \\  \nb\n",
    "a\\",
    "a\\\n",
    "a\r\nb\\\r\nc\r\n",
    "\x0ca\x0bb\0c\n",
    "/* a\n\n */ b\n /* \n*/ /* \n*/ c  /*\n*/ d /*\n*/\ne",
    "don't /* a\nb */ c\n",
    "printf(\"a\nb\n",
    "\n\n\n\n\n\n\n\n\n\n\n\na\n\n\n\n\n\n\n\n\n\n\n\n\nb\n",
    "#define f(x,y) x + y;  x\na f(1,\n2) x y\nc\n",
    "#define f(x,y) x + y;  x\na f(1 + \n 3,\n\n2 \n + 4)x y\nc\n",
    "#define f(x,y) x + y;  x\na f\n  (1 + \n 3,\n\n2 \n + 4)x y\nc\n",
    "#define f(x,y) x + y;  x\na f\n  x y f\n\n z f",
    "#define f(x,y) x + y;  x\na f(f(1,2),\nf(3,\n4)) f(5,6) z\nc\n",
    "#define g() f\n#define f(x,y) x + y;  x\na g()(1,\n2) q\nc\n",
    "#define g f\n#define f g\ng f g f\n",
    "#define f(x) x\nf(__LINE__\n__LINE__) __LINE__ f(\n__LINE__)\n",
    "#define f(x) x\n#define L __LINE__\nL f(L\nL)\n#define g f\ng(L\n__LINE__)\n",
    "#if 0\n#elifdef linux\nyes\n#endif\n#if 0\n#elifndef qqq\nno\n#endif",
    "#define f(x) x\n f\n#define q\n(1)\n",
    "#define f(x) [x]\n f(1\n#define q 2\nq\n#ifdef q\n yy\n#else\n nn\n#endif\n) z\nw",
    "#define f(x) #x\nf(a\n  b) f(\"a\\n\" /* */ '\"' ) f( a b )f(@\\)",
    "#define e(a,...) p(a, ##__VA_ARGS__)\ne(1) e(1,) e(1,2,3)\n",
    "#define h(...) p(a, ##__VA_ARGS__)\nh() h(1)\n#define k(x...) p(a,##x)\nk() k(1,2)",
    "#define f(p,q,r) + p##q##r\n#define g(p,q,r) x p##q##r z\nf(,,1)g(,,1)g(,,)g(,1,2)\n",
    "#define H # \nH define x\n  H\nx\n",
    "#define E\nE a\n E b E\nE\nc\n",
    "#ifdef x\n'\n#else\n\"\n#endif\ny",
    "#if 'a' == 97 && -1 > 0u && (2 || 1/0)\nyes\n#else\nno\n#endif\n",
    "#if 1 /* a\n b */ + 1 == 2\nyes\n#endif\nz\n",
    "#define X(a) a /* \n */ b\nX(1) X\n(2)\n",
    "# define  A  1\n #  ifdef A\nx A\n # endif\n",
    "%:define A 1\n%:ifdef A\nx A\n%:endif\n",
    "#define q(x) x??<y>!!z\nq(a)??q(b)!!q(c)::q(d)\n",
    "int a=1-\\\n-2; f(-1)-(-2)\n#define m -1\nx-m -m--m\n",
    "#if\n#endif\n",
    "#if 1\n",
    "#endif\n",
    "#error x\n",
    "#warning x\ny\n",
    "#define f(x) x\nf(1\n",
    "#define f(x) x\nf(1,2)\n",
    "#include \"does not exist\"\n",
    "#define a(x) #y\n",
    "#define A 1\n#define A 2\nA\n",
    "/* x\n",
    "#inculde\n",
];

#[test]
fn snippets() {
    if !have_gcc() {
        return;
    }
    let mut failures = Vec::new();
    for (index, text) in SNIPPETS.iter().enumerate() {
        let path = directory("gcc").join(format!("snippet{index}.c"));
        std::fs::write(&path, text).expect("a file for the test");
        if let Err(difference) = compare(&path) {
            failures.push(format!("{text:?}: {difference}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
