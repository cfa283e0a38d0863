//! SPIN's flags, which are no words with values: `-n123`, `-DNOREDUCE`, `-run -bfs`.

use std::path::PathBuf;
use std::time::Duration;

use everypath_engine_explicit::Storage;
use everypath_model::{most_similar, shown};

use crate::choices::HashingArg;
use crate::stores::StoreArg;

/// What a command line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// `-V`
    Version,
    /// `--help`
    Help,
    /// `-a`: the model is only read.
    Read(Reading),
    /// `-f` without a model: the claim of a formula.
    Claim(Formula),
    /// A random or interactive run, or one along a trail.
    Walk(Reading, Walk),
    /// `-run`
    Search(Reading, Search),
}

/// How the model is read.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Reading {
    /// The file.
    pub file: PathBuf,
    /// `-D`
    pub defines: Vec<String>,
    /// `-U`
    pub undefines: Vec<String>,
    /// `-E-I`
    pub includes: Vec<PathBuf>,
    /// `-m`: a full channel loses messages.
    pub lossy: bool,
    /// `-N`: a file with a claim.
    pub claim: Option<PathBuf>,
    /// `-f`, `-F`: a formula that no run may satisfy.
    pub formula: Option<Formula>,
}

/// A formula on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// `-f`
    Text(String),
    /// `-F`
    File(PathBuf),
}

/// A run and what is shown of it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Walk {
    /// `-p`
    pub statements: bool,
    /// `-g`
    pub globals: bool,
    /// `-l`
    pub locals: bool,
    /// `-s`
    pub sends: bool,
    /// `-r`
    pub receives: bool,
    /// `-c`
    pub columns: bool,
    /// `-i`
    pub interactive: bool,
    /// `-j`: nothing is shown of so many steps.
    pub skip: u64,
    /// `-u`: the run ends after so many steps.
    pub most: Option<u64>,
    /// `-n`
    pub seed: Option<u64>,
    /// `-T`: what the model prints is not indented.
    pub flush: bool,
    /// `-B`: the final state is not shown.
    pub no_final: bool,
    /// `-b`: what the model prints is not shown.
    pub silent: bool,
    /// `-t`, `-k`: the run follows a trail.
    pub trail: Option<TrailName>,
}

/// Which trail a run follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrailName {
    /// `-t`: the first, or the one with this number.
    Number(Option<u64>),
    /// `-k`
    File(PathBuf),
}

/// A search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// `-bfs`, also what stands for `-i` and `-I`.
    pub breadth: bool,
    /// `-noclaim`
    pub no_claim: bool,
    /// `-ltl`, `-N`: the name of a claim.
    pub claim: Option<String>,
    /// `-a`: acceptance cycles.
    pub acceptance: bool,
    /// `-l`: non-progress cycles.
    pub non_progress: bool,
    /// `-f`: weak fairness.
    pub fair: bool,
    /// `-safety`: no cycles.
    pub safety: bool,
    /// `-noreduce`
    pub no_reduction: bool,
    /// `-E`: end states are not looked at.
    pub no_end_states: bool,
    /// `-A`: assertions are not looked at.
    pub no_assertions: bool,
    /// `-c`: stop at this error; 0 for never.
    pub errors: u64,
    /// `-e`: a trail for each error.
    pub all_trails: bool,
    /// `-m`
    pub depth: Option<u64>,
    /// `-b`: runs that are cut off are an error.
    pub bounded: bool,
    /// `-n`: what was not reached is not listed.
    pub no_unreached: bool,
    /// `-t`: the ending of trails.
    pub suffix: String,
    /// `-Q`
    pub time: Option<Duration>,
    /// `-DMEMLIM`, in bytes.
    pub memory: Option<u64>,
    /// `-bitstate`
    pub bitstate: bool,
    /// `-k`: bits a state.
    pub functions: Option<u32>,
    /// `-w`: log2 of the bits of a bitstate table.
    pub width: Option<u32>,
    /// `-hc`: bits of a hash.
    pub compact: Option<u32>,
    /// What was asked for and is not done.
    pub unchecked: Vec<String>,
    /// What is done in another way.
    pub notes: Vec<String>,
}

