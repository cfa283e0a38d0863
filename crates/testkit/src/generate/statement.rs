//! Random statements.

use super::{Chan, Field, Generator, Place, Ty, Var};

impl Generator {
    /// The statements of a process.
    pub(super) fn top_level(&mut self) {
        let loops = self.rng.chance(45);
        if loops {
            // A loop around everything, often with an end label so that waiting is no error.
            for _ in 0..self.rng.below(2) {
                self.statement(Place::default());
            }
            self.repetition(Place::default());
        }
        while self.fuel > 0 {
            self.statement(Place::default());
        }
        if self.text.ends_with("{\n") {
            self.plain(Place::default());
        }
    }

    /// Up to `most` statements, at least one.
    pub(super) fn statements(&mut self, place: Place, most: i32) {
        let mut place = place;
        for _ in 0..self.rng.range(1, most.max(1)) {
            self.statement(place);
            place = place.later();
        }
    }

    /// One statement of any kind.
    pub(super) fn statement(&mut self, place: Place) {
        self.fuel -= 1;
        if place.atomic && !place.d_step && !place.no_label && self.rng.chance(4) {
            self.uses("jump into atomic");
            // Something to jump to from another sequence.
            let name = self.fresh("L");
            self.labels.push((name.clone(), true));
            self.line(&format!("{name}:"));
            return self.assignment();
        }
        let w = self.profile.weights.clone();
        let deep = place.depth >= 4 || self.fuel < 0;
        let compound = |weight: u32| if deep { 0 } else { weight };
        let jump = |weight: u32| {
            if place.d_step || self.in_inline { 0 } else { weight }
        };
        // Inside a d_step everything but the first statement should not block.
        let block = |weight: u32| {
            if place.d_step && !place.guard { 0 } else { weight }
        };
        // A d_step that begins with `assert`, `printf` or a choice of assignments is taken for a
        // receiver by SPIN's verifier.
        let receiver = place.d_step && place.guard && self.rendezvous;
        let first = |weight: u32| if receiver { 0 } else { weight };
        let weights = [
            w.assign,
            block(w.condition),
            first(w.assert),
            first(w.skip),
            if self.in_inline && place.d_step { 0 } else { block(w.channel) },
            first(compound(w.selection)),
            first(compound(w.repetition)),
            first(compound(w.for_loop)),
            first(w.select),
            if self.in_inline { 0 } else { compound(w.atomic) },
            compound(if place.d_step || self.in_inline { 0 } else { w.d_step }),
            jump(compound(w.unless)),
            jump(w.goto),
            first(compound(w.block)),
            jump(w.declaration),
            jump(w.run),
            jump(if place.depth < 2 { w.timeout } else { 1 }),
            if self.in_inline { 0 } else { first(w.call) },
            if self.priority && !place.d_step { w.priority } else { 0 },
        ];
        let kind = self.rng.weighted(&weights);
        let labelled = self.label(place, kind);
        match kind {
            0 => self.assignment(),
            1 => self.guard(),
            2 => self.assertion(),
            3 => self.skips(place, labelled),
            4 => self.channel_statement(place),
            5 => self.selection(place),
            6 => self.repetition(place),
            7 => self.for_loop(place),
            8 => self.select(place),
            9 => self.atomic(place),
            10 => self.d_step(place),
            11 => self.unless(place),
            12 => self.goto(place),
            13 => self.block(place),
            14 => self.declaration(),
            15 => self.run(),
            16 => self.timeout(),
            17 => self.call(place),
            _ => self.set_priority(),
        }
    }

    /// A statement that always goes on and has no parts.
    pub(super) fn plain(&mut self, _place: Place) {
        self.assignment();
    }

    /// Perhaps a label for the statement that follows.
    fn label(&mut self, place: Place, kind: usize) -> bool {
        // Not before a declaration; before `unless` only a block could carry one.
        let allowed =
            !(place.d_step || place.no_label || self.in_inline || kind == 14 || kind == 11);
        if !allowed || !self.rng.chance(if place.first { 3 } else { 12 }) {
            return false;
        }
        let prefix =
            *self.rng.pick(&["L", "L", "L", "L", "end", "end", "endL", "progress", "accept"]);
        if prefix.starts_with("end") {
            self.uses("end label");
        }
        let name = self.fresh(prefix);
        self.uses("label");
        if place.first {
            self.uses("label on guard");
        }
        self.labels.push((name.clone(), place.atomic));
        self.line(&format!("{name}:"));
        true
    }

