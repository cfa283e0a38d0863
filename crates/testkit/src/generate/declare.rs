//! Random declarations: globals, types, macros, inlines and processes.

use super::{Chan, Field, Generator, Inline, Place, Proc, Struct, Ty, Var};

impl Generator {
    /// Writes the whole model.
    pub(super) fn model(&mut self) {
        self.line("mtype = { red, green, blue };");
        self.line("mtype:kind = { hot, cold };");
        if self.rng.chance(20) {
            self.uses("mtype continued");
            self.line("mtype = { black };");
        }
        let size = self.rng.range(2, 3);
        let macros = self.rng.chance(self.profile.macros);
        if macros {
            self.uses("macro");
            self.line(&format!("#define SIZE {size}"));
        }
        if self.rng.chance(self.profile.typedefs) {
            self.typedefs();
        }
        self.globals(if macros { "SIZE".to_string() } else { size.to_string() }, size);
        if macros {
            let condition = self.comparison();
            self.line(&format!("#define READY ({condition})"));
            self.conditions.push("READY".to_string());
            self.line("#define STEP(v, n) v = (v + 1) % (n)");
            self.updates.push("STEP".to_string());
        }
        self.plan_processes();
        if self.rng.chance(self.profile.inlines) {
            self.inlines();
        }
        let init_first = self.rng.chance(15);
        if self.runs && init_first {
            self.init();
        }
        for i in 0..self.procs.len() {
            self.proctype(i);
        }
        if self.runs && !init_first {
            self.init();
        }
        if self.environment {
            self.environment();
        }
    }

    /// A process that sends, receives and changes a variable for ever.
    fn environment(&mut self) {
        self.uses("environment");
        self.line("active proctype Env()");
        self.line("{");
        self.indent += 1;
        self.line("end0:");
        self.line("do");
        let k = self.rng.range(2, 3);
        self.line(&format!(":: g0 = (g0 + 1) % {k};"));
        let chans: Vec<Chan> = self.chans[0].iter().take(2).cloned().collect();
        for chan in chans {
            if chan.fields.iter().any(|f| !matches!(f, Field::Plain(_))) || self.rng.chance(20) {
                continue;
            }
            let name =
                if chan.len.is_some() { format!("{}[1]", chan.name) } else { chan.name.clone() };
            if self.rng.chance(50) {
                let args: Vec<String> =
                    chan.fields.iter().map(|_| self.rng.range(0, 1).to_string()).collect();
                self.line(&format!(":: {name}!{};", args.join(",")));
            } else {
                self.line(&format!(":: {name}?{};", vec!["_"; chan.fields.len()].join(",")));
            }
        }
        self.line("od;");
        self.indent -= 1;
        self.line("}");
    }

    fn typedefs(&mut self) {
        self.uses("typedef");
        for s in 0..self.rng.range(1, 2) {
            let name = format!("T{s}");
            let mut fields: Vec<super::Member> = Vec::new();
            let message = s == 0 && self.rng.chance(60);
            for f in 0..self.rng.range(1, 3) {
                let (ty, len) = if message {
                    (*self.rng.pick(&[Ty::Byte, Ty::Bit, Ty::Mtype, Ty::Short]), None)
                } else if s == 1 && f == 0 {
                    self.uses("nested typedef");
                    (Ty::Struct(0), self.rng.chance(50).then_some(2))
                } else if self.rng.chance(30) {
                    self.uses("array in typedef");
                    (*self.rng.pick(&[Ty::Byte, Ty::Bit, Ty::Short]), Some(2))
                } else {
                    (self.scalar(), None)
                };
                // Field names differ from all others: an inline replaces them as well.
                fields.push((format!("f{s}{f}"), ty, len));
            }
            let text: Vec<String> = fields
                .iter()
                .map(|(name, ty, len)| {
                    let text = self.declarator(*ty, name, *len);
                    let valued = !matches!(ty, Ty::Struct(_) | Ty::Mtype | Ty::Kind);
                    if valued && self.rng.chance(35) {
                        self.uses("initial value in typedef");
                        return format!("{text} = {}", self.rng.range(0, 1));
                    }
                    text
                })
                .collect();
            self.line(&format!("typedef {name} {{ {} }};", text.join("; ")));
            self.structs.push(Struct { name, fields, message });
        }
    }

