//! Control flow: statements to locations and edges, with SPIN's control states.
//!
//! Each basic statement, selection, loop and block owns a control state; selections and blocks that
//! come first inside another are flattened into it. Jumps, ends of selections and the wrapper of an
//! `unless` are passed over on the way to the next statement, except where that would leave an
//! atomic sequence: then they are steps of their own.

use std::collections::HashMap;

use everypath_machine::{Edge, Location, Transition, TransitionKind};
use everypath_model::{Diagnostic, Span, pulled};

use super::Lowering;
use super::desugar::desugar;
use super::numbers::{all_elements, own_elements};
use crate::ast::*;
use crate::{pretty, spin_text};

/// Index of an element.
type Id = usize;

/// No element.
const NONE: Id = usize::MAX;

/// With more elements than this a proctype has too many control states whatever they are: no more
/// are made, for each takes some 300 bytes.
const MOST_ELEMENTS: usize = 1 << 18;

/// What an element is.
#[derive(Debug)]
enum Kind {
    /// A statement that is one step: basic, or a whole `d_step`.
    Step(Box<Stmt>),
    Else,
    /// `if` and `do`: the first elements of the options.
    Select(Vec<Id>),
    /// `{ }` and `atomic { }`: first and last element inside.
    Block(Id, Id),
    /// First and last element of the main part, first and last of the escape.
    Unless(Id, Id, Id, Id),
    /// `goto`
    Goto(LabelId),
    /// `break`, to the marker behind the loop.
    Break(Id),
    /// The end of a selection, a loop or an `unless`.
    Marker,
    /// The end of the process.
    End,
}

/// One node of the control structure.
#[derive(Debug)]
struct Element {
    kind: Kind,
    next: Id,
    span: Span,
    /// Nobody else may move after it.
    atomic: bool,
    /// It is the last step of an atomic sequence.
    ends_atomic: bool,
    /// First elements of the escapes that cover it, outermost first.
    escapes: Vec<Id>,
    /// Number in the order of completion, within the proctype.
    number: u32,
    synthetic: bool,
}

/// A run of elements.
#[derive(Clone, Copy)]
struct Sequence {
    first: Id,
    last: Id,
}

/// Builds the locations of one proctype.
pub(super) struct Flow<'a, 'b> {
    lowering: &'b mut Lowering<'a>,
    proctype: &'a Proctype,
    index: u16,
    elements: Vec<Element>,
    /// How many elements have a number.
    numbered: u32,
    /// Where each label is.
    labels: Vec<Id>,
    /// First elements of escapes from compound statements without braces of their own.
    unbraced: Vec<Id>,
    /// Where control rests behind jumps that were followed before.
    hunted: HashMap<(Id, bool), Id>,
    /// The selections of loops.
    loops: Vec<Id>,
    /// The first elements of options.
    first_in_option: Vec<Id>,
    /// The markers behind the enclosing loops.
    breaks: Vec<Id>,
    /// The location of each element that is one.
    locations: Vec<Option<u16>>,
    /// The transition of each element that has one.
    transitions: Vec<Option<u32>>,
    order: Vec<Id>,
}

/// The control flow of a proctype.
pub(super) struct FlowGraph {
    pub locations: Vec<Location>,
    pub start: u16,
    pub end: u16,
    /// The control state number of each label.
    pub label_numbers: Vec<u32>,
    /// How many elements were numbered.
    pub numbers: u32,
    /// The transitions that come first behind each label.
    pub label_steps: Vec<Vec<u32>>,
}

impl<'a, 'b> Flow<'a, 'b> {
    pub fn build(lowering: &'b mut Lowering<'a>, proctype: &'a Proctype, index: u16) -> FlowGraph {
        let mut flow = Flow::new(lowering, proctype, index);
        let (first, end) = flow.body();
        if flow.gives_up() {
            flow.too_many_locations(end);
            return FlowGraph {
                locations: vec![Location::default()],
                start: 0,
                end: 0,
                label_numbers: vec![0; proctype.labels.len()],
                numbers: flow.numbered,
                label_steps: vec![Vec::new(); proctype.labels.len()],
            };
        }
        flow.finish(first, end)
    }