    pub(super) fn assignment(&mut self) {
        if let Some(update) = self.updates.first().cloned()
            && self.rng.chance(8)
            && let Some((name, _)) = self.reference(true, |ty| matches!(ty, Ty::Byte | Ty::Int))
        {
            self.uses("macro with arguments");
            let n = self.rng.range(2, 3);
            self.line(&format!("{update}({name}, {n});"));
            return;
        }
        if self.rng.chance(8)
            && let Some((name, _)) =
                self.reference(true, |ty| matches!(ty, Ty::Bit | Ty::Bool | Ty::Unsigned(2)))
        {
            self.uses("increment");
            let op = *self.rng.pick(&["++", "--"]);
            self.line(&format!("{name}{op};"));
            return;
        }
        let Some((name, ty)) = self.reference(true, |ty| !matches!(ty, Ty::Chan | Ty::Struct(_)))
        else {
            self.line("g0 = 1;");
            return;
        };
        let value = self.value(ty);
        self.line(&format!("{name} = {value};"));
    }

    /// A condition or a probe as a statement.
    pub(super) fn guard(&mut self) {
        let probe = if self.rng.chance(12) && !self.exclusive { self.probe() } else { None };
        let text = probe.unwrap_or_else(|| self.condition(1));
        let sep = if self.rng.chance(70) { " ->" } else { ";" };
        self.uses("condition");
        self.line(&format!("({text}){sep}"));
    }

    fn assertion(&mut self) {
        self.uses("assert");
        let text = match self.rng.below(4) {
            0 => self.condition(1),
            1 => format!("g0 < {}", self.rng.range(2, 4)),
            _ => "g0 <= 255".to_string(),
        };
        self.line(&format!("assert({text});"));
    }

    fn skips(&mut self, place: Place, labelled: bool) {
        // A loop whose option does nothing is refused: something real comes first.
        if place.in_loop && (place.first || labelled) {
            self.assignment();
        }
        for _ in 0..*self.rng.pick(&[1, 1, 1, 2, 3]) {
            if self.rng.chance(30) {
                self.uses("printf");
                match self.reference(false, |ty| !matches!(ty, Ty::Chan | Ty::Struct(_))) {
                    Some((name, Ty::Mtype)) => self.line(&format!("printf(\"%e\\n\", {name});")),
                    Some((name, _)) => self.line(&format!("printf(\"%d\\n\", {name});")),
                    None => self.line("printf(\"here\\n\");"),
                }
            } else {
                self.uses("skip");
                let word = *self.rng.pick(&["skip", "skip", "true"]);
                self.line(&format!("{word};"));
            }
        }
    }

    fn channel_statement(&mut self, place: Place) {
        if place.d_step {
            // Only a receive may be the guard of a d_step.
            return match self.channel(|_| true) {
                Some((name, chan)) => {
                    self.uses("d_step guard receive");
                    // With rendezvous channels SPIN writes wrong C for a copying receive there.
                    let capacity = if self.rendezvous { None } else { chan.capacity };
                    self.receive(&name, &Chan { capacity, exclusive: self.rendezvous, ..chan });
                }
                None => self.assignment(),
            };
        }
        if self.rng.chance(12) && self.pass_channel() {
            return;
        }
        let Some((name, chan)) = self.channel(|c| c.capacity.is_some() || c.name != "lc") else {
            return self.assignment();
        };
        if self.rng.chance(50) {
            self.send(&name, &chan);
        } else {
            self.receive(&name, &chan);
        }
    }

