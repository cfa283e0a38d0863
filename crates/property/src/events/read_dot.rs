//! Finite automata from the part of DOT that automata are drawn with.
//!
//! A node drawn with `doublecircle` or `peripheries=2` accepts. An edge from a node with
//! `shape=point`, `none` or `plaintext` points to the first state; without one it is the node that
//! comes first. Labels of edges are lists of events.

use super::{EventProperty, MOST_STATES, Mode, Nfa};
use crate::ltl::SyntaxError;

/// Reads a graph and makes it deterministic and complete; all executions have to be accepted.
pub fn read_dot(text: &str) -> Result<EventProperty, SyntaxError> {
    let mut reader = Reader { text, at: 0, nodes: Vec::new(), edges: Vec::new() };
    reader.graph()?;
    reader.finish()
}

struct Node {
    name: String,
    accepting: bool,
    /// Whether it only shows where to begin.
    pointer: bool,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    nodes: Vec<Node>,
    edges: Vec<(usize, usize, String)>,
}

impl Reader<'_> {
    fn skip(&mut self) -> Result<(), SyntaxError> {
        loop {
            let rest = &self.text[self.at..];
            let blanks = rest.len() - rest.trim_start().len();
            self.at += blanks;
            let rest = &self.text[self.at..];
            if rest.starts_with("/*") {
                let Some(end) = rest.find("*/") else {
                    return Err(self.error("the comment is never closed"));
                };
                self.at += end + 2;
            } else if rest.starts_with("//") || rest.starts_with('#') {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if blanks == 0 {
                return Ok(());
            }
        }
    }

    fn error(&self, message: impl Into<String>) -> SyntaxError {
        let length = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        SyntaxError::new(self.at..self.at + length, message)
    }

    fn expected(&self, what: &str) -> SyntaxError {
        let found = match self.text[self.at..].chars().next() {
            Some(c) => format!("`{c}`"),
            None => "the end".to_owned(),
        };
        self.error(format!("expected {what}, found {found}"))
    }

    fn takes(&mut self, sign: &str) -> Result<bool, SyntaxError> {
        self.skip()?;
        let found = self.text[self.at..].starts_with(sign);
        self.at += if found { sign.len() } else { 0 };
        Ok(found)
    }

    /// A name, a number or a text in quotes.
    fn word(&mut self) -> Result<Option<String>, SyntaxError> {
        self.skip()?;
        let rest = &self.text[self.at..];
        if let Some(inside) = rest.strip_prefix('"') {
            let mut word = String::new();
            let mut escaped = false;
            for (offset, c) in inside.char_indices() {
                match c {
                    _ if escaped => {
                        word.push(if c == 'n' { ' ' } else { c });
                        escaped = false;
                    }
                    '\\' => escaped = true,
                    '"' => {
                        self.at += offset + 2;
                        return Ok(Some(word));
                    }
                    _ => word.push(c),
                }
            }
            return Err(self.error("the text is never closed"));
        }
        let part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let end = rest.find(|c| !part(c)).unwrap_or(rest.len());
        self.at += end;
        Ok((end > 0).then(|| rest[..end].to_owned()))
    }

    fn graph(&mut self) -> Result<(), SyntaxError> {
        let mut word = self.word()?;
        if word.as_deref() == Some("strict") {
            word = self.word()?;
        }
        if word.as_deref() != Some("digraph") {
            self.at = 0;
            return Err(self.error("expected `digraph`"));
        }
        self.word()?;
        if !self.takes("{")? {
            return Err(self.expected("`{`"));
        }
        while !self.takes("}")? {
            if self.takes(";")? {
                continue;
            }
            self.statement()?;
            if self.nodes.len() > MOST_STATES {
                return Err(self.error(format!("more than {MOST_STATES} states")));
            }
        }
        Ok(())
    }

    fn statement(&mut self) -> Result<(), SyntaxError> {
        let Some(first) = self.word()? else { return Err(self.expected("a node or `}`")) };
        if first == "subgraph" {
            return Err(self.error("subgraphs are not supported"));
        }
        if ["node", "edge", "graph"].contains(&first.as_str()) {
            self.attributes()?;
            return Ok(());
        }
        if self.takes("=")? {
            self.word()?;
            return Ok(());
        }
        let mut chain = vec![self.node(first)];
        while self.takes("->")? {
            let Some(next) = self.word()? else { return Err(self.expected("a node")) };
            chain.push(self.node(next));
        }
        let attributes = self.attributes()?;
        let value = |name: &str| {
            attributes.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
        };
        match chain[..] {
            [node] => {
                let shape = value("shape").unwrap_or("");
                let node = &mut self.nodes[node];
                node.accepting |= shape == "doublecircle" || value("peripheries") == Some("2");
                node.pointer |= ["point", "none", "plaintext"].contains(&shape);
            }
            _ => {
                let label = value("label").unwrap_or("").to_owned();
                for pair in chain.windows(2) {
                    self.edges.push((pair[0], pair[1], label.clone()));
                }
            }
        }
        Ok(())
    }

    fn node(&mut self, name: String) -> usize {
        match self.nodes.iter().position(|node| node.name == name) {
            Some(index) => index,
            None => {
                self.nodes.push(Node { name, accepting: false, pointer: false });
                self.nodes.len() - 1
            }
        }
    }

    fn attributes(&mut self) -> Result<Vec<(String, String)>, SyntaxError> {
        let mut all = Vec::new();
        while self.takes("[")? {
            while !self.takes("]")? {
                if self.takes(",")? || self.takes(";")? {
                    continue;
                }
                let Some(key) = self.word()? else { return Err(self.expected("`]`")) };
                let value = match self.takes("=")? {
                    true => self.word()?.ok_or_else(|| self.expected("a value"))?,
                    false => String::new(),
                };
                all.push((key, value));
            }
        }
        Ok(all)
    }

    fn finish(self) -> Result<EventProperty, SyntaxError> {
        let end = self.text.len();
        let mut nfa = Nfa::default();
        let mut state_of = vec![None; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().filter(|(_, node)| !node.pointer) {
            let state = nfa.state();
            nfa.accepting[state] = node.accepting;
            nfa.names.push(node.name.clone());
            state_of[index] = Some(state);
        }
        let mut starts = Vec::new();
        for (from, to, label) in &self.edges {
            let Some(target) = state_of[*to] else {
                let message =
                    format!("an edge leads to `{}`, which is no state", self.nodes[*to].name);
                return Err(SyntaxError::new(0..end, message));
            };
            let Some(source) = state_of[*from] else {
                starts.push(target);
                continue;
            };
            let events = label.split([',', ' ', '\n']).filter(|event| !event.is_empty());
            let mut none = true;
            for event in events {
                none = false;
                let known = nfa.events.iter().position(|known| known == event);
                let index = known.unwrap_or_else(|| {
                    nfa.events.push(event.to_owned());
                    nfa.events.len() - 1
                });
                nfa.edges[source].push((Some(index), target));
            }
            if none {
                let message = format!("the edge from `{}` has no label", self.nodes[*from].name);
                return Err(SyntaxError::new(0..end, message).hint("label=\"event\""));
            }
        }
        match (starts[..].first(), starts.len(), nfa.edges.is_empty()) {
            (_, _, true) => return Err(SyntaxError::new(0..end, "the graph has no states")),
            (Some(&start), 1, _) => nfa.start = start,
            (None, _, _) => nfa.start = 0,
            _ => return Err(SyntaxError::new(0..end, "several first states")),
        }
        let fsa = nfa.determinize().ok_or_else(|| {
            let message = format!("more than {MOST_STATES} states when made deterministic");
            SyntaxError::new(0..end, message)
        })?;
        Ok(EventProperty { mode: Mode::All, fsa })
    }
}
