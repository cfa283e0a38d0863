//! SPIN: generate a verifier, compile it with `gcc -O3`, run it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use everypath_testkit::spin;

use super::child::{self, Cost, Scratch};
use super::models::Model;
use super::ours::strings;
use super::result::Run;

/// How a verifier is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Every state and every interleaving: `spin -a -o1 -o2 -o3`, `-DNOREDUCE`.
    Exact,
    /// The same with SPIN's compression of states, `-DCOLLAPSE`.
    Collapse,
    /// As SPIN comes: its optimisations and partial-order reduction.
    Reduced,
    /// `-DBITSTATE`, every interleaving.
    Bitstate,
    /// Every interleaving, for `pan -a`: cycles that violate a formula.
    Claim,
    /// The same as SPIN comes.
    ReducedClaim,
}

/// A compiled verifier.
pub struct Verifier {
    dir: Scratch,
    /// What generation and compilation cost.
    before: Cost,
    depth: u64,
    deadlocks: bool,
    bitstate: bool,
    cycles: bool,
}

/// Where SPIN and gcc are.
pub struct Peer {
    spin: PathBuf,
    gcc: PathBuf,
}

/// Depths that are tried after one that was too small.
const DEPTHS: [u64; 3] = [1_000_000, 10_000_000, 100_000_000];

/// Mebibytes for a verifier; at their end it reports what it has, as at its time limit.
const MEMORY: &str = "-DMEMLIM=16384";

/// Time for a verifier to write its report after its limit.
const REPORT: Duration = Duration::from_secs(60);

/// Time for generation and compilation.
const PREPARATION: Duration = Duration::from_secs(600);

impl Peer {
    /// The installed ones.
    pub fn find() -> Option<Peer> {
        let path = std::env::var_os("PATH")?;
        let program = |name: &str| {
            std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file())
        };
        Some(Peer { spin: program("spin")?, gcc: program("gcc")? })
    }

    /// Both versions, as the programs print them.
    pub fn versions(&self) -> String {
        let first = |program: &Path, arg: &str| {
            let output = std::process::Command::new(program).arg(arg).output().ok()?;
            Some(String::from_utf8_lossy(&output.stdout).lines().next()?.trim().to_owned())
        };
        let spin = first(&self.spin, "-V").unwrap_or_default();
        let gcc = first(&self.gcc, "--version").unwrap_or_default();
        format!("{spin}; {gcc}")
    }

    /// Generates and compiles.
    pub fn build(&self, model: &Model, kind: Kind) -> Result<Verifier, String> {
        // Verifiers of several kinds live at the same time.
        let dir = Scratch::new(&format!("pan-{kind:?}"))?;
        let mut args = strings(&["-a"]);
        let cycles = matches!(kind, Kind::Claim | Kind::ReducedClaim);
        if !matches!(kind, Kind::Reduced | Kind::ReducedClaim) {
            args.extend(strings(&["-o1", "-o2", "-o3"]));
        }
        args.extend(model.defines.iter().map(|define| format!("-D{define}")));
        args.push(model.file.display().to_string());
        let generated = child::run(&self.spin, &args, dir.path(), PREPARATION)?;
        let mut args = strings(&["-w", "-O3", "-DVECTORSZ=4096", MEMORY, "-o", "pan"]);
        if !cycles {
            args.push("-DSAFETY".into());
        }
        args.extend(match kind {
            Kind::Exact | Kind::Claim => strings(&["-DNOREDUCE"]),
            Kind::Collapse => strings(&["-DNOREDUCE", "-DCOLLAPSE"]),
            Kind::Reduced | Kind::ReducedClaim => Vec::new(),
            Kind::Bitstate => strings(&["-DNOREDUCE", "-DBITSTATE"]),
        });
        args.push("pan.c".into());
        let compiled = child::run(&self.gcc, &args, dir.path(), PREPARATION)?;
        if !dir.path().join("pan").is_file() {
            return Err(format!("no verifier: {} {}", generated.text, compiled.errors));
        }
        Ok(Verifier {
            dir,
            before: generated.cost.then(compiled.cost),
            depth: model.depth,
            deadlocks: model.deadlocks,
            bitstate: kind == Kind::Bitstate,
            cycles,
        })
    }
}

impl Verifier {
    /// Searches, with a table of 2^`slots` slots (bits, for a bitstate search).
    pub fn run(&mut self, slots: u32, limit: Duration) -> Result<Run, String> {
        loop {
            let mut args = vec![
                format!("-m{}", self.depth),
                "-c0".to_owned(),
                format!("-w{slots}"),
                format!("-Q{}", limit.as_secs().div_ceil(60)),
            ];
            if !self.deadlocks {
                args.push("-E".into());
            }
            if self.cycles {
                args.push("-a".into());
            }
            if self.bitstate {
                args.push("-k3".into());
            }
            let pan = self.dir.path().join("pan");
            let ran = child::run(&pan, &args, self.dir.path(), limit + REPORT)?;
            let Some(report) = spin::parse_report(&ran.text) else {
                return Err(match ran.exit {
                    None => "stopped at the time limit".into(),
                    Some(code) => format!("pan: exit {code}, no report"),
                });
            };
            let deeper = DEPTHS.into_iter().find(|depth| *depth > self.depth);
            if report.depth_limit
                && let Some(deeper) = deeper
            {
                self.depth = deeper;
                continue;
            }
            let counts = report.counts;
            return Ok(Run {
                states: counts.stored,
                transitions: counts.transitions,
                depth: report.depth,
                vector: Some(report.vector),
                search: ran.cost,
                before: self.before,
                bytes_a_state: state_bytes(&ran.text) / counts.stored.max(1) as f64,
                instructions: None,
                executions: None,
                verdict: format!("{} errors", report.errors),
                complete: report.complete(),
            });
        }
    }
}

/// Bytes for states, table included where it is told.
fn state_bytes(text: &str) -> f64 {
    // "actual memory usage for states", or "equivalent memory usage" where nothing was saved, and
    // "memory used for hash table".
    let megabytes = |what: &str| {
        let mut lines = text.lines().filter(|line| line.contains(what));
        lines.next_back()?.split_whitespace().next()?.parse::<f64>().ok()
    };
    let states = megabytes("memory usage for states").unwrap_or(0.0);
    let table = megabytes("memory used for hash table").unwrap_or(0.0);
    (states + table) * 1_048_576.0
}

/// SPIN's own choice up to as many states as its table has slots; above that, one that fits.
pub fn slots_for(states: u64) -> u32 {
    if states <= 1 << 24 { 24 } else { 26 }
}
