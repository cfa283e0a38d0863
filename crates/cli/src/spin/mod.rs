//! `everypath spin`: SPIN's command lines, with answers in the shape of SPIN's.

mod claims;
mod machine;
mod options;
mod report;
mod screen;
mod search;
mod walk;

use everypath_model::shown;
use everypath_verdict::Exit;

use crate::args::{LayoutArgs, WhenArg};
use crate::commands::automaton::{AutomatonArgs, FormatArg, automaton};
use crate::commands::formula::SpellingArg;
use crate::config::Environment;
use crate::{complain, print, tell};
use machine::Model;
use options::{Request, parse};

const HELP: &str = "\
Take SPIN's command lines

Usage: everypath spin [FLAG]... FILE
       everypath spin [FLAG]... -run [SEARCH FLAG]... FILE

A random run (the default), or a run along a trail:
  -p           show statements             -g, -l       show variables, global or local
  -s, -r       show sends and receives     -c           messages in columns
  -t[N]        follow m.pml.trail (or m.pmlN.trail)     -k FILE   follow this trail
  -nN          seed                        -uN, -jN     stop after N steps, hide N steps
  -i           choose every step           -T, -B, -b   no indentation, final state, printf

A search:
  -run         depth first, up to the first error; writes m.pml.trail
  -bfs         breadth first               -noclaim     without never claims and formulas
  -cN          stop at error N, 0: never   -e           a trail for each error
  -E, -A       no end states, no assertions
  -mN, -QN     stop at depth N, after N minutes         -DMEMLIM=N   N megabytes
  -bitstate    a few bits a state; -kN: N bits, -wN: a table of 2^N bits
  -hcN         a hash of 32 + 8 N bits a state

  -a           only read the model         -DNAME, -UNAME, -E-IDIR   as for a C preprocessor
  -m           full channels lose messages -V           version

Claims and cycles:
  -ltl NAME    check this ltl block; without it the first claim of the model is in use
  -a           acceptance cycles (on by itself where there is a claim or an accept label)
  -l           non-progress cycles         -f           under weak fairness
  -safety      no cycles                   -noreduce    without reductions
  -f FORMULA, -F FILE, -N FILE   before -run: a formula or a claim that no run may satisfy;
                                 without a model its never claim is printed

Flags that shape SPIN's generated C program (-O2, -o3, -DVECTORSZ=N, ..) are accepted and have no
effect. What is not checked (trace assertions) is named, and the exit code is 3.

Exit codes: 0 no error and nothing left out, 1 an error, 2 bad input, 3 inconclusive.
";

/// Does what SPIN would do with these arguments.
pub fn run(args: &[String], environment: &Environment) -> Exit {
    let request = match parse(args) {
        Ok(request) => request,
        Err(message) => {
            tell("error", &message);
            complain("help: everypath spin --help\n");
            return Exit::Input;
        }
    };
    let reading = match &request {
        Request::Version => {
            print(&format!("{}\n", report::VERSION));
            return Exit::Ok;
        }
        Request::Help => {
            print(HELP);
            return Exit::Ok;
        }
        Request::Claim(formula) => {
            return match machine::text_of(formula) {
                Ok(text) => never_claim(&text, environment),
                Err(exit) => exit,
            };
        }
        Request::Read(reading) | Request::Walk(reading, _) | Request::Search(reading, _) => reading,
    };
    let model = match Model::open(reading, environment) {
        Ok(model) => model,
        Err(exit) => return exit,
    };
    match &request {
        Request::Walk(_, options) => walk::run(&model, options),
        Request::Search(_, options) => search::run(&model, options),
        _ => {
            let file = shown(&model.path);
            tell(
                "note",
                &format!("no verifier is generated; `everypath spin -run {file}` searches"),
            );
            Exit::Ok
        }
    }
}

/// Prints the claim that accepts what satisfies a formula.
fn never_claim(text: &str, environment: &Environment) -> Exit {
    let args = AutomatonArgs {
        formula: Some(text.to_owned()),
        file: None,
        negate: false,
        spelling: SpellingArg::Spin,
        kind: None,
        raw: false,
        format: FormatArg::Never,
        layout: LayoutArgs { color: WhenArg::Auto, ascii: false, columns: None },
    };
    automaton(&args, environment)
}