impl Default for Search {
    fn default() -> Search {
        Search {
            breadth: false,
            no_claim: false,
            claim: None,
            acceptance: false,
            non_progress: false,
            fair: false,
            safety: false,
            no_reduction: false,
            no_end_states: false,
            no_assertions: false,
            errors: 1,
            all_trails: false,
            depth: None,
            bounded: false,
            no_unreached: false,
            suffix: "trail".to_owned(),
            time: None,
            memory: None,
            bitstate: false,
            functions: None,
            width: None,
            compact: None,
            unchecked: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// The flags that are understood before `-run`, for the message about an unknown one.
const FLAGS: [&str; 45] = [
    "-a", "-B", "-b", "-C", "-c", "-D", "-E", "-F", "-f", "-g", "-h", "-i", "-I", "-J", "-j", "-k",
    "-l", "-m", "-N", "-n", "-o1", "-o2", "-o3", "-o4", "-o5", "-P", "-p", "-q", "-r", "-replay",
    "-run", "-S1", "-S2", "-s", "-search", "-T", "-t", "-U", "-u", "-V", "-v", "-w", "-x", "-help",
    "--help",
];

/// The flags that are understood after `-run`.
const SEARCH_FLAGS: [&str; 60] = [
    "-A",
    "-a",
    "-b",
    "-bcs",
    "-bfs",
    "-bfspar",
    "-bit",
    "-bitstate",
    "-biterate",
    "-C",
    "-c",
    "-collapse",
    "-D",
    "-dfs",
    "-dfspar",
    "-E",
    "-e",
    "-f",
    "-G",
    "-g",
    "-h",
    "-hc",
    "-I",
    "-i",
    "-J",
    "-k",
    "-L",
    "-l",
    "-link",
    "-ltl",
    "-M",
    "-m",
    "-N",
    "-n",
    "-noclaim",
    "-noreduce",
    "-O",
    "-p_permute",
    "-p_reverse",
    "-p_rotate",
    "-Q",
    "-q",
    "-R",
    "-r",
    "-rhash",
    "-RS",
    "-S",
    "-s",
    "-safety",
    "-swarm",
    "-T",
    "-t",
    "-t_reverse",
    "-U",
    "-v",
    "-W",
    "-w",
    "-X",
    "-x",
    "-z",
];

/// Understands a command line.
pub fn parse(args: &[String]) -> Result<Request, String> {
    let mut parser = Parser::default();
    let mut words = args.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--help" | "-help" => return Ok(Request::Help),
            "-V" | "--version" => return Ok(Request::Version),
            _ => {}
        }
        let mut value = |flag: &str| {
            words.next().cloned().ok_or_else(|| format!("`{flag}` needs a value behind it"))
        };
        if !word.starts_with('-') || word == "-" {
            if let Some(first) = &parser.file {
                return Err(format!(
                    "one model at a time: `{}` and `{word}`; flags come before the file",
                    shown(first)
                ));
            }
            parser.file = Some(word.into());
        } else if parser.search.is_some() {
            parser.search_flag(word, &mut value)?;
        } else {
            parser.flag(word, &mut value)?;
        }
    }
    parser.finish()
}

#[derive(Default)]
struct Parser {
    file: Option<PathBuf>,
    reading: Reading,
    walk: Walk,
    read_only: bool,
    search: Option<Search>,
}

/// The next word of the command line.
type Value<'a> = dyn FnMut(&str) -> Result<String, String> + 'a;

impl Parser {
    /// A flag before `-run`.
    fn flag(&mut self, word: &str, value: &mut Value<'_>) -> Result<(), String> {
        let walk = &mut self.walk;
        match word {
            "-run" | "-search" => self.search = Some(Search::default()),
            "-replay" => walk.trail = Some(TrailName::Number(None)),
            "-a" => self.read_only = true,
            "-p" => walk.statements = true,
            "-v" | "-w" => walk.statements = true,
            "-g" => walk.globals = true,
            "-l" => walk.locals = true,
            "-s" => walk.sends = true,
            "-r" => walk.receives = true,
            "-c" => walk.columns = true,
            "-i" => walk.interactive = true,
            "-T" => walk.flush = true,
            "-B" => walk.no_final = true,
            "-b" => walk.silent = true,
            "-m" => self.reading.lossy = true,
            "-k" => walk.trail = Some(TrailName::File(value(word)?.into())),
            // They shape the generated verifier, or the graphical tool, of which there is none.
            "-o1" | "-o2" | "-o3" | "-o4" | "-o5" | "-x" | "-h" | "-S1" | "-S2" | "-C" => {}
            "-o6" | "-o7" => {
                return Err(format!(
                    "`{word}` asks for the rules of an old version of SPIN, which are not available"
                ));
            }
            "-J" => return Err(unavailable(word, "nested escapes are tried from the outside")),
            "-A" => return Err(unavailable(word, "there is no slicing")),
            "-f" => self.reading.formula = Some(Formula::Text(value(word)?)),
            "-F" => self.reading.formula = Some(Formula::File(value(word)?.into())),
            "-N" => self.reading.claim = Some(value(word)?.into()),
            "-e" | "-L" => return Err(unavailable(word, "claims are never joined into one")),
            "-I" => return Err(unavailable(word, "inlined text is not printed")),
            "-d" => return Err(unavailable(word, "there is no symbol table to print")),
            "-M" => {
                return Err(unavailable(word, "there is no chart in Tcl/Tk; see `everypath show`"));
            }
            "-O" => return Err(unavailable(word, "the scope of names is that of SPIN 6")),
            "-pp" => return Err(unavailable(word, "models are not reformatted")),
            _ => return self.flag_with_number(word),
        }
        Ok(())
    }

