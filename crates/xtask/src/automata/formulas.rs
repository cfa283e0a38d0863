//! The formulas that translators are usually measured with.

/// Etessami and Holzmann, "Optimizing Büchi automata", 2000.
pub const ETESSAMI_HOLZMANN: &[&str] = &[
    "p0 U (p1 & G p2)",
    "p0 U (p1 & X(p2 U p3))",
    "p0 U (p1 & X(p2 & F(p3 & X F(p4 & X F(p5 & X F p6)))))",
    "F(p0 & X G p1)",
    "F(p0 & X(p1 & X F p2))",
    "F(p0 & X(p1 U p2))",
    "F G p0 | G F p1",
    "G(p0 -> (p1 U p2))",
    "G(p0 & X F(p1 & X F(p2 & X F p3)))",
    "G F p0 & G F p1 & G F p2 & G F p3 & G F p4",
    "(p0 U (p1 U p2)) | (p1 U (p2 U p0)) | (p2 U (p0 U p1))",
    "G(p0 -> (p1 U (G p2 | G p3)))",
];

/// Somenzi and Bloem, "Efficient Büchi automata from LTL formulae", 2000.
pub const SOMENZI_BLOEM: &[&str] = &[
    "p0 U p1",
    "p0 U (p1 U p2)",
    "!(p0 U (p1 U p2))",
    "G F p0 -> G F p1",
    "F p0 U G p1",
    "G p0 U p1",
    "!(F F p0 <-> F p1)",
    "!(G F p0 -> G F p1)",
    "!(G F p0 <-> G F p1)",
    "p0 R (p0 | p1)",
    "(X p0 U X p1) | !X(p0 U p1)",
    "(X p0 U p1) | !X(p0 U (p0 & p1))",
    "G(p0 -> F p1) & ((X p0 U p1) | !X(p0 U (p0 & p1)))",
    "G(p0 -> F p1) & ((X p0 U X p1) | !X(p0 U p1))",
    "G(p0 -> F p1)",
    "!G(p0 -> X(p1 R p2))",
    "!(F G p0 | F G p1)",
    "G(F p0 & F p1)",
    "F p0 & F !p0",
    "(X p1 & p2) R X(((p3 U p0) R p2) U (p3 R p2))",
    "(G(p1 | G F p0) & G(p2 | G F !p0)) | G p1 | G p2",
    "(G(p1 | F G p0) & G(p2 | F G !p0)) | G p1 | G p2",
    "!((G(p1 | G F p0) & G(p2 | G F !p0)) | G p1 | G p2)",
    "!((G(p1 | F G p0) & G(p2 | F G !p0)) | G p1 | G p2)",
    "(G(p1 | X G p0) & G(p2 | X G !p0)) | G p1 | G p2",
    "G(p1 | (X p0 & X !p0))",
    "p0 | (p1 U p0)",
];