    /// Gets a channel from another one and uses it.
    fn pass_channel(&mut self) -> bool {
        let Some((outer, chan)) = self.channel(|c| c.fields.first() == Some(&Field::Chan)) else {
            return false;
        };
        let inner = self.passable();
        let rest = if chan.fields.len() > 1 { ",1" } else { "" };
        match inner {
            Some(inner) if self.rng.chance(50) => {
                self.uses("send channel");
                self.line(&format!("{outer}!{inner}{rest};"));
            }
            _ => {
                if !self.visible().any(|v| v.name == "lc") {
                    return false;
                }
                self.uses("use received channel");
                let wild = if chan.fields.len() > 1 { ",_" } else { "" };
                self.line(&format!("{outer}?lc{wild};"));
                let n = self.rng.range(0, 2);
                if self.rng.chance(60) {
                    self.line(&format!("lc!{n};"));
                } else {
                    self.line("lc?_;");
                }
            }
        }
        true
    }

    fn send(&mut self, name: &str, chan: &Chan) {
        let mut args: Vec<String> = Vec::new();
        for field in &chan.fields {
            args.push(match *field {
                Field::Plain(Ty::Mtype) => self.symbol(Ty::Mtype).to_string(),
                Field::Plain(Ty::Kind) => self.value(Ty::Kind),
                // Small enough for every variable that may receive it: SPIN's verifier takes a
                // receive back with the value as it was cut.
                Field::Plain(ty) => format!("({}) & 3", self.value(ty)),
                Field::Chan => match self.passable() {
                    Some(name) => name,
                    None => return self.assignment(),
                },
                Field::Struct(s) => match self.whole(s) {
                    Some(name) => name,
                    None => return self.assignment(),
                },
            });
        }
        let op = if !chan.exclusive && chan.capacity.is_some_and(|n| n > 0) && self.rng.chance(20) {
            self.uses("sorted send");
            "!!"
        } else {
            self.uses("send");
            "!"
        };
        if args.len() > 1 && self.rng.chance(self.profile.bad_fields) {
            self.uses("too few fields sent");
            args.pop();
        }
        if args.len() > 1 && self.rng.chance(25) {
            self.uses("message in parentheses");
            let first = args.remove(0);
            self.line(&format!("{name}{op}{first}({});", args.join(", ")));
        } else {
            self.line(&format!("{name}{op}{};", args.join(", ")));
        }
    }

    pub(super) fn receive(&mut self, name: &str, chan: &Chan) {
        let args = self.pattern(&chan.fields);
        // SPIN's verifier evaluates the index again to take the step back: it must not depend on
        // what is received.
        let constant = format!("{}[0]", chan.name);
        let name = match name.split_once('[') {
            Some((_, index)) if index.contains(|c: char| c.is_ascii_alphabetic()) => &constant,
            _ => name,
        };
        let buffered = chan.capacity.map_or(!self.rendezvous, |n| n > 0);
        let op = if !chan.exclusive && self.rng.chance(25) {
            self.uses("random receive");
            "??"
        } else {
            "?"
        };
        let args = self.misfit(args, op);
        if buffered && self.rng.chance(18) {
            self.uses("copy receive");
            self.line(&format!("{name}{op}<{args}>;"));
        } else if !buffered && chan.capacity.is_some() && self.rng.chance(self.profile.bad_fields) {
            self.uses("copy receive on rendezvous");
            self.line(&format!("{name}{op}<{args}>;"));
        } else {
            self.uses("receive");
            self.line(&format!("{name}{op}{args};"));
        }
    }

    /// A pattern, now and then with another number of fields.
    fn misfit(&mut self, args: String, op: &str) -> String {
        if self.in_d_step || !self.rng.chance(self.profile.bad_fields) {
            return args;
        }
        match args.rsplit_once(',') {
            Some((fewer, _)) if self.rng.chance(60) && !fewer.contains('(') => {
                self.uses("too few fields received");
                fewer.to_owned()
            }
            // The functions of SPIN's verifier take no more for a random receive.
            _ if op == "?" => {
                self.uses("too many fields received");
                format!("{args},_")
            }
            _ => args,
        }
    }

    /// Starts the frame of a selection, unless it belongs to the option it begins.
    fn enter_selection(&mut self, place: Place) {
        if !place.first || self.elses.is_empty() {
            self.elses.push(false);
        } else {
            self.uses("nested selection first");
        }
    }