    /// How many numbers the statements of a claim take.
    pub fn numbers(lowering: &'b mut Lowering<'a>, claim: &'a Proctype) -> u32 {
        let mut flow = Flow::new(lowering, claim, u16::MAX);
        flow.body();
        flow.numbered
    }

    fn new(lowering: &'b mut Lowering<'a>, proctype: &'a Proctype, index: u16) -> Self {
        Flow {
            lowering,
            proctype,
            index,
            elements: Vec::new(),
            numbered: 0,
            labels: vec![NONE; proctype.labels.len()],
            unbraced: Vec::new(),
            hunted: HashMap::new(),
            loops: Vec::new(),
            first_in_option: Vec::new(),
            breaks: Vec::new(),
            locations: Vec::new(),
            transitions: Vec::new(),
            order: Vec::new(),
        }
    }

    /// The elements of the whole body: the first one and the end.
    fn body(&mut self) -> (Id, Id) {
        let mut parts = Vec::new();
        for statement in &self.proctype.body {
            self.statement(statement, &mut parts);
        }
        if parts.is_empty() {
            let end = self.element(Kind::End, self.proctype.end, true);
            return (end, end);
        }
        let body = self.chain(parts, self.proctype.end);
        let end = self.element(Kind::End, self.proctype.end, true);
        self.set_next(body.last, end);
        self.join_atomic();
        (body.first, end)
    }

    fn element(&mut self, kind: Kind, span: Span, synthetic: bool) -> Id {
        let number = self.next_number();
        self.elements.push(Element {
            kind,
            next: NONE,
            span,
            atomic: false,
            ends_atomic: false,
            escapes: Vec::new(),
            number,
            synthetic,
        });
        self.elements.len() - 1
    }

    fn next_number(&mut self) -> u32 {
        self.numbered += 1;
        self.numbered
    }

    /// Links the end of an element (and of what ends with it) to what follows.
    fn set_next(&mut self, id: Id, next: Id) {
        self.elements[id].next = next;
        if let Kind::Block(_, last) = self.elements[id].kind {
            self.set_next(last, next);
        }
    }

    fn sequence(&mut self, statements: &[Stmt]) -> Sequence {
        let mut parts = Vec::new();
        for statement in statements {
            self.statement(statement, &mut parts);
        }
        self.chain(parts, self.proctype.end)
    }

    fn skip(&mut self, span: Span) -> Id {
        let one = Expr { kind: ExprKind::Const(1), span };
        let stmt = Stmt { kind: StmtKind::Expr(one), span, labels: Vec::new() };
        self.element(Kind::Step(Box::new(stmt)), span, true)
    }

    fn place_labels(&mut self, labels: &[LabelId], id: Id) {
        for label in labels {
            self.labels[label.index()] = id;
        }
    }

    /// A jump. A label that keeps it from being passed over stands on a skip before it.
    fn jump(&mut self, kind: Kind, s: &Stmt, out: &mut Vec<Sequence>) {
        let has = |test: &dyn Fn(&str) -> bool| {
            s.labels.iter().any(|label| test(&self.proctype.labels[label.index()].name))
        };
        let meant = has(&|name| ["end", "accept", "progress"].iter().any(|p| name.starts_with(p)));
        let remote = has(&|name| self.lowering.is_remote_label(self.index, name));
        let id = self.element(kind, s.span, false);
        if !meant && !remote {
            self.place_labels(&s.labels, id);
        } else {
            if !meant {
                // SPIN puts the skip in the place of the jump once all text is read.
                self.numbered -= 1;
                self.lowering.machine.numbers_differ.get_or_insert(s.span);
            }
            let skip = self.skip(s.span);
            self.place_labels(&s.labels, skip);
            out.push(Sequence { first: skip, last: skip });
        }
        out.push(Sequence { first: id, last: id });
    }

