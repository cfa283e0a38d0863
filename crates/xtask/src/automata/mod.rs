//! `cargo xtask automata`: how large the automata of the usual formulas are, beside those of
//! `spin -f` in the same run.

mod formulas;

use std::fmt::Write;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use everypath_property::ltl::{Formula, Formulas, Node, Spelling, parse};
use everypath_property::never;
use everypath_property::tgba::{self, Automaton};

/// How long SPIN may take for a formula.
const PATIENCE: Duration = Duration::from_secs(20);

/// States and edges.
#[derive(Clone, Copy, Default)]
struct Size {
    states: usize,
    edges: usize,
}

/// What was measured for a formula.
struct Row {
    text: String,
    tgba: Size,
    marks: u32,
    buchi: Size,
    /// None where SPIN has no way to say the formula, or takes too long.
    spin: Option<Size>,
    why: &'static str,
}

/// Measures the sets; with `--all` every formula has its line, with `--markdown` the tables go into a
/// document.
pub fn main(args: &[String]) -> ExitCode {
    let (mut every, mut document) = (false, None);
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match (arg.as_str(), rest.clone().next()) {
            ("--all", _) => every = true,
            ("--markdown", Some(path)) => {
                document = Some(path.clone());
                rest.next();
            }
            _ => {
                eprintln!("usage: cargo xtask automata [--all] [--markdown FILE]");
                return ExitCode::from(2);
            }
        }
    }
    let owned = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let sets = [
        ("Etessami and Holzmann", owned(formulas::ETESSAMI_HOLZMANN)),
        ("Somenzi and Bloem", owned(formulas::SOMENZI_BLOEM)),
        ("Dwyer, Avrunin and Corbett", owned(formulas::DWYER)),
        ("families", formulas::families()),
    ];
    let mut sizes = String::from(
        "| set | formulas | states | edges | marks | Büchi: states | edges |\n|---|---:|---:|---:|---:|---:|---:|\n",
    );
    let mut beside = String::from(
        "| set | formulas | our states | SPIN's | our edges | SPIN's |\n|---|---:|---:|---:|---:|---:|\n",
    );
    let mut larger = false;
    for (name, texts) in sets {
        let rows: Vec<Row> = texts.iter().map(|text| measure(text)).collect();
        if every {
            println!("\n{name}");
            for row in &rows {
                println!("{}", line(row));
            }
        }
        let compared: Vec<(&Row, Size)> =
            rows.iter().filter_map(|row| Some((row, row.spin?))).collect();
        let ours = sum(compared.iter().map(|(row, _)| row.buchi));
        let theirs = sum(compared.iter().map(|&(_, spin)| spin));
        larger |= ours.states > theirs.states || ours.edges > theirs.edges;
        let (tgba, buchi) = (sum(rows.iter().map(|r| r.tgba)), sum(rows.iter().map(|r| r.buchi)));
        let marks: u32 = rows.iter().map(|row| row.marks).sum();
        let _ = writeln!(
            sizes,
            "| {name} | {} | {} | {} | {marks} | {} | {} |",
            rows.len(),
            tgba.states,
            tgba.edges,
            buchi.states,
            buchi.edges,
        );
        let _ = writeln!(
            beside,
            "| {name} | {} | {} | {} | {} | {} |",
            compared.len(),
            ours.states,
            theirs.states,
            ours.edges,
            theirs.edges,
        );
    }
    let tables = format!(
        "{sizes}\nBüchi automata beside those of `spin -f`, where it has one within {} seconds:\n\n{beside}",
        PATIENCE.as_secs()
    );
    println!("\n{tables}");
    if let Some(path) = document
        && let Err(error) = write(&path, &tables)
    {
        eprintln!("{path}: {error}");
        return ExitCode::FAILURE;
    }
    match larger {
        true => {
            println!("SPIN's automata are smaller in the sum of some set");
            ExitCode::FAILURE
        }
        false => ExitCode::SUCCESS,
    }
}

/// Puts the tables between their marks.
fn write(path: &str, tables: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let new = crate::bench::markdown::replace(&text, "automata", tables)
        .ok_or("no marks for `automata`")?;
    std::fs::write(path, new).map_err(|error| error.to_string())
}

fn sum(sizes: impl Iterator<Item = Size>) -> Size {
    sizes.fold(Size::default(), |a, b| Size {
        states: a.states + b.states,
        edges: a.edges + b.edges,
    })
}