    /// A scalar type.
    fn scalar(&mut self) -> Ty {
        *self.rng.pick(&[
            Ty::Bit,
            Ty::Bool,
            Ty::Byte,
            Ty::Byte,
            Ty::Byte,
            Ty::Byte,
            Ty::Short,
            Ty::Int,
            Ty::Unsigned(2),
            Ty::Unsigned(3),
            Ty::Mtype,
            Ty::Kind,
            Ty::Pid,
        ])
    }

    fn type_name(&self, ty: Ty) -> String {
        match ty {
            Ty::Bit => "bit".into(),
            Ty::Bool => "bool".into(),
            Ty::Byte => "byte".into(),
            Ty::Short => "short".into(),
            Ty::Int => "int".into(),
            Ty::Unsigned(_) => "unsigned".into(),
            Ty::Mtype => "mtype".into(),
            Ty::Kind => "mtype:kind".into(),
            Ty::Pid => "pid".into(),
            Ty::Chan => "chan".into(),
            Ty::Struct(s) => self.structs[s].name.clone(),
        }
    }

    /// A type and a name, without an initial value.
    fn declarator(&self, ty: Ty, name: &str, len: Option<i32>) -> String {
        let kind = self.type_name(ty);
        match (ty, len) {
            (Ty::Unsigned(width), _) => format!("{kind} {name} : {width}"),
            (_, Some(len)) => format!("{kind} {name}[{len}]"),
            _ => format!("{kind} {name}"),
        }
    }