    /// Whether nothing will come of the proctype.
    fn gives_up(&self) -> bool {
        self.elements.len() > MOST_ELEMENTS || pulled(self.lowering.brake.as_ref())
    }

    /// Adds the elements of a statement to the sequence that it is part of.
    fn statement(&mut self, s: &Stmt, out: &mut Vec<Sequence>) {
        let one = |id: Id| Sequence { first: id, last: id };
        match &s.kind {
            _ if self.lowering.costs_nothing(s) || self.gives_up() => {}
            StmtKind::Goto(label) => self.jump(Kind::Goto(*label), s, out),
            StmtKind::Break => {
                let target = self.breaks.last().copied().unwrap_or(NONE);
                self.jump(Kind::Break(target), s, out);
            }
            StmtKind::Else => {
                let id = self.element(Kind::Else, s.span, false);
                self.place_labels(&s.labels, id);
                out.push(one(id));
            }
            StmtKind::If(options) => {
                let firsts = self.options(options, true);
                let select = self.element(Kind::Select(Vec::new()), s.span, false);
                let marker = self.element(Kind::Marker, s.span, true);
                self.place_labels(&s.labels, select);
                let firsts = self.close_options(firsts, marker);
                self.elements[select].kind = Kind::Select(firsts);
                // The selection itself never goes to its marker; its options do.
                self.elements[select].next = marker;
                out.push(one(select));
                out.push(one(marker));
            }
            StmtKind::Do(options) => self.do_loop(options, s, s, out),
            StmtKind::Block { body, .. } => {
                let inner = self.sequence(body);
                let id = self.element(Kind::Block(inner.first, inner.last), s.span, false);
                self.place_labels(&s.labels, id);
                out.push(one(id));
            }
            StmtKind::Atomic(body) => {
                let inner = self.sequence(body);
                self.make_atomic(inner);
                let id = self.element(Kind::Block(inner.first, inner.last), s.span, false);
                self.place_labels(&s.labels, id);
                out.push(one(id));
            }
            StmtKind::Unless(main, escape) => {
                let compound = matches!(
                    main.kind,
                    StmtKind::If(_)
                        | StmtKind::Do(_)
                        | StmtKind::Atomic(_)
                        | StmtKind::DStep(_)
                        | StmtKind::For { .. }
                        | StmtKind::Select { .. }
                );
                let (main, escape) = self.unless_parts(main, escape);
                if compound {
                    self.unbraced.push(escape.first);
                }
                let kind = Kind::Unless(main.first, main.last, escape.first, escape.last);
                let id = self.element(kind, s.span, false);
                let marker = self.element(Kind::Marker, s.span, true);
                self.set_next(main.last, marker);
                self.set_next(escape.last, marker);
                self.attach_escape(main, escape.first);
                self.place_labels(&s.labels, id);
                self.elements[id].next = marker;
                out.push(one(id));
                out.push(one(marker));
            }
            StmtKind::For { .. } | StmtKind::Select { .. } => {
                for part in desugar(s) {
                    match &part.kind {
                        StmtKind::Do(options) => self.do_loop(options, &part, s, out),
                        _ => self.statement(&part, out),
                    }
                }
            }
            _ => {
                if let StmtKind::DStep(body) = &s.kind {
                    // Its parts have numbers, though nothing rests there.
                    self.numbered += body.iter().map(all_elements).sum::<u32>();
                }
                let id = self.element(Kind::Step(Box::new(s.clone())), s.span, false);
                self.place_labels(&s.labels, id);
                out.push(one(id));
            }
        }
    }