    fn flag_with_number(&mut self, word: &str) -> Result<(), String> {
        let walk = &mut self.walk;
        if self.reading.preprocess(word)? || word.starts_with("-P") || word.starts_with("-q") {
            return Ok(());
        }
        if let Some(n) = word.strip_prefix("-n") {
            walk.seed = Some(number(word, n)?);
        } else if let Some(n) = word.strip_prefix("-j") {
            walk.skip = number(word, n)?;
        } else if let Some(n) = word.strip_prefix("-u") {
            walk.most = Some(number(word, n)?);
        } else if let Some(n) = word.strip_prefix("-t") {
            let n = if n.is_empty() { None } else { Some(number(word, n)?) };
            walk.trail = Some(TrailName::Number(n));
        } else {
            return Err(unknown(word, &FLAGS));
        }
        Ok(())
    }

    /// A flag after `-run`: for the C compiler or for the verifier, of which there is neither.
    fn search_flag(&mut self, word: &str, value: &mut Value<'_>) -> Result<(), String> {
        let search = self.search.get_or_insert_default();
        match word {
            "-bfs" | "-bfspar" => search.breadth = true,
            "-safety" => search.safety = true,
            "-noreduce" => search.no_reduction = true,
            "-dfs" | "-dfspar" | "-v" | "-x" | "-g" | "-s" => {}
            "-bit" | "-bitstate" => search.bitstate = true,
            "-hc" => search.compact = Some(64),
            "-collapse" => search.exact(word),
            "-noclaim" => search.no_claim = true,
            "-ltl" | "-N" => search.claim = Some(value(word)?),
            "-a" => search.acceptance = true,
            "-l" => search.non_progress = true,
            "-f" => search.fair = true,
            "-q" => {
                search.unchecked.push("messages left in channels at the end (`-q`)".to_owned());
            }
            "-E" => search.no_end_states = true,
            "-A" => search.no_assertions = true,
            "-e" => search.all_trails = true,
            "-n" => search.no_unreached = true,
            "-b" => search.bounded = true,
            "-i" | "-I" => {
                search.breadth = true;
                search.notes.push(format!("`{word}`: a breadth-first search finds shortest runs"));
            }
            "-bcs" => {
                search.notes.push(format!("`{word}`: context switches are not bounded here"));
            }
            "-rhash" | "-p_permute" | "-p_reverse" | "-t_reverse" | "-W" | "-w" => {}
            "-J" | "-link" | "-d" | "-D" | "-r" | "-C" | "-S" | "-G" => {
                return Err(unavailable(word, "it has no meaning without a generated verifier"));
            }
            _ => return self.search_flag_with_number(word),
        }
        Ok(())
    }