    fn feature_of(ty: Ty) -> &'static str {
        match ty {
            Ty::Bit => "bit",
            Ty::Bool => "bool",
            Ty::Byte => "byte",
            Ty::Short => "short",
            Ty::Int => "int",
            Ty::Unsigned(_) => "unsigned",
            Ty::Mtype => "mtype",
            Ty::Kind => "mtype subtype",
            Ty::Pid => "pid",
            Ty::Chan => "chan variable",
            Ty::Struct(_) => "typedef variable",
        }
    }

    /// Adds a variable to the innermost scope.
    fn add(&mut self, name: &str, ty: Ty, len: Option<i32>) {
        let var = Var { name: name.to_string(), ty, len, reserved: false };
        self.scopes.last_mut().expect("there is a scope").push(var);
    }

    fn globals(&mut self, size: String, len: i32) {
        self.fuel = self.rng.range(self.profile.statements.0, self.profile.statements.1);
        self.declare("byte g0", "g0", Ty::Byte);
        for i in 1..self.rng.range(2, 4) {
            let ty = self.scalar();
            let name = format!("g{i}");
            self.uses(Self::feature_of(ty));
            let mut text = self.declarator(ty, &name, None);
            if self.rng.chance(30) {
                self.uses("initial value");
                text = match ty {
                    Ty::Mtype | Ty::Kind => format!("{text} = {}", self.symbol(ty)),
                    _ => format!("{text} = {}", self.rng.range(0, 3)),
                };
            }
            self.declare(&text, &name, ty);
        }
        if self.rng.chance(35) {
            self.uses("array");
            let ty = *self.rng.pick(&[Ty::Byte, Ty::Bit, Ty::Short, Ty::Mtype, Ty::Bool]);
            let list = self.rng.chance(25) && ty != Ty::Mtype;
            let init = if list {
                self.uses("array list");
                " = { 1, 0 }"
            } else if self.rng.chance(20) && ty != Ty::Mtype {
                " = 1"
            } else {
                ""
            };
            self.line(&format!("{} ga[{size}]{init};", self.type_name(ty)));
            self.add("ga", ty, Some(len));
        }
        for s in 0..self.structs.len() {
            self.uses("typedef variable");
            let name = format!("gs{s}");
            let len = self.rng.chance(20).then_some(2);
            let text = self.declarator(Ty::Struct(s), &name, len);
            self.line(&format!("{text};"));
            self.add(&name, Ty::Struct(s), len);
        }
        if self.hidden {
            self.line("hidden byte hid;");
        }
        if self.rng.chance(8) {
            self.uses("show");
            self.declare("show byte gv", "gv", Ty::Byte);
        }
        self.channels();
    }

    fn declare(&mut self, text: &str, name: &str, ty: Ty) {
        self.line(&format!("{text};"));
        self.add(name, ty, None);
    }

    fn channels(&mut self) {
        let mut count = 0;
        if self.rng.chance(self.profile.buffered) {
            for _ in 0..self.rng.range(1, 2) {
                let capacity = self.rng.range(1, 3) as u32;
                self.global_channel(count, capacity);
                count += 1;
            }
        }
        if self.rendezvous {
            self.global_channel(count, 0);
        }
        if count > 0 && self.rng.chance(25) {
            self.uses("channel of chan");
            let capacity = if self.rendezvous && self.rng.chance(40) { 0 } else { 1 };
            let mut fields = vec![Field::Chan];
            if self.rng.chance(25) {
                fields.push(Field::Plain(Ty::Byte));
            }
            self.channel_line("qc", None, capacity, fields);
            if self.rng.chance(60) {
                self.channel_line("qp", None, 1, vec![Field::Plain(Ty::Byte)]);
            }
        }
        if let Some(s) = self.structs.iter().position(|s| s.message)
            && self.rng.chance(40)
        {
            self.uses("channel of typedef");
            let capacity = self.rng.range(1, 2) as u32;
            self.channel_line("qt", None, capacity, vec![Field::Struct(s)]);
        }
    }

    fn global_channel(&mut self, number: usize, capacity: u32) {
        let mut fields = Vec::new();
        for _ in 0..*self.rng.pick(&[1, 1, 1, 2, 2, 3]) {
            let ty = *self.rng.pick(&[
                Ty::Byte,
                Ty::Byte,
                Ty::Byte,
                Ty::Bit,
                Ty::Bool,
                Ty::Mtype,
                Ty::Short,
                Ty::Int,
                Ty::Pid,
            ]);
            fields.push(Field::Plain(ty));
        }
        let len = self.rng.chance(15).then_some(2);
        let name = format!("q{number}");
        self.channel_line(&name, len, capacity, fields);
    }

    /// Declares a channel in the innermost scope.
    fn channel_line(&mut self, name: &str, len: Option<i32>, capacity: u32, fields: Vec<Field>) {
        self.uses(if capacity == 0 { "rendezvous" } else { "buffered" });
        if fields.len() > 1 {
            self.uses("several fields");
        }
        let types: Vec<String> = fields
            .iter()
            .map(|field| match *field {
                Field::Plain(ty) => self.type_name(ty),
                Field::Chan => "chan".to_string(),
                Field::Struct(s) => self.structs[s].name.clone(),
            })
            .collect();
        let array = len.map(|n| format!("[{n}]")).unwrap_or_default();
        self.line(&format!("chan {name}{array} = [{capacity}] of {{ {} }};", types.join(", ")));
        let chan = Chan {
            name: name.to_string(),
            len,
            fields,
            capacity: Some(capacity),
            exclusive: false,
        };
        self.chans.last_mut().expect("there is a scope").push(chan);
    }

    /// Decides on the proctypes, their parameters and their numbers.
    fn plan_processes(&mut self) {
        let (low, high) = self.profile.proctypes;
        let count = self.rng.range(low, high);
        let mut pid = 0;
        for i in 0..count {
            let mut active = match self.rng.below(10) {
                0..=6 => 1,
                7..=8 => 2,
                _ => 0,
            };
            if self.runs && self.rng.chance(70) {
                active = 0;
            }
            if !self.runs && active == 0 {
                active = 1;
            }
            let mut params = Vec::new();
            if active == 0 {
                for p in 0..self.rng.below(3) {
                    let ty = if self.rng.chance(25) && self.has_passable() {
                        Ty::Chan
                    } else {
                        *self.rng.pick(&[
                            Ty::Byte,
                            Ty::Byte,
                            Ty::Bit,
                            Ty::Short,
                            Ty::Mtype,
                            Ty::Pid,
                        ])
                    };
                    params.push(Var { name: format!("p{i}{p}"), ty, len: None, reserved: false });
                }
            }
            let pids = (pid..pid + active).collect();
            pid += active;
            self.procs.push(Proc {
                name: format!("P{i}"),
                params,
                active,
                locals: Vec::new(),
                labels: Vec::new(),
                pids,
            });
        }
        // The statements are shared by all instances.
        let instances: i32 =
            self.procs.iter().map(|p| p.active.max(1)).sum::<i32>() + i32::from(self.runs);
        let instances = instances + i32::from(self.environment);
        self.fuel = (self.fuel / instances).max(3);
        if instances > 3 {
            self.fuel = self.fuel.min(4);
        }
    }

    /// Whether some channel can be sent over channels and given to processes.
    pub(super) fn has_passable(&self) -> bool {
        self.chans.iter().flatten().any(is_passable)
    }

    fn inlines(&mut self) {
        self.uses("inline");
        self.in_inline = true;
        for i in 0..self.rng.range(1, 2) {
            let outputs = self.rng.below(2);
            let inputs = self.rng.below(3);
            let returns = self.rng.chance(20);
            let start = self.text.len();
            let formals: Vec<String> = (0..outputs + inputs).map(|n| format!("a{i}{n}")).collect();
            let name = format!("call{i}");
            self.line(&format!("inline {name}({})", formals.join(", ")));
            self.line("{");
            self.indent += 1;
            self.open_scope();
            for (n, formal) in formals.iter().enumerate() {
                let var =
                    Var { name: formal.clone(), ty: Ty::Byte, len: None, reserved: n >= outputs };
                self.scopes.last_mut().expect("there is a scope").push(var);
            }
            let steady = self.rng.chance(60);
            let keep = self.fuel;
            self.fuel = self.rng.range(1, 3);
            if self.rng.chance(35) {
                self.uses("inline local");
                let local = format!("il{i}");
                let value = self.value(Ty::Byte);
                self.declare(&format!("byte {local} = {value}"), &local, Ty::Byte);
            } else if !self.structs.is_empty() && self.rng.chance(15) {
                self.uses("typedef variable in inline");
                let s = self.rng.below(self.structs.len());
                let local = format!("is{i}");
                let text = self.declarator(Ty::Struct(s), &local, None);
                self.declare(&text, &local, Ty::Struct(s));
            }
            // Like a d_step, it neither blocks nor jumps, so that it can stand in one.
            let place = Place { d_step: steady, depth: 1, ..Place::default() };
            if self.rng.chance(20) {
                self.uses("inline label");
                self.line("if");
                let test = self.comparison();
                self.line(&format!(":: {test} -> goto inside{i};"));
                self.line(":: else;");
                self.line("fi;");
                self.plain(place);
                self.line(&format!("inside{i}: skip;"));
            } else {
                self.statements(place, 2);
            }
            if returns {
                self.uses("return");
                let value = self.value(Ty::Byte);
                self.line(&format!("return {value};"));
            }
            self.fuel = keep;
            self.close_scope();
            self.indent -= 1;
            self.line("}");
            let jumps = self.text.contains(&format!("inside{i}"));
            let has_else = self.text[start..].contains("else");
            self.inlines.push(Inline {
                name,
                outputs,
                inputs,
                returns,
                steady: steady && !jumps,
                has_else,
            });
        }
        self.in_inline = false;
    }

    fn proctype(&mut self, number: usize) {
        self.current = Some(number);
        self.runnable = number + 1;
        let proc = self.procs[number].clone();
        let active = match proc.active {
            0 => String::new(),
            1 if self.rng.chance(80) => "active ".to_string(),
            n => {
                self.uses("active [n]");
                format!("active [{n}] ")
            }
        };
        let kind = if self.rng.chance(self.profile.d_proctype) {
            self.uses("D_proctype");
            "D_proctype"
        } else {
            "proctype"
        };
        let params: Vec<String> =
            proc.params.iter().map(|p| self.declarator(p.ty, &p.name, None)).collect();
        if !params.is_empty() {
            self.uses("parameters");
        }
        let mut head = format!("{active}{kind} {}({})", proc.name, params.join("; "));
        if self.priority && self.rng.chance(60) {
            self.uses("priority");
            head.push_str(&format!(" priority {}", self.rng.range(1, 3)));
        }
        if self.rng.chance(self.profile.provided) {
            self.uses("provided");
            let plain = matches!(self.rng.below(3), 0);
            let test = if plain {
                format!("_pid == 0 || g0 != {}", self.rng.range(0, 2))
            } else {
                self.global_comparison()
            };
            head.push_str(&format!(" provided ({test})"));
        }
        self.line(&head);
        self.body(&proc.params);
    }

    /// A comparison of scalars that are global.
    fn global_comparison(&mut self) -> String {
        let op = *self.rng.pick(&["==", "!=", "<=", "!="]);
        format!("g0 {op} {}", self.rng.range(0, 2))
    }

    fn init(&mut self) {
        self.current = None;
        self.runnable = 0;
        self.uses("init");
        if self.priority && self.rng.chance(30) {
            self.uses("priority");
            self.line("init priority 2");
        } else {
            self.line("init");
        }
        self.body(&[]);
    }

    /// The braces of a process and what is in them.
    fn body(&mut self, params: &[Var]) {
        self.line("{");
        self.indent += 1;
        self.open_scope();
        self.labels.clear();
        for param in params {
            if param.ty == Ty::Chan {
                self.uses("chan parameter");
                self.chan_variable(&param.name);
            }
            self.scopes.last_mut().expect("there is a scope").push(param.clone());
        }
        self.locals();
        let start = self.text.len();
        let keep = self.fuel;
        if self.current.is_none() {
            self.start_processes();
            self.fuel = self.fuel.min(3);
        }
        self.top_level();
        self.fuel = keep;
        self.resolve_gotos(start);
        let labels: Vec<String> = self.labels.iter().map(|(name, _)| name.clone()).collect();
        if let Some(number) = self.current {
            self.procs[number].labels = labels;
        }
        self.close_scope();
        self.indent -= 1;
        self.line("}");
    }

    /// Makes a variable usable as a channel of one byte.
    pub(super) fn chan_variable(&mut self, name: &str) {
        let chan = Chan {
            name: name.to_string(),
            len: None,
            fields: vec![Field::Plain(Ty::Byte)],
            capacity: None,
            exclusive: false,
        };
        self.chans.last_mut().expect("there is a scope").push(chan);
    }

    /// Declarations before the first statement.
    fn locals(&mut self) {
        let mut names = Vec::new();
        for i in 0..self.rng.below(3) {
            let ty = self.scalar();
            let name = format!("l{i}");
            self.uses("local");
            self.uses(Self::feature_of(ty));
            let mut text = self.declarator(ty, &name, None);
            if self.rng.chance(25) && !matches!(ty, Ty::Mtype | Ty::Kind) {
                self.uses("local initial value");
                text = format!("{text} = {}", self.number(1));
                if self.rng.chance(self.profile.bad_index)
                    && self.visible().any(|v| v.name == "ga" && v.ty != Ty::Mtype)
                {
                    self.uses("bad initial value");
                    text = format!("{} = ga[g0 + 2]", self.declarator(ty, &name, None));
                }
            }
            self.declare(&text, &name, ty);
            names.push(name);
        }
        if self.rng.chance(12) {
            self.uses("local array");
            let ty = *self.rng.pick(&[Ty::Byte, Ty::Bit, Ty::Short]);
            let text = self.declarator(ty, "la", Some(2));
            self.line(&format!("{text};"));
            self.add("la", ty, Some(2));
        }
        if !self.structs.is_empty() && self.rng.chance(20) {
            self.uses("local typedef variable");
            let s = self.rng.below(self.structs.len());
            let text = self.declarator(Ty::Struct(s), "ls", None);
            self.declare(&text, "ls", Ty::Struct(s));
        }
        if self.rng.chance(12) {
            self.uses("local channel");
            let capacity = if self.rendezvous && self.rng.chance(30) { 0 } else { 1 };
            let len = self.rng.chance(15).then_some(2);
            let field = *self.rng.pick(&[Ty::Byte, Ty::Byte, Ty::Byte, Ty::Bit]);
            self.channel_line("lq", len, capacity, vec![Field::Plain(field)]);
        }
        if self.has_passable() && self.chans[0].iter().any(|c| c.name == "qc") {
            self.declare("chan lc", "lc", Ty::Chan);
        }
        if let Some(number) = self.current {
            self.procs[number].locals = names;
        }
        if self.exclusive && self.rng.chance(60) {
            self.exclusive();
        }
    }

    fn exclusive(&mut self) {
        let text = self.text.clone();
        let plain = |c: &Chan| {
            let sorted = ["!!", "??"].iter().any(|op| text.contains(&format!("{}{op}", c.name)));
            c.len.is_none() && c.capacity.is_some_and(|n| n > 0) && !sorted
        };
        let found: Vec<String> =
            self.chans[0].iter().filter(|c| plain(c)).map(|c| c.name.clone()).collect();
        if found.is_empty() {
            return;
        }
        let name = self.rng.pick(&found).clone();
        self.uses("xr or xs");
        let word = *self.rng.pick(&["xr", "xs"]);
        self.line(&format!("{word} {name};"));
        for chan in self.chans[0].iter_mut().filter(|c| c.name == name) {
            chan.exclusive = true;
        }
    }

    /// The `run` statements of `init`.
    fn start_processes(&mut self) {
        let waiting: Vec<usize> =
            (0..self.procs.len()).filter(|&i| self.procs[i].active == 0).collect();
        if waiting.is_empty() {
            return;
        }
        let atomic = self.rng.chance(50);
        if atomic {
            self.uses("run in atomic");
            self.line("atomic {");
            self.indent += 1;
        }
        for i in waiting {
            if self.rng.chance(90) {
                let call = self.run_call(i);
                self.line(&format!("{call};"));
            }
        }
        if atomic {
            self.line("skip;");
            self.indent -= 1;
            self.line("};");
        }
    }

    /// `run P(..)` with fitting arguments.
    pub(super) fn run_call(&mut self, number: usize) -> String {
        self.uses("run");
        let proc = self.procs[number].clone();
        let mut args = Vec::new();
        for param in &proc.params {
            args.push(match param.ty {
                Ty::Chan => self.passable().unwrap_or_else(|| "0".to_string()),
                Ty::Mtype => self.symbol(Ty::Mtype).to_string(),
                ty => self.value(ty),
            });
        }
        let mut call = format!("run {}({})", proc.name, args.join(", "));
        if self.priority && self.rng.chance(30) {
            self.uses("run priority");
            call.push_str(" priority 2");
        }
        call
    }

    /// The name of a channel that can be passed on.
    pub(super) fn passable(&mut self) -> Option<String> {
        self.channel(is_passable).map(|(name, _)| name)
    }
}

/// Whether a channel carries one byte, as all channel variables do.
fn is_passable(chan: &Chan) -> bool {
    chan.fields == [Field::Plain(Ty::Byte)]
}