    /// Links sequences to one.
    fn chain(&mut self, mut parts: Vec<Sequence>, span: Span) -> Sequence {
        if parts.is_empty() {
            let skip = self.skip(span);
            parts.push(Sequence { first: skip, last: skip });
        }
        for i in 1..parts.len() {
            self.set_next(parts[i - 1].last, parts[i].first);
        }
        Sequence { first: parts[0].first, last: parts[parts.len() - 1].last }
    }

    /// Both sides of an `unless`. What they are made of is numbered before themselves.
    fn unless_parts(&mut self, main: &Stmt, escape: &Stmt) -> (Sequence, Sequence) {
        let start = self.elements.len();
        let first = self.unless_part(main);
        let (own, middle) = (own_elements(main), self.numbered);
        let second = self.unless_part(escape);
        let inside = self.numbered - middle - own_elements(escape);
        for element in &mut self.elements[start..] {
            if element.number > middle - own && element.number <= middle {
                element.number += inside;
            } else if element.number > middle && element.number <= middle + inside {
                element.number -= own;
            }
        }
        (first, second)
    }

    /// One side of an `unless`: braces around it make no control state of their own.
    fn unless_part(&mut self, s: &Stmt) -> Sequence {
        match &s.kind {
            StmtKind::Block { body, .. } if s.labels.is_empty() => self.sequence(body),
            _ => {
                let mut parts = Vec::new();
                self.statement(s, &mut parts);
                self.chain(parts, s.span)
            }
        }
    }

    fn do_loop(&mut self, options: &[Vec<Stmt>], s: &Stmt, origin: &Stmt, out: &mut Vec<Sequence>) {
        let one = |id: Id| Sequence { first: id, last: id };
        // The marker behind the loop is needed by `break` inside it, but is completed last.
        let exit = self.element(Kind::Marker, s.span, true);
        self.numbered -= 1;
        self.breaks.push(exit);
        let written = matches!(origin.kind, StmtKind::Do(_));
        let mut firsts = self.options(options, written);
        self.breaks.pop();
        if matches!(origin.kind, StmtKind::Select { .. }) {
            // SPIN tries to leave first: a d_step takes the lowest value.
            firsts.reverse();
        }
        let select = self.element(Kind::Select(Vec::new()), s.span, false);
        let again = self.element(Kind::Marker, s.span, true);
        self.loops.push(select);
        self.elements[exit].number = self.next_number();
        self.place_labels(&s.labels, select);
        let firsts = self.close_options(firsts, again);
        self.elements[select].kind = Kind::Select(firsts);
        self.set_next(again, select);
        self.elements[select].next = exit;
        out.push(one(select));
        out.push(one(exit));
    }

    /// The options of a selection; skips are pruned in those that the user has `written`, but not
    /// in those of a `for`.
    fn options(&mut self, options: &[Vec<Stmt>], written: bool) -> Vec<Sequence> {
        options
            .iter()
            .map(|option| {
                let kept = self.kept(option, written);
                let mut parts = Vec::new();
                for (statement, kept) in option.iter().zip(kept) {
                    if kept {
                        self.statement(statement, &mut parts);
                    } else {
                        // It has a number all the same.
                        self.numbered += 1;
                    }
                }
                let sequence = self.chain(parts, self.proctype.end);
                self.first_in_option.push(sequence.first);
                sequence
            })
            .collect()
    }

    /// Ties the options to the marker behind them; an option that starts with `else` comes last.
    fn close_options(&mut self, options: Vec<Sequence>, marker: Id) -> Vec<Id> {
        for option in &options {
            self.set_next(option.last, marker);
        }
        let is_else = |s: &&Sequence| matches!(self.elements[s.first].kind, Kind::Else);
        let others = options.iter().filter(|s| !is_else(s)).map(|s| s.first);
        others.chain(options.iter().filter(is_else).map(|s| s.first)).collect()
    }

