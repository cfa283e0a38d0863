//! Random expressions.

use super::{Chan, Field, Generator, Ty, Var};

impl Generator {
    /// All variables in scope.
    pub(super) fn visible(&self) -> impl Iterator<Item = &Var> {
        self.scopes.iter().flatten()
    }

    /// An index for an array of `len` elements.
    pub(super) fn index(&mut self, len: i32) -> String {
        if self.rng.chance(50) {
            return self.rng.below(len as usize).to_string();
        }
        let Some(name) = self.small_name() else {
            return self.rng.below(len as usize).to_string();
        };
        if self.rng.chance(self.profile.bad_index) {
            self.uses("index unchecked");
            name
        } else {
            self.uses("index computed");
            format!("{name} % {len}")
        }
    }

    /// A variable that is never negative.
    fn small_name(&mut self) -> Option<String> {
        let names: Vec<String> = self
            .visible()
            .filter(|v| {
                v.len.is_none() && matches!(v.ty, Ty::Byte | Ty::Bit | Ty::Unsigned(_) | Ty::Pid)
            })
            .map(|v| v.name.clone())
            .collect();
        (!names.is_empty()).then(|| self.rng.pick(&names).clone())
    }

    /// A variable of a wanted kind, with its index and fields. `write` leaves out loop counters.
    pub(super) fn reference(
        &mut self,
        write: bool,
        want: impl Fn(Ty) -> bool,
    ) -> Option<(String, Ty)> {
        let mut found: Vec<(String, Ty, Option<i32>, Option<super::Member>)> = Vec::new();
        for var in self.scopes.iter().flatten() {
            if write && var.reserved {
                continue;
            }
            if let Ty::Struct(s) = var.ty {
                for field in &self.structs[s].fields {
                    let (name, ty, len) = field;
                    if let Ty::Struct(inner) = *ty {
                        for (deep, ty, deep_len) in &self.structs[inner].fields {
                            if want(*ty) && deep_len.is_none() {
                                let path = (
                                    format!("{name}{}.{deep}", len.map_or("", |_| "[1]")),
                                    *ty,
                                    None,
                                );
                                found.push((var.name.clone(), var.ty, var.len, Some(path)));
                            }
                        }
                    } else if want(*ty) {
                        found.push((var.name.clone(), var.ty, var.len, Some(field.clone())));
                    }
                }
            } else if want(var.ty) {
                found.push((var.name.clone(), var.ty, var.len, None));
            }
        }
        if found.is_empty() {
            return None;
        }
        let (mut name, mut ty, len, field) = self.rng.pick(&found).clone();
        if let Some(len) = len {
            self.uses("array element");
            name = format!("{name}[{}]", self.index(len));
        }
        if let Some((field, field_ty, len)) = field {
            self.uses("field");
            ty = field_ty;
            name = match len {
                Some(len) => format!("{name}.{field}[{}]", self.index(len)),
                None => format!("{name}.{field}"),
            };
        }
        Some((name, ty))
    }

    /// A number, usually small.
    pub(super) fn number(&mut self, depth: u32) -> String {
        if depth == 0 || self.rng.chance(35) {
            return self.leaf();
        }
        let a = self.number(depth - 1);
        let k = self.rng.range(2, 4);
        match self.rng.below(14) {
            0..=3 => format!("({a} + {})", self.number(depth - 1)),
            4..=5 => format!("({a} - {})", self.number(depth - 1)),
            6 => format!("({a} * {})", self.number(depth - 1)),
            7 => {
                let op = *self.rng.pick(&["&", "|", "^"]);
                self.uses("bitwise");
                format!("({a} {op} {})", self.number(depth - 1))
            }
            8 => format!("({a} % {k})"),
            9 => {
                self.uses("division");
                format!("({a} / {k})")
            }
            10 => {
                self.uses("shift");
                let op = *self.rng.pick(&["<<", ">>"]);
                format!("({a} {op} 1)")
            }
            11 => {
                self.uses("conditional expression");
                format!("({} -> {a} : {})", self.comparison(), self.number(depth - 1))
            }
            12 => {
                self.uses("unary");
                if self.rng.chance(50) { format!("(-{a})") } else { format!("(~{a} & 3)") }
            }
            _ => format!("({})", self.comparison()),
        }
    }

    fn leaf(&mut self) -> String {
        match self.rng.below(20) {
            0..=4 => self.rng.range(0, 3).to_string(),
            5 => {
                self.uses("_pid");
                "_pid".to_string()
            }
            6 if self.runs || self.rng.chance(30) => {
                self.uses("_nr_pr");
                "_nr_pr".to_string()
            }
            7 => match self.channel(|_| true) {
                Some((name, _)) => {
                    self.uses("len");
                    format!("len({name})")
                }
                None => "1".to_string(),
            },
            8 if self.last => {
                self.uses("_last");
                "_last".to_string()
            }
            9 if self.pc_value && !self.in_d_step => {
                self.uses("pc_value");
                "(pc_value(0) % 3)".to_string()
            }
            10 if self.priority && !self.in_inline && !self.in_d_step => {
                self.uses("_priority");
                if self.rng.chance(50) { "_priority".into() } else { "get_priority(_pid)".into() }
            }
            11..=12 if self.remote && !self.in_d_step => self.remote_variable(),
            _ => match self.reference(false, |ty| !matches!(ty, Ty::Chan | Ty::Struct(_))) {
                Some((name, _)) => name,
                None => "2".to_string(),
            },
        }
    }