    fn leave_selection(&mut self, place: Place, depth: usize) {
        if !(place.first && depth > 0) {
            self.elses.pop();
        }
    }

    /// Whether this selection may have an else; if so it has one from now on.
    fn take_else(&mut self) -> bool {
        let used = self.elses.last_mut().expect("a selection is open");
        if *used || self.exclusive {
            return false;
        }
        *used = true;
        true
    }

    pub(super) fn selection(&mut self, place: Place) {
        self.uses("if");
        let depth = self.elses.len();
        self.enter_selection(place);
        self.line("if");
        let options = self.rng.range(1, 3);
        let mixed = place.d_step && self.rng.chance(20);
        for i in 0..options {
            self.option(place.deeper(), i == 0 || mixed);
        }
        // Without an else a selection inside a d_step might block.
        let needed = place.d_step && !place.guard && !self.rng.chance(self.profile.bad_d_step);
        if !place.d_step && !self.in_inline && self.rng.chance(8) {
            self.d_step_else();
            if self.rng.chance(50) {
                self.option(place.deeper(), true);
            }
        }
        if (needed || self.rng.chance(40)) && self.take_else() {
            self.else_option(place.deeper());
        } else if needed {
            self.line(":: skip;");
        }
        self.line("fi;");
        self.leave_selection(place, depth);
    }

    /// An `else` inside of a `d_step`: it asks about the options before it only.
    fn d_step_else(&mut self) {
        self.uses("else in d_step");
        self.line(":: d_step {");
        self.indent += 1;
        self.line("else ->");
        self.assignment();
        if self.rng.chance(30) {
            self.assertion();
        }
        self.indent -= 1;
        self.line("};");
    }

    fn else_option(&mut self, place: Place) {
        self.uses("else");
        if self.rng.chance(25) {
            self.line(":: else;");
            return;
        }
        self.line(":: else ->");
        self.indent += 1;
        self.statements(place.later(), 2);
        self.indent -= 1;
    }

    /// An option: its first statement decides when it can be taken.
    fn option(&mut self, place: Place, plain: bool) {
        let inner = Place { first: true, no_label: false, ..place };
        self.line("::");
        self.indent += 1;
        match self.rng.below(10) {
            0..=4 => self.option_guard(),
            5 if plain => self.assignment(),
            6 if !place.d_step && !self.in_inline && !self.exclusive => {
                self.channel_statement(inner)
            }
            7 if place.d_step => self.option_guard(),
            8 if !place.d_step && place.depth < 4 && self.rng.chance(60) => {
                if self.rng.chance(50) {
                    self.selection(inner)
                } else {
                    self.repetition(inner)
                }
            }
            _ if place.d_step || self.in_inline => self.option_guard(),
            _ => self.statement(inner),
        }
        if self.rng.chance(65) && self.fuel > -6 {
            self.statements(place.later(), 2);
        }
        self.indent -= 1;
    }

    fn option_guard(&mut self) {
        self.guard();
        // The guard ends in a separator; a loop needs something that changes the state.
        self.assignment();
    }

    pub(super) fn repetition(&mut self, place: Place) {
        if place.atomic || place.d_step || self.in_inline {
            return self.bounded_loop(place);
        }
        self.uses("do");
        let depth = self.elses.len();
        if !place.first && !place.no_label && self.rng.chance(35) {
            self.uses("end label");
            let name = self.fresh("end");
            self.labels.push((name.clone(), place.atomic));
            self.line(&format!("{name}:"));
        }
        self.enter_selection(place);
        self.line("do");
        let inner = Place { in_loop: true, ..place.deeper() };
        for _ in 0..self.rng.range(1, 3) {
            self.option(inner, true);
        }
        if self.rng.chance(70) {
            self.uses("break");
            match self.rng.below(4) {
                0 => self.line(":: break;"),
                1 if self.take_else() => self.line(":: else -> break;"),
                2 => {
                    let test = self.condition(1);
                    self.line(&format!(":: ({test}) -> break;"));
                }
                _ => {
                    self.line("::");
                    self.indent += 1;
                    self.option_guard();
                    self.line("break;");
                    self.indent -= 1;
                }
            }
        } else if self.rng.chance(30) && self.take_else() {
            self.else_option(inner);
        }
        self.line("od;");
        self.leave_selection(place, depth);
    }