    /// Which statements of an option stay. Of several skips and prints in a row without labels only
    /// the first skip does (and what comes last), in options that the user has `written`.
    fn kept(&self, option: &[Stmt], written: bool) -> Vec<bool> {
        let mut run = 0;
        let last = option.len().saturating_sub(1);
        let mut stays = |(i, s): (usize, &Stmt)| {
            if self.lowering.costs_nothing(s) {
                return true;
            }
            let print = matches!(s.kind, StmtKind::Printf(..) | StmtKind::Printm(_));
            let skip = matches!(s.kind, StmtKind::Expr(Expr { kind: ExprKind::Const(1), .. }));
            run = if (print || skip) && s.labels.is_empty() { run + 1 } else { 0 };
            !(written && run > 1 && skip && i < last)
        };
        option.iter().enumerate().map(&mut stays).collect()
    }

    /// Marks a sequence as atomic: everything in it but its last step.
    fn make_atomic(&mut self, sequence: Sequence) {
        self.walk_atomic(sequence);
        let mut last = sequence.last;
        while let Kind::Block(_, inner) = self.elements[last].kind {
            last = inner;
        }
        self.elements[last].atomic = false;
        self.elements[last].ends_atomic = true;
    }

    /// A jump inside an atomic sequence keeps others out as long as it leads into one, its own or
    /// another, also where it is the last step of its own; else it is a last step.
    fn join_atomic(&mut self) {
        for id in 0..self.elements.len() {
            let target = match self.elements[id].kind {
                Kind::Goto(label) => self.labels[label.index()],
                Kind::Break(marker) => marker,
                _ => continue,
            };
            if self.in_atomic(id) {
                let joined = self.in_atomic(target);
                self.elements[id].atomic = joined;
                self.elements[id].ends_atomic = !joined;
            }
        }
    }

    fn walk_atomic(&mut self, sequence: Sequence) {
        let mut id = sequence.first;
        loop {
            self.elements[id].atomic = true;
            for inner in self.inner(id) {
                self.walk_atomic(inner);
            }
            if id == sequence.last || self.elements[id].next == NONE {
                break;
            }
            id = self.elements[id].next;
        }
    }

    /// The sequences inside an element.
    fn inner(&self, id: Id) -> Vec<Sequence> {
        match &self.elements[id].kind {
            Kind::Select(firsts) => firsts
                .iter()
                .map(|&first| {
                    // An option ends where it meets the marker of the selection.
                    let mut last = first;
                    let marker = self.option_end(id);
                    while self.elements[last].next != marker && self.elements[last].next != NONE {
                        last = self.elements[last].next;
                    }
                    Sequence { first, last }
                })
                .collect(),
            &Kind::Block(first, last) => vec![Sequence { first, last }],
            &Kind::Unless(first, last, escape, escape_last) => {
                vec![Sequence { first, last }, Sequence { first: escape, last: escape_last }]
            }
            _ => Vec::new(),
        }
    }

    /// The marker that the options of a selection lead to: behind an `if`, before a `do`.
    fn option_end(&self, select: Id) -> Id {
        // Markers are made right after their selection.
        select + 1
    }

    /// Covers all elements of a sequence with an escape, outside of those they have.
    fn attach_escape(&mut self, sequence: Sequence, escape: Id) {
        let mut id = sequence.first;
        loop {
            self.elements[id].escapes.insert(0, escape);
            for inner in self.inner(id) {
                self.attach_escape(inner, escape);
            }
            if id == sequence.last || self.elements[id].next == NONE {
                break;
            }
            id = self.elements[id].next;
        }
    }