    /// A variable of another process.
    fn remote_variable(&mut self) -> String {
        let found: Vec<String> = self
            .other_processes()
            .flat_map(|p| {
                p.locals.iter().flat_map(move |v| {
                    p.pids.iter().map(move |pid| format!("{}[{pid}]:{v}", p.name))
                })
            })
            .collect();
        if found.is_empty() {
            return "0".to_string();
        }
        self.uses("remote variable");
        self.rng.pick(&found).clone()
    }

    /// The finished proctypes other than the current one.
    fn other_processes(&self) -> impl Iterator<Item = &super::Proc> {
        let current = self.current;
        self.procs.iter().enumerate().filter(move |(i, _)| Some(*i) != current).map(|(_, p)| p)
    }

    /// A comparison that is often true.
    pub(super) fn comparison(&mut self) -> String {
        let Some((name, ty)) = self.reference(false, |ty| !matches!(ty, Ty::Struct(_) | Ty::Chan))
        else {
            return format!("_pid == {}", self.rng.below(2));
        };
        let op = *self.rng.pick(&["==", "==", "!=", "!=", "<", "<=", ">", ">="]);
        match ty {
            Ty::Mtype | Ty::Kind => {
                let op = if self.rng.chance(80) { "==" } else { op };
                format!("{name} {op} {}", self.symbol(ty))
            }
            _ if self.rng.chance(25) => format!("{name} {op} {}", self.number(1)),
            _ => format!("{name} {op} {}", self.rng.range(0, 2)),
        }
    }

    /// A condition.
    pub(super) fn condition(&mut self, depth: u32) -> String {
        if self.remote && !self.in_d_step && self.rng.chance(12) {
            return self.remote_label();
        }
        match self.rng.below(20) {
            0..=1 if depth > 0 => {
                let op = *self.rng.pick(&["&&", "||"]);
                format!("({}) {op} ({})", self.condition(depth - 1), self.condition(depth - 1))
            }
            2 if depth > 0 => format!("!({})", self.condition(depth - 1)),
            3 if !self.conditions.is_empty() => {
                self.uses("macro");
                self.rng.pick(&self.conditions.clone()).clone()
            }
            4 if !self.exclusive => self.poll().unwrap_or_else(|| self.comparison()),
            5..=6 if self.enabled && !self.in_d_step => {
                // Only earlier processes: two that ask for each other would never get an answer.
                let earlier = self.current.unwrap_or_default();
                let pids: Vec<i32> =
                    self.procs[..earlier].iter().flat_map(|p| p.pids.iter().copied()).collect();
                if pids.is_empty() {
                    return self.comparison();
                }
                self.uses("enabled");
                format!("enabled({})", self.rng.pick(&pids))
            }
            7 if self.runs => {
                self.uses("_nr_pr");
                format!(
                    "_nr_pr {} {}",
                    self.rng.pick(&["==", "<", ">="]).to_owned(),
                    self.rng.range(1, 3)
                )
            }
            8 => self.number(1),
            _ => self.comparison(),
        }
    }

    fn remote_label(&mut self) -> String {
        let found: Vec<String> = self
            .other_processes()
            .flat_map(|p| {
                p.labels.iter().flat_map(move |l| {
                    p.pids.iter().map(move |pid| format!("{}[{pid}]@{l}", p.name))
                })
            })
            .collect();
        if found.is_empty() {
            return self.comparison();
        }
        self.uses("remote label");
        self.rng.pick(&found).clone()
    }

    /// Conditions on channels that stand alone: they cannot be negated or compared.
    pub(super) fn probe(&mut self) -> Option<String> {
        let (name, _) = self.channel(|_| true)?;
        self.uses("probe");
        let probe = *self.rng.pick(&["full", "empty", "nfull", "nempty"]);
        let text = format!("{probe}({name})");
        Some(match self.rng.below(6) {
            0 => format!("({text} && {})", self.comparison()),
            1 => format!("({text} || {})", self.comparison()),
            _ => text,
        })
    }

    /// `q?[..]` on a buffered channel.
    fn poll(&mut self) -> Option<String> {
        let rendezvous = self.rendezvous;
        let (name, chan) = self.channel(move |c| c.capacity.map_or(!rendezvous, |n| n > 0))?;
        self.uses("poll");
        let op = if !chan.exclusive && self.rng.chance(40) { "??" } else { "?" };
        let args = self.pattern(&chan.fields);
        Some(format!("{name}{op}[{args}]"))
    }