    /// A loop that ends: for places where an endless one would hang SPIN.
    fn bounded_loop(&mut self, place: Place) {
        if self.in_inline {
            return self.selection(place);
        }
        self.uses("bounded do");
        let counter = self.fresh("n");
        let braces = !place.no_label && !place.first;
        if !braces {
            return self.assignment();
        }
        self.line("{");
        self.indent += 1;
        self.open_scope();
        self.line(&format!("byte {counter};"));
        self.reserve(&counter);
        self.line(&format!("{counter} = 0;"));
        self.line("do");
        let bound = self.rng.range(1, 2);
        self.line(&format!(":: {counter} < {bound} ->"));
        self.indent += 1;
        self.line(&format!("{counter}++;"));
        let inner = Place { in_loop: false, ..place.later().deeper() };
        self.statements(inner, 2);
        self.indent -= 1;
        self.line(":: else -> break;");
        self.line("od;");
        self.after_loop(place);
        self.close_scope();
        self.indent -= 1;
        self.line("};");
    }

    fn reserve(&mut self, name: &str) {
        let var = Var { name: name.to_string(), ty: Ty::Byte, len: None, reserved: true };
        self.scopes.last_mut().expect("there is a scope").push(var);
    }

    fn for_loop(&mut self, place: Place) {
        if self.in_inline || place.no_label || place.first {
            return self.assignment();
        }
        let inner = Place { in_loop: !place.atomic && !place.d_step, ..place.later().deeper() };
        if self.rng.chance(60)
            && !place.d_step
            && let Some((queue, chan)) = self.channel(|c| {
                matches!(c.fields[..], [Field::Struct(_)])
                    && c.capacity.is_some_and(|n| n > 0)
                    && c.len.is_none()
            })
            && let Field::Struct(s) = chan.fields[0]
            && let Some(var) = self.whole(s)
        {
            self.uses("for channel");
            self.line(&format!("for ({var} in {queue}) {{"));
            self.indent += 1;
            self.assignment();
            self.indent -= 1;
            self.line("};");
            return;
        }
        let arrays: Vec<(String, i32)> =
            self.visible().filter_map(|v| Some((v.name.clone(), v.len?))).collect();
        let hidden = self.hidden && place.d_step;
        self.line("{");
        self.indent += 1;
        self.open_scope();
        let counter = if hidden { "hid".to_string() } else { self.fresh("i") };
        if hidden {
            self.uses("hidden");
            // One loop at a time has the counter.
            self.hidden = false;
        } else {
            let ty = *self.rng.pick(&["byte", "byte", "int", "short"]);
            self.line(&format!("{ty} {counter};"));
        }
        if !arrays.is_empty() && self.rng.chance(40) {
            self.uses("for array");
            let (name, _) = self.rng.pick(&arrays).clone();
            self.line(&format!("for ({counter} in {name}) {{"));
        } else {
            self.uses("for range");
            let low = self.rng.range(0, 1);
            let high = self.rng.range(low, 2);
            let high =
                if self.rng.chance(15) { format!("(g0 % 2) + {low}") } else { high.to_string() };
            self.line(&format!("for ({counter} : {low} .. {high}) {{"));
        }
        self.indent += 1;
        self.open_scope();
        self.reserve(&counter);
        self.statements(inner, 2);
        if inner.in_loop && self.rng.chance(15) {
            self.uses("break from for");
            self.line("if");
            let test = self.comparison();
            self.line(&format!(":: {test} -> break;"));
            self.line(":: else;");
            self.line("fi;");
        }
        self.close_scope();
        self.indent -= 1;
        self.line("};");
        self.hidden |= hidden;
        self.after_loop(place);
        self.close_scope();
        self.indent -= 1;
        self.line("};");
    }

    /// A loop that ends a d_step would jump out of it.
    fn after_loop(&mut self, place: Place) {
        if place.d_step {
            self.line("skip;");
        }
    }