    /// The element at which control rests on the way to `id` from an element that is atomic or not.
    fn hunt(&mut self, id: Id, atomic: bool) -> Id {
        let mut passed = Vec::new();
        let mut at = id;
        let found = loop {
            if let Some(&known) = self.hunted.get(&(at, atomic)) {
                break known;
            }
            let onward = match self.elements[at].kind {
                Kind::Goto(label) => self.labels[label.index()],
                Kind::Break(target) => target,
                Kind::Marker => self.elements[at].next,
                Kind::Unless(main, ..) => main,
                _ => break at,
            };
            if onward == NONE || (atomic && !self.elements[onward].atomic) {
                break at;
            }
            passed.push(at);
            if passed.len() > self.elements.len() {
                let span = self.elements[id].span;
                let message = "this jump leads to itself without a statement";
                self.lowering.error("EP1404", span, message);
                break self.elements.iter().position(|e| matches!(e.kind, Kind::End)).unwrap_or(id);
            }
            at = onward;
        };
        // Long chains of jumps are followed once only.
        self.hunted.extend(passed.into_iter().map(|passed| ((passed, atomic), found)));
        found
    }

    fn finish(mut self, first: Id, end: Id) -> FlowGraph {
        self.locations = vec![None; self.elements.len()];
        self.transitions = vec![None; self.elements.len()];
        let start = self.hunt(first, false);
        let start = self.location(start);
        let end_location = self.location(end);
        let mut locations: Vec<Location> = Vec::new();
        self.expand(&mut locations);
        if self.lowering.spin_texts.is_some() {
            for id in self.detached() {
                self.location(id);
                self.expand(&mut locations);
            }
        }
        locations[usize::from(end_location)].valid_end = true;
        self.mark_labels(&mut locations);
        let label_numbers = (0..self.labels.len())
            .map(|label| {
                let mut id = self.labels[label];
                while id != NONE
                    && let Kind::Unless(main, ..) = self.elements[id].kind
                {
                    id = main;
                }
                if id == NONE { 0 } else { self.elements[id].number }
            })
            .collect();
        let label_steps = self.labels.iter().map(|&id| self.first_steps(id)).collect();
        let numbers = self.numbered;
        FlowGraph { locations, start, end: end_location, label_numbers, numbers, label_steps }
    }

    /// The transitions that an element begins with.
    fn first_steps(&self, id: Id) -> Vec<u32> {
        if id == NONE {
            return Vec::new();
        }
        match &self.elements[id].kind {
            Kind::Select(firsts) => firsts.iter().flat_map(|&id| self.first_steps(id)).collect(),
            &Kind::Block(first, _) => self.first_steps(first),
            &Kind::Unless(main, _, escape, _) => {
                [main, escape].iter().flat_map(|&id| self.first_steps(id)).collect()
            }
            _ => self.transitions[id].into_iter().collect(),
        }
    }

    /// Makes the edges of all locations that have none yet.
    fn expand(&mut self, locations: &mut Vec<Location>) {
        while locations.len() < self.order.len() {
            let id = self.order[locations.len()];
            let edges = self.edges(id);
            let number = self.elements[id].number;
            locations.push(Location { edges, number, ..Location::default() });
        }
    }

    /// The statements that nothing leads to and that are not the beginning of another one.
    fn detached(&self) -> Vec<Id> {
        let mut inner = vec![false; self.elements.len()];
        for element in &self.elements {
            match &element.kind {
                Kind::Select(firsts) => firsts.iter().for_each(|&first| inner[first] = true),
                &Kind::Block(first, _) => inner[first] = true,
                &Kind::Unless(first, _, escape, _) => {
                    inner[first] = true;
                    inner[escape] = true;
                }
                _ => {}
            }
        }
        let rests = |id: &Id| {
            let kind = &self.elements[*id].kind;
            matches!(kind, Kind::Step(_) | Kind::Else | Kind::Select(_) | Kind::Block(..))
                && !inner[*id]
                && self.locations[*id].is_none()
        };
        (0..self.elements.len()).filter(rests).collect()
    }