fn line(row: &Row) -> String {
    let spin = match row.spin {
        Some(spin) => format!("{}/{}", spin.states, spin.edges),
        None => row.why.to_owned(),
    };
    let (t, b) = (row.tgba, row.buchi);
    let worse = row.spin.is_some_and(|s| (b.states, b.edges) > (s.states, s.edges));
    format!(
        "{} tgba {}/{}/{}  buchi {}/{}  spin {spin}  {}",
        if worse { "!" } else { " " },
        t.states,
        t.edges,
        row.marks,
        b.states,
        b.edges,
        row.text
    )
}

fn size(automaton: &Automaton) -> Size {
    Size { states: automaton.len(), edges: automaton.edge_count() }
}

fn measure(text: &str) -> Row {
    let mut formulas = Formulas::new();
    let formula = parse(&mut formulas, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let best = tgba::best(&mut formulas, formula).unwrap_or_else(|error| panic!("{text}: {error}"));
    let buchi = tgba::best_for(&mut formulas, formula, tgba::Goal::States)
        .unwrap_or_else(|error| panic!("{text}: {error}"));
    let (spin, why) = match formulas.is_next_free(formula) {
        true => spin(&mut formulas, formula),
        false => (None, "has no X"),
    };
    Row {
        text: text.to_owned(),
        tgba: size(&best),
        marks: best.marks,
        buchi: size(&buchi),
        spin,
        why,
    }
}

/// The size of the claim that SPIN makes, as it is written.
fn spin(formulas: &mut Formulas, formula: Formula) -> (Option<Size>, &'static str) {
    let plain = without_weak(formulas, formula);
    let text = formulas.show(plain, Spelling::Spin);
    let child = Command::new("spin")
        .args(["-f", &text])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else { return (None, "is not installed") };
    let Some(stdout) = child.stdout.take() else { return (None, "says nothing") };
    let reader = std::thread::spawn(move || std::io::read_to_string(stdout));
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(_)) => break,
            Ok(None) if start.elapsed() > PATIENCE => {
                // It is ours: nobody else waits for it.
                let _ = child.kill();
                let _ = child.wait();
                return (None, "takes too long");
            }
            Ok(None) => std::thread::sleep(Duration::from_millis(2)),
            Err(_) => return (None, "cannot be waited for"),
        }
    }
    let Ok(Ok(claim)) = reader.join() else { return (None, "says nothing") };
    match never::read(&claim) {
        // The reader adds the end of the claim as a state.
        Ok(theirs) => (Some(Size { states: theirs.len() - 1, edges: theirs.edge_count() - 1 }), ""),
        Err(_) => (None, "says something else"),
    }
}

/// `spin -f` has no weak until: `a W b` is `[]a || (a U b)`.
fn without_weak(formulas: &mut Formulas, formula: Formula) -> Formula {
    let node = formulas.node(formula).clone();
    let go = |formulas: &mut Formulas, part: Formula| without_weak(formulas, part);
    match node {
        Node::True | Node::False | Node::Atom(_) => formula,
        Node::Not(a) => {
            let a = go(formulas, a);
            formulas.not(a)
        }
        Node::Next(a) => {
            let a = go(formulas, a);
            formulas.next(a)
        }
        Node::And(parts) => {
            let parts: Vec<Formula> = parts.iter().map(|&part| go(formulas, part)).collect();
            formulas.and(parts)
        }
        Node::Or(parts) => {
            let parts: Vec<Formula> = parts.iter().map(|&part| go(formulas, part)).collect();
            formulas.or(parts)
        }
        Node::Implies(a, b) => {
            let (a, b) = (go(formulas, a), go(formulas, b));
            formulas.implies(a, b)
        }
        Node::Iff(a, b) => {
            let (a, b) = (go(formulas, a), go(formulas, b));
            formulas.iff(a, b)
        }
        Node::Xor(a, b) => {
            let (a, b) = (go(formulas, a), go(formulas, b));
            formulas.xor(a, b)
        }
        Node::Until(a, b) => {
            let (a, b) = (go(formulas, a), go(formulas, b));
            formulas.until(a, b)
        }
        Node::Release(a, b) => {
            let (a, b) = (go(formulas, a), go(formulas, b));
            formulas.release(a, b)
        }
        Node::Strong(a, b) => {
            let (a, b) = (go(formulas, a), go(formulas, b));
            formulas.strong(a, b)
        }
        Node::Weak(a, b) => {
            let (a, b) = (go(formulas, a), go(formulas, b));
            let (always, until) = (formulas.always(a), formulas.until(a, b));
            formulas.or([always, until])
        }
    }
}