/// Dwyer, Avrunin and Corbett, "Property specification patterns for finite-state verification",
/// 1998: eleven patterns in five scopes.
pub const DWYER: &[&str] = &[
    "G !p0",
    "F p0 -> (!p1 U p0)",
    "G(p0 -> G !p1)",
    "G((p0 & !p1 & F p1) -> (!p2 U p1))",
    "G((p0 & !p1) -> (!p2 W p1))",
    "F p0",
    "!p0 W (p1 & !p0)",
    "G !p0 | F(p0 & F p1)",
    "G((p0 & !p1) -> (!p1 W (p2 & !p1)))",
    "G((p0 & !p1) -> (!p1 U (p2 & !p1)))",
    "!p0 W (p0 W (!p0 W (p0 W G !p0)))",
    "F p0 -> ((!p0 & !p1) U (p0 | ((!p0 & p1) U (p0 | ((!p0 & !p1) U (p0 | ((!p0 & p1) U (p0 | (!p1 U p0)))))))))",
    "F p0 -> (!p0 U (p0 & (!p1 W (p1 W (!p1 W (p1 W G !p1))))))",
    "G((p0 & F p1) -> ((!p1 & !p2) U (p1 | ((!p1 & p2) U (p1 | ((!p1 & !p2) U (p1 | ((!p1 & p2) U (p1 | (!p2 U p1))))))))))",
    "G(p0 -> ((!p1 & !p2) U (p2 | ((p1 & !p2) U (p2 | ((!p1 & !p2) U (p2 | ((p1 & !p2) U (p2 | (!p1 W p2) | G p1)))))))))",
    "G p0",
    "F p0 -> (p1 U p0)",
    "G(p0 -> G p1)",
    "G((p0 & !p1 & F p1) -> (p2 U p1))",
    "G((p0 & !p1) -> (p2 W p1))",
    "!p0 W p1",
    "F p0 -> (!p1 U (p0 | p2))",
    "G !p0 | F(p0 & (!p1 W p2))",
    "G((p0 & !p1 & F p1) -> (!p2 U (p1 | p3)))",
    "G((p0 & !p1) -> (!p2 W (p1 | p3)))",
    "G(p0 -> F p1)",
    "F p0 -> ((p1 -> (!p0 U (!p0 & p2))) U p0)",
    "G(p0 -> G(p1 -> F p2))",
    "G((p0 & !p1 & F p1) -> ((p2 -> (!p1 U (!p1 & p3))) U p1))",
    "G((p0 & !p1) -> ((p2 -> (!p1 U (!p1 & p3))) W p1))",
    "F p0 -> (!p0 U (!p0 & p1 & X(!p0 U p2)))",
    "F p0 -> (!p1 U (p0 | (!p1 & p2 & X(!p1 U p3))))",
    "G !p0 | (!p0 U ((p0 & F p1) -> (!p1 U (!p1 & p2 & X(!p1 U p3)))))",
    "G((p0 & F p1) -> (!p2 U (p1 | (!p2 & p3 & X(!p2 U p4)))))",
    "G(p0 -> (F p1 -> (!p1 U (p2 | (!p1 & p3 & X(!p1 U p4))))))",
    "F(p0 & X F p1) -> (!p0 U p2)",
    "F p0 -> (!(!p0 & p1 & X(!p0 U (!p0 & p2))) U (p0 | p3))",
    "G !p0 | (!p0 U (p0 & (F(p1 & X F p2) -> (!p1 U p3))))",
    "G((p0 & F p1) -> (!(!p1 & p2 & X(!p1 U (!p1 & p3))) U (p1 | p4)))",
    "G(p0 -> ((!(!p1 & p2 & X(!p1 U (!p1 & p3))) U (p1 | p4)) | G !(p2 & X F p3)))",
    "G((p0 & X F p1) -> X F(p1 & F p2))",
    "F p0 -> (((p1 & X(!p0 U p2)) -> X(!p0 U (p2 & F p3))) U p0)",
    "G(p0 -> G((p1 & X F p2) -> X(!p2 U (p2 & F p3))))",
    "G((p0 & F p1) -> (((p2 & X(!p1 U p3)) -> X(!p1 U (p3 & F p4))) U p1))",
    "G(p0 -> (((p1 & X(!p2 U p3)) -> X(!p2 U (p3 & F p4))) U (p2 | G((p1 & X(!p2 U p3)) -> X(!p2 U (p3 & F p4))))))",
    "G(p0 -> F(p1 & X F p2))",
    "F p0 -> ((p1 -> (!p0 U (!p0 & p2 & X(!p0 U p3)))) U p0)",
    "G(p0 -> G(p1 -> (p2 & X F p3)))",
    "G((p0 & F p1) -> ((p2 -> (!p1 U (!p1 & p3 & X(!p1 U p4)))) U p1))",
    "G(p0 -> ((p1 -> (!p2 U (!p2 & p3 & X(!p2 U p4)))) U (p2 | G(p1 -> (p3 & X F p4)))))",
    "G(p0 -> F(p1 & !p2 & X(!p2 U p3)))",
    "F p0 -> ((p1 -> (!p0 U (!p0 & p2 & !p3 & X((!p0 & !p3) U p4)))) U p0)",
    "G(p0 -> G(p1 -> (p2 & !p3 & X(!p3 U p4))))",
    "G((p0 & F p1) -> ((p2 -> (!p1 U (!p1 & p3 & !p4 & X((!p1 & !p4) U p5)))) U p1))",
    "G(p0 -> ((p1 -> (!p2 U (!p2 & p3 & !p4 & X((!p2 & !p4) U p5)))) U (p2 | G(p1 -> (p3 & !p4 & X(!p4 U p5))))))",
];

/// Families that grow with a number, as translators are stretched with.
pub fn families() -> Vec<String> {
    let each = |n: usize, part: &dyn Fn(usize) -> String, sign: &str| {
        (0..n).map(part).collect::<Vec<_>>().join(sign)
    };
    let mut all = Vec::new();
    for n in 1..=4 {
        all.push(each(n, &|i| format!("G F p{i}"), " & "));
        all.push(each(n, &|i| format!("F G p{i}"), " | "));
        all.push(each(n, &|i| format!("F p{i}"), " & "));
        // p0 U (p1 U (... U pn)) and the other way round
        let right = (0..n).rev().fold(format!("p{n}"), |rest, i| format!("(p{i} U {rest})"));
        let left = (1..=n).fold("p0".to_owned(), |first, i| format!("({first} U p{i})"));
        all.extend([right, left]);
        all.push(format!("({}) -> G(q -> F r)", each(n, &|i| format!("G F p{i}"), " & ")));
        all.push(format!("!(({}) -> G(q -> F r))", each(n, &|i| format!("G F p{i}"), " & ")));
    }
    all
}