    /// Applies the meaning of label names to control states.
    fn mark_labels(&mut self, locations: &mut [Location]) {
        for label in 0..self.labels.len() {
            let name = self.proctype.labels[label].name.clone();
            let id = self.labels[label];
            if id == NONE {
                continue;
            }
            let mut marked = Vec::new();
            if self.first_in_option.contains(&id) {
                // SPIN marks the states behind the guards, and of a loop its own state as well.
                self.behind_guards(id, &mut marked);
                if self.loops.contains(&id) {
                    marked.push(id);
                }
            } else {
                marked.push(self.hunt(id, self.elements[id].atomic));
            }
            for id in marked {
                // No state shows the other labels inside of an atomic sequence, for SPIN either.
                if name.starts_with("accept")
                    && self.elements[id].ends_atomic
                    && !self.elements[id].atomic
                    && let Some(transition) = self.transitions[id]
                {
                    self.lowering.machine.transitions[transition as usize].passes = true;
                }
                let Some(location) = self.locations[id] else { continue };
                let location = &mut locations[usize::from(location)];
                location.valid_end |= name.starts_with("end");
                location.accept |= name.starts_with("accept");
                location.progress |= name.starts_with("progress");
            }
        }
    }

    /// Where control rests behind the first steps of an element.
    fn behind_guards(&mut self, id: Id, out: &mut Vec<Id>) {
        match &self.elements[id].kind {
            Kind::Select(firsts) => {
                for first in firsts.clone() {
                    self.behind_guards(first, out);
                }
            }
            &Kind::Block(first, _) | &Kind::Unless(first, ..) => self.behind_guards(first, out),
            _ => {
                let next = self.elements[id].next;
                if next != NONE {
                    out.push(self.hunt(next, self.elements[id].atomic));
                }
            }
        }
    }

    fn too_many_locations(&mut self, id: Id) {
        let span = self.elements[id].span;
        let message = "this proctype has more than 65,536 control states";
        self.lowering.error("EP1405", span, message);
    }

    fn location(&mut self, id: Id) -> u16 {
        if let Some(location) = self.locations[id] {
            return location;
        }
        let most = 1usize << self.lowering.machine.head.location.width;
        let Some(location) =
            u16::try_from(self.order.len()).ok().filter(|&l| usize::from(l) < most)
        else {
            self.too_many_locations(id);
            return 0;
        };
        self.locations[id] = Some(location);
        self.order.push(id);
        location
    }

    /// All edges of a location, escapes first.
    fn edges(&mut self, id: Id) -> Vec<Edge> {
        let mut edges = Vec::new();
        let mut own = Vec::new();
        self.collect(id, id, &mut Vec::new(), &mut edges, &mut own);
        edges.extend(own);
        let transitions = &self.lowering.machine.transitions;
        let mut elses = edges
            .iter()
            .map(|edge| &transitions[edge.transition as usize])
            .filter(|t| t.kind == TransitionKind::Else)
            .map(|t| t.span);
        if let (Some(first), Some(second)) = (elses.next(), elses.next()) {
            let message = "two `else` meet in one selection";
            let error = Diagnostic::error("EP1408", second, message)
                .label("inherits the other one, since it comes first in its option")
                .also(first, "the other one");
            if !self.lowering.diagnostics.contains(&error) {
                self.lowering.diagnostics.push(error);
            }
        }
        edges
    }