    fn select(&mut self, place: Place) {
        let Some((name, ty)) =
            self.reference(true, |ty| matches!(ty, Ty::Byte | Ty::Int | Ty::Short))
        else {
            return self.assignment();
        };
        // An argument of an inline may turn out to be an array element.
        let formal = self.in_inline && !name.starts_with('g');
        let plain = !formal && name.chars().all(|c| c.is_ascii_alphanumeric());
        if plain && self.rng.chance(70) {
            self.uses("select");
            let high = self.rng.range(1, 2);
            self.line(&format!("select ({name} : 0 .. {high});"));
        } else if plain && ty == Ty::Byte {
            self.uses("select with expression");
            self.line(&format!("select ({name} : 0 .. 1 + (_pid > 0));"));
            self.after_loop(place);
        } else {
            self.assignment();
        }
    }

    fn atomic(&mut self, place: Place) {
        self.uses(if place.d_step {
            "atomic in d_step"
        } else if place.atomic {
            "atomic in atomic"
        } else {
            "atomic"
        });
        self.line("atomic {");
        let inner = Place {
            atomic: true,
            no_label: true,
            in_loop: place.in_loop && !place.atomic,
            ..place.deeper()
        };
        self.in_braces(inner, 3);
        if inner.in_loop && !place.d_step && self.rng.chance(25) {
            self.uses("break out of atomic");
            self.indent += 1;
            self.conditional_jump("break");
            self.indent -= 1;
        } else if !place.d_step && self.rng.chance(12) {
            self.uses("goto at the end of atomic");
            self.indent += 1;
            self.line("goto @A@;");
            self.indent -= 1;
        }
        self.line("};");
    }

    fn d_step(&mut self, place: Place) {
        self.uses("d_step");
        // SPIN refuses a jump to a d_step, also the break of a loop before it, but not to a block.
        let last = self.text.trim_end().rsplit('\n').next().unwrap_or_default().trim();
        let target = last == "od;"
            || last.starts_with("select")
            || last.starts_with("call")
            || last == "};"
            || last.ends_with(':') && last != "::";
        if target {
            self.line("{");
            self.indent += 1;
        }
        self.line("d_step {");
        let inner =
            Place { d_step: true, guard: true, no_label: true, in_loop: false, ..place.deeper() };
        let blocks = self.rng.chance(self.profile.bad_d_step);
        self.in_d_step = true;
        if self.rendezvous && self.rng.chance(self.profile.bad_d_step) {
            let number = |field: &Field| {
                matches!(field, Field::Plain(Ty::Byte | Ty::Bit | Ty::Bool | Ty::Short | Ty::Int))
            };
            let offered = self.channel(|c| c.capacity == Some(0) && c.fields.iter().all(number));
            if let Some((name, chan)) = offered {
                self.uses("d_step offers");
                self.indent += 1;
                self.line(&format!("{name}!{};", vec!["1"; chan.fields.len()].join(",")));
                self.indent -= 1;
            }
        }
        if !self.rendezvous && self.rng.chance(20) {
            self.uses("d_step guard selection");
            self.indent += 1;
            self.selection(inner);
            self.indent -= 1;
            self.in_braces(inner.later(), 2);
        } else {
            self.in_braces(inner, 3);
        }
        if self.hidden && self.rng.chance(30) {
            self.indent += 1;
            self.for_loop(inner.later());
            self.indent -= 1;
        }
        self.in_d_step = false;
        if blocks {
            self.uses("d_step may block");
            // The closing brace of the scope is not written yet: the condition is the last statement.
            self.indent += 1;
            let test = self.comparison();
            self.line(&format!("({test});"));
            self.indent -= 1;
        }
        self.line("};");
        if target {
            self.indent -= 1;
            self.line("};");
        }
    }

    pub(super) fn in_braces(&mut self, place: Place, most: i32) {
        self.indent += 1;
        self.open_scope();
        self.statements(place, most);
        self.close_scope();
        self.indent -= 1;
    }

    fn block(&mut self, place: Place) {
        self.uses("block");
        self.line("{");
        let inner = Place { no_label: true, ..place.deeper() };
        self.in_braces(inner, 2);
        self.line("};");
    }