    /// A channel in scope, with its index.
    pub(super) fn channel(&mut self, want: impl Fn(&Chan) -> bool) -> Option<(String, Chan)> {
        let found: Vec<Chan> = self.chans.iter().flatten().filter(|c| want(c)).cloned().collect();
        if found.is_empty() {
            return None;
        }
        let chan = self.rng.pick(&found).clone();
        let name = match chan.len {
            Some(len) => {
                self.uses("channel array");
                format!("{}[{}]", chan.name, self.index(len))
            }
            None => chan.name.clone(),
        };
        Some((name, chan))
    }

    /// The name of a symbolic constant.
    pub(super) fn symbol(&mut self, ty: Ty) -> &'static str {
        if ty == Ty::Kind {
            self.uses("mtype subtype");
            let word: &&str = self.rng.pick(&["hot", "cold"]);
            return word;
        }
        self.uses("mtype");
        let word: &&str = self.rng.pick(&["red", "green", "blue"]);
        word
    }

    /// The arguments of a receive or a poll.
    pub(super) fn pattern(&mut self, fields: &[Field]) -> String {
        let mut taken: Vec<String> = Vec::new();
        let mut args: Vec<String> = Vec::new();
        for field in fields {
            let arg = match *field {
                Field::Struct(s) => match self.whole(s) {
                    // One name for several fields: a second use would assign it twice.
                    Some(name) if !taken.contains(&name) => {
                        taken.push(name.clone());
                        name
                    }
                    _ => vec!["_"; self.structs[s].fields.len()].join(","),
                },
                Field::Chan => match self.reference(true, |ty| ty == Ty::Chan) {
                    Some((name, _)) if take(&mut taken, &name) => name,
                    _ => "_".to_string(),
                },
                Field::Plain(ty) => self.pattern_item(ty, &mut taken),
            };
            args.push(arg);
        }
        args.join(",")
    }

    fn pattern_item(&mut self, ty: Ty, taken: &mut Vec<String>) -> String {
        let symbolic = matches!(ty, Ty::Mtype | Ty::Kind);
        match self.rng.below(10) {
            0..=1 => {
                self.uses("receive constant");
                if symbolic {
                    self.symbol(ty).to_string()
                } else {
                    self.rng.range(0, 2).to_string()
                }
            }
            2 => {
                self.uses("eval");
                // SPIN's verifier evaluates it again to take the step back, after the assignments: it
                // must not depend on what is received.
                let inner = match self.reference(false, |t| !matches!(t, Ty::Chan | Ty::Struct(_)))
                {
                    Some((name, _)) if take(taken, &name) => name,
                    _ => self.rng.range(0, 2).to_string(),
                };
                format!("eval({inner})")
            }
            3 => {
                self.uses("wildcard");
                "_".to_string()
            }
            _ => {
                let target = self.reference(true, |t| {
                    if symbolic { t == ty } else { matches!(t, Ty::Byte | Ty::Int | Ty::Short) }
                });
                match target {
                    Some((name, _)) if take(taken, &name) => name,
                    _ => "_".to_string(),
                }
            }
        }
    }

    /// A variable of a structure type, as a whole.
    pub(super) fn whole(&mut self, wanted: usize) -> Option<String> {
        let names: Vec<String> = self
            .visible()
            .filter(|v| v.ty == Ty::Struct(wanted) && v.len.is_none())
            .map(|v| v.name.clone())
            .collect();
        (!names.is_empty()).then(|| self.rng.pick(&names).clone())
    }

    /// A value for a variable or field of a type, kept small.
    pub(super) fn value(&mut self, ty: Ty) -> String {
        match ty {
            Ty::Mtype | Ty::Kind => match self.reference(false, |t| t == ty) {
                Some((name, _)) if self.rng.chance(30) => name,
                _ => self.symbol(ty).to_string(),
            },
            Ty::Bit | Ty::Bool => match self.rng.below(4) {
                0 => (*self.rng.pick(&["true", "false", "1", "0"])).to_string(),
                1 => self.number(1),
                2 => format!("1 - ({})", self.comparison()),
                _ => format!("({})", self.comparison()),
            },
            _ if self.rng.chance(40) => self.rng.range(0, 3).to_string(),
            _ if self.rng.chance(3) => {
                self.uses("truncation");
                (*self.rng.pick(&["255", "256", "257", "-1", "65537"])).to_string()
            }
            _ => format!("{} % {}", self.number(2), self.rng.range(2, 4)),
        }
    }
}

/// Whether a variable may stand in a pattern beside those in `taken`; if so it is added. An element
/// of an array stands alone, since its index may be one of the others.
fn take(taken: &mut Vec<String>, name: &str) -> bool {
    let element = |name: &str| name.contains('[');
    if taken.iter().any(|t| t == name || element(t)) || element(name) && !taken.is_empty() {
        return false;
    }
    taken.push(name.to_string());
    true
}