    /// Collects the edges of an element: those of the escapes that cover its first steps and are not
    /// yet in `covered`, and its own. The element lies at the start of `location`.
    fn collect(
        &mut self,
        id: Id,
        location: Id,
        covered: &mut Vec<Id>,
        escapes: &mut Vec<Edge>,
        own: &mut Vec<Edge>,
    ) {
        match &self.elements[id].kind {
            Kind::Select(firsts) => {
                for first in firsts.clone() {
                    self.collect(first, location, covered, escapes, own);
                }
                return;
            }
            &Kind::Block(first, _) => return self.collect(first, location, covered, escapes, own),
            &Kind::Unless(main, ..) => return self.collect(main, location, covered, escapes, own),
            _ => {}
        }
        let mut new = match self.elements[id].kind {
            // Nothing escapes from the end of a selection.
            Kind::Marker => Vec::new(),
            _ => self.elements[id].escapes.clone(),
        };
        new.retain(|escape| !covered.contains(escape));
        covered.extend(&new);
        // SPIN keeps nested escapes apart and tries the outer one first, except where it finds the
        // outer one only through the inner one: at the start of an option, and of a compound
        // statement that is no block.
        let outside = &self.elements[location].escapes;
        let through = new.iter().any(|escape| !outside.contains(escape));
        let together = through || new.last().is_some_and(|inner| self.unbraced.contains(inner));
        if together {
            new.reverse();
        }
        let first = new.first().copied();
        let mut found = Vec::new();
        for escape in new {
            let mut inner = Vec::new();
            self.collect(escape, escape, &mut covered.clone(), &mut Vec::new(), &mut inner);
            let number = first.filter(|_| together).unwrap_or(escape) as u16 + 1;
            // The order of the options of an escape is turned round, so that `else` comes first.
            found.extend(inner.into_iter().rev().map(|e| Edge { escape: number, ..e }));
        }
        escapes.splice(0..0, found);
        let transition = self.transition(id);
        own.push(Edge { transition, escape: 0 });
    }

    /// Whether an element is part of an atomic sequence, its last step included.
    fn in_atomic(&self, id: Id) -> bool {
        id != NONE && (self.elements[id].atomic || self.elements[id].ends_atomic)
    }

    /// The transition of an element that is a step.
    fn transition(&mut self, id: Id) -> u32 {
        if let Some(transition) = self.transitions[id] {
            return transition;
        }
        let (span, atomic) = (self.elements[id].span, self.elements[id].atomic);
        let mut synthetic = self.elements[id].synthetic;
        let mut code = 0;
        let mut kind = TransitionKind::Code;
        let mut indivisible = false;
        let text;
        let target;
        match &self.elements[id].kind {
            Kind::Step(stmt) => {
                let stmt = stmt.clone();
                indivisible = matches!(stmt.kind, StmtKind::DStep(_));
                text = pretty::written_stmt(self.lowering.model, self.proctype, &stmt);
                code = self.lowering.statement_code(self.proctype, &stmt);
                target = self.elements[id].next;
            }
            Kind::Else => {
                text = "else".to_string();
                kind = TransitionKind::Else;
                target = self.elements[id].next;
            }
            Kind::Goto(label) => {
                text = format!("goto {}", self.proctype.labels[label.index()].name);
                target = self.labels[label.index()];
                code = self.lowering.skip_code();
            }
            &Kind::Break(marker) => {
                text = "break".to_string();
                target = marker;
                code = self.lowering.skip_code();
            }
            Kind::End => {
                text = "-end-".to_string();
                kind = TransitionKind::End;
                target = id;
                synthetic = true;
            }
            _ => {
                text = "skip".to_string();
                target = self.elements[id].next;
                code = self.lowering.skip_code();
                synthetic = true;
            }
        }
        let target = if kind == TransitionKind::End || target == NONE {
            id
        } else {
            self.hunt(target, atomic)
        };
        let target = self.location(target);
        let number = self.elements[id].number;
        if self.lowering.spin_texts.is_some() {
            let own = match &self.elements[id].kind {
                Kind::Step(stmt) => spin_text::stmt(self.lowering.model, self.proctype, stmt),
                Kind::Break(_) => "goto :b".to_owned(),
                Kind::Marker => ".(goto)".to_owned(),
                _ => text.clone(),
            };
            self.lowering.spin_texts.get_or_insert_default().push(own);
        }
        let machine = &mut self.lowering.machine;
        machine.transitions.push(Transition {
            proctype: self.index,
            kind,
            code,
            target,
            atomic: atomic && kind != TransitionKind::End,
            text,
            span,
            indivisible,
            synthetic,
            number,
            passes: false,
        });
        let transition = machine.transitions.len() as u32 - 1;
        self.transitions[id] = Some(transition);
        transition
    }
}