    fn search_flag_with_number(&mut self, word: &str) -> Result<(), String> {
        let search = self.search.get_or_insert_default();
        let begins = |start: &str| word.strip_prefix(start).filter(|rest| !rest.is_empty());
        if let Some(name) = begins("-D") {
            return search.compiler(name);
        }
        if begins("-swarm").is_some() || word == "-swarm" || word.starts_with("-biterate") {
            search.exact(word);
        } else if let Some(n) = begins("-k").filter(|n| starts_with_digit(n)) {
            search.functions = Some(within(word, n, 1, 64)?);
        } else if let Some(n) = begins("-w").filter(|n| starts_with_digit(n)) {
            search.width = Some(within(word, n, 3, 50)?);
        } else if let Some(n) = begins("-hc").filter(|n| starts_with_digit(n)) {
            search.compact = Some(32 + 8 * within(word, n, 0, 4)?);
        } else if ["-O", "-h", "-k", "-p_rotate", "-RS", "-T", "-M", "-U", "-R", "-z", "-X"]
            .iter()
            .any(|start| word == *start || begins(start).is_some_and(starts_with_digit))
        {
            // Sizes and seeds of hash tables, levels of optimisation.
        } else if let Some(n) = begins("-c") {
            search.errors = number(word, n)?;
        } else if let Some(n) = begins("-m") {
            search.depth = Some(number(word, n)?);
        } else if let Some(n) = begins("-Q") {
            search.time = Some(Duration::from_secs(number(word, n)?.saturating_mul(60)));
        } else if let Some(n) = begins("-L") {
            let switches = number(word, n)?;
            search
                .notes
                .push(format!("`{word}`: more than {switches} context switches are allowed"));
        } else if let Some(suffix) = begins("-t") {
            if suffix.contains(['/', '\\']) {
                return Err(format!("`{word}`: the ending of a file name has no slash"));
            }
            search.suffix = suffix.to_owned();
        } else if let Some(name) = begins("-N") {
            search.claim = Some(name.to_owned());
        } else {
            return Err(unknown(word, &SEARCH_FLAGS));
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Request, String> {
        let file = match (self.file, self.reading.formula) {
            (None, Some(formula)) if self.search.is_none() => return Ok(Request::Claim(formula)),
            (file, formula) => {
                self.reading.formula = formula;
                file.ok_or("there is no model: a file comes last")?
            }
        };
        let reading = Reading { file, ..self.reading };
        Ok(match self.search {
            Some(search) => Request::Search(reading, search),
            None if self.read_only => Request::Read(reading),
            None => Request::Walk(reading, self.walk),
        })
    }
}

impl Reading {
    /// Takes a flag for the preprocessor; whether it was one.
    fn preprocess(&mut self, word: &str) -> Result<bool, String> {
        if let Some(name) = word.strip_prefix("-D").filter(|name| !name.is_empty()) {
            self.defines.push(name.to_owned());
        } else if let Some(name) = word.strip_prefix("-U").filter(|name| !name.is_empty()) {
            self.undefines.push(name.to_owned());
        } else if let Some(dir) = word.strip_prefix("-E-I").filter(|dir| !dir.is_empty()) {
            self.includes.push(dir.into());
        } else if let Some(flag) = word.strip_prefix("-E-D").filter(|flag| !flag.is_empty()) {
            self.defines.push(flag.to_owned());
        } else if word.starts_with("-E") {
            return Err(format!("`{word}`: of the preprocessor's flags there are -E-I and -E-D"));
        } else {
            return Ok(false);
        }
        Ok(true)
    }
}

impl Search {
    /// Notes that the usual store will do.
    fn exact(&mut self, word: &str) {
        self.notes.push(format!("`{word}`: the store is exact and keeps states compressed anyway"));
    }

    /// How states are kept.
    pub fn store(&self) -> Storage {
        let arg = match (self.bitstate, self.compact) {
            (true, _) => StoreArg::Bitstate(self.functions.unwrap_or(3)),
            (false, Some(bits)) => StoreArg::Compact(bits),
            (false, None) => StoreArg::Collapse,
        };
        let table = self.width.filter(|_| self.bitstate).map(|width| 1 << width >> 3);
        arg.resolve(table, self.memory, HashingArg::Triple, 0)
    }

    /// A definition for the C compiler of the verifier.
    fn compiler(&mut self, name: &str) -> Result<(), String> {
        let (name, value) = name.split_once('=').unwrap_or((name, ""));
        match name {
            "BFS" => self.breadth = true,
            "NOCLAIM" => self.no_claim = true,
            "BITSTATE" => self.bitstate = true,
            "HC0" => self.compact = Some(32),
            "HC1" => self.compact = Some(40),
            "HC2" => self.compact = Some(48),
            "HC3" => self.compact = Some(56),
            "HC" | "HC4" => self.compact = Some(64),
            "COLLAPSE" | "MA" => self.exact(&format!("-D{name}")),
            "NP" => self.non_progress = true,
            "SAFETY" => self.safety = true,
            "NOREDUCE" => self.no_reduction = true,
            "MEMLIM" => {
                let megabytes = number("-DMEMLIM", value)?;
                self.memory = Some(megabytes.saturating_mul(1 << 20));
            }
            "MEMCNT" => {
                let bits = number("-DMEMCNT", value)?;
                self.memory = Some(1u64.checked_shl(bits as u32).unwrap_or(u64::MAX));
            }
            "BCS" => self.notes.push("`-DBCS`: context switches are not bounded here".to_owned()),
            // They shape the generated C program, not the verdict.
            _ => {}
        }
        Ok(())
    }
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

fn number(word: &str, text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{word}`: `{text}` is not a number"))
}

fn within(word: &str, text: &str, least: u32, most: u32) -> Result<u32, String> {
    match text.parse() {
        Ok(n) if (least..=most).contains(&n) => Ok(n),
        _ => Err(format!("`{word}`: the number goes from {least} to {most}")),
    }
}

fn unavailable(word: &str, why: &str) -> String {
    format!("`{word}` is not available: {why}")
}

fn unknown(word: &str, flags: &[&str]) -> String {
    let meant = match most_similar(word, flags.iter().copied()) {
        Some(flag) => format!("; did you mean `{flag}`?"),
        None => String::new(),
    };
    format!("unknown flag `{word}`{meant}\nthere are {}", flags.join(" "))
}