    fn declaration(&mut self) {
        self.uses("late declaration");
        if !self.structs.is_empty() && self.rng.chance(25) {
            self.uses("late typedef variable");
            let s = self.rng.below(self.structs.len());
            let name = self.fresh("d");
            let len = self.rng.chance(20).then_some(2);
            let array = len.map(|n| format!("[{n}]")).unwrap_or_default();
            let text = format!("{} {name}{array};", self.structs[s].name);
            self.line(&text);
            let var = Var { name, ty: Ty::Struct(s), len, reserved: false };
            self.scopes.last_mut().expect("there is a scope").push(var);
            return;
        }
        let ty = *self.rng.pick(&[Ty::Byte, Ty::Byte, Ty::Bit, Ty::Short, Ty::Int]);
        let word = match ty {
            Ty::Byte => "byte",
            Ty::Bit => "bit",
            Ty::Short => "short",
            _ => "int",
        };
        let name = self.fresh("d");
        let len = self.rng.chance(10).then_some(2);
        if len.is_some() {
            self.uses("late array");
            let init = if self.rng.chance(50) { " = 1" } else { "" };
            self.line(&format!("{word} {name}[2]{init};"));
        } else if self.rng.chance(60) {
            let value = self.value(ty);
            self.line(&format!("{word} {name} = {value};"));
        } else {
            self.line(&format!("{word} {name};"));
        }
        let var = Var { name, ty, len, reserved: false };
        self.scopes.last_mut().expect("there is a scope").push(var);
    }

    fn run(&mut self) {
        let found: Vec<usize> =
            (self.runnable..self.procs.len()).filter(|&i| self.procs[i].active == 0).collect();
        if found.is_empty() || !self.runs {
            return self.assignment();
        }
        let number = *self.rng.pick(&found);
        self.uses("run again");
        let most = self.procs.iter().map(|p| p.active).sum::<i32>() + 3;
        self.line(&format!("(_nr_pr < {most}) ->"));
        let call = self.run_call(number);
        match self.reference(true, |ty| matches!(ty, Ty::Byte | Ty::Pid)) {
            Some((name, _)) if self.rng.chance(30) => {
                self.uses("value of run");
                self.line(&format!("{name} = {call};"));
            }
            _ => self.line(&format!("{call};")),
        }
    }

    fn timeout(&mut self) {
        self.uses("timeout");
        match self.rng.below(4) {
            0 => {
                let test = self.comparison();
                self.line(&format!("(timeout && {test}) ->"));
            }
            1 => {
                let test = self.comparison();
                self.line(&format!("(timeout || {test}) ->"));
            }
            _ => self.line("timeout ->"),
        }
        self.assignment();
    }

    fn call(&mut self, place: Place) {
        let found: Vec<_> = self
            .inlines
            .iter()
            .filter(|i| (i.steady || !place.d_step) && !(place.first && i.has_else))
            .cloned()
            .collect();
        if found.is_empty() {
            return self.assignment();
        }
        let inline = self.rng.pick(&found).clone();
        let mut args = Vec::new();
        for _ in 0..inline.outputs {
            match self.reference(true, |ty| matches!(ty, Ty::Byte | Ty::Int | Ty::Short)) {
                Some((name, _)) => args.push(name),
                None => return self.assignment(),
            }
        }
        for _ in 0..inline.inputs {
            args.push(match self.rng.below(3) {
                0 => self.rng.range(0, 2).to_string(),
                1 => format!("{} + 1", self.rng.range(0, 2)),
                _ => match self.reference(false, |ty| matches!(ty, Ty::Byte | Ty::Int)) {
                    Some((name, _)) => name,
                    None => "1".to_string(),
                },
            });
        }
        self.uses("inline call");
        let call = format!("{}({})", inline.name, args.join(", "));
        if !inline.returns {
            self.line(&format!("{call};"));
            self.after_loop(place);
        } else if let Some((name, _)) = self.reference(true, |ty| ty == Ty::Byte) {
            self.line(&format!("{name} = {call};"));
        } else {
            self.assignment();
        }
    }

    fn set_priority(&mut self) {
        self.uses("set_priority");
        let n = self.rng.range(1, 3);
        self.line(&format!("set_priority(_pid, {n});"));
    }
}
