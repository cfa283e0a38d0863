//! Choices that were made before.
//!
//! What is chosen in a state depends on where its processes are and on how some guards stand, and
//! nothing else. Which guards are asked for next depends on the same, so the choices for processes
//! at some places form a tree of questions, with the answers at its branches.

use everypath_machine::ProcessSet;
use rustc_hash::FxHashMap;

use crate::instance::Answer;

/// Nodes that are kept at most: a quarter of a MiB for each thousand.
const MOST_NODES: usize = 1 << 18;

/// Choices that are noted before it is seen whether that is worth it.
const TRIAL: u64 = 1 << 15;

/// Something that a choice depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Question {
    /// Of which process.
    pub process: u8,
    /// How the gates ahead of it stand; otherwise the guards at its location.
    pub gates: bool,
}

/// Where the processes of a state are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Places<'p> {
    /// In one number, the same for all states of a search or never.
    Short(u128),
    Long(&'p [u32]),
}

/// Sets of processes that are enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub sets: Box<[ProcessSet]>,
    /// There may be others.
    pub more: bool,
}

/// Answers in a node.
const ANSWERS: usize = 4;

/// A question with some of its answers, in a cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Node {
    answers: [Answer; ANSWERS],
    /// What comes after each answer.
    next: [Next; ANSWERS],
    /// Another node with the same question and other answers.
    other: Next,
    question: Question,
}

/// Where a tree goes on: 0 if that is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Next(u32);

/// The bit of those that are choices.
const CHOICE: u32 = 1 << 31;

impl Next {
    const UNKNOWN: Next = Next(0);

    fn node(self) -> Option<usize> {
        (self.0 != 0 && self.0 & CHOICE == 0).then_some(self.0 as usize)
    }
}

/// The trees.
pub(crate) struct Memo {
    short: FxHashMap<u128, Next>,
    long: FxHashMap<Box<[u32]>, Next>,
    /// The first one is not in use.
    nodes: Vec<Node>,
    choices: Vec<Choice>,
    /// How often something was found, and how often something was noted.
    recalled: u64,
    learned: u64,
    /// Nearly every state is asked other questions: nothing is noted any more.
    useless: bool,
}

impl Default for Memo {
    fn default() -> Memo {
        Memo {
            short: FxHashMap::default(),
            long: FxHashMap::default(),
            nodes: vec![Node::default()],
            choices: Vec::new(),
            recalled: 0,
            learned: 0,
            useless: false,
        }
    }
}

impl Memo {
    /// Where the questions begin for processes at these places.
    #[inline]
    pub fn begin(&self, places: Places<'_>) -> Next {
        let known = match places {
            Places::Short(key) => self.short.get(&key),
            Places::Long(key) => self.long.get(key),
        };
        known.copied().unwrap_or_default()
    }

    /// What was chosen, if that is known.
    #[inline]
    pub fn recall(
        &self,
        mut next: Next,
        mut ask: impl FnMut(Question) -> Option<Answer>,
    ) -> Option<&Choice> {
        while let Some(at) = next.node() {
            let mut node = &self.nodes[at];
            let answer = ask(node.question)?;
            next = loop {
                match place_of(node, answer) {
                    Some(i) => break node.next[i],
                    None => node = &self.nodes[node.other.node()?],
                }
            };
        }
        if next == Next::UNKNOWN { None } else { self.choices.get((next.0 & !CHOICE) as usize) }
    }

    /// Notes that something was found.
    #[inline]
    pub fn recalled(&mut self) {
        self.recalled += 1;
    }

    /// Notes what was chosen, after these questions.
    pub fn learn(&mut self, places: Places<'_>, asked: &[(Question, Answer)], choice: Choice) {
        if self.useless {
            return;
        }
        self.learned += 1;
        if self.learned == TRIAL {
            let useless = self.recalled < self.learned;
            *self = Memo { useless, ..Memo::default() };
        } else if self.nodes.len() + self.choices.len() + asked.len() >= MOST_NODES {
            *self = Memo::default();
        }
        if self.useless {
            return;
        }
        let last = Next(self.choices.len() as u32 | CHOICE);
        self.choices.push(choice);
        let first = self.root(places);
        let mut next = match asked.first() {
            Some(&(question, _)) if *first == Next::UNKNOWN => {
                let made = self.make(question);
                *self.root(places) = made;
                made
            }
            Some(_) => *first,
            None => return *first = last,
        };
        for (i, &(question, answer)) in asked.iter().enumerate() {
            let Some(mut at) = next.node() else { return };
            debug_assert_eq!(self.nodes[at].question, question, "answers lead to questions");
            let slot = loop {
                if let Some(slot) = place_of(&self.nodes[at], answer) {
                    break slot;
                }
                let free = self.nodes[at].next.iter().position(|&n| n == Next::UNKNOWN);
                if let Some(slot) = free {
                    self.nodes[at].answers[slot] = answer;
                    break slot;
                }
                at = match self.nodes[at].other.node() {
                    Some(other) => other,
                    None => {
                        let made = self.make(question);
                        self.nodes[at].other = made;
                        made.0 as usize
                    }
                };
            };
            next = self.nodes[at].next[slot];
            if next == Next::UNKNOWN {
                next = match asked.get(i + 1) {
                    Some(&(question, _)) => self.make(question),
                    None => last,
                };
                self.nodes[at].next[slot] = next;
            }
        }
    }

    fn root(&mut self, places: Places<'_>) -> &mut Next {
        match places {
            Places::Short(key) => self.short.entry(key).or_default(),
            Places::Long(key) => self.long.entry(key.into()).or_default(),
        }
    }

    fn make(&mut self, question: Question) -> Next {
        self.nodes.push(Node { question, ..Node::default() });
        Next(self.nodes.len() as u32 - 1)
    }
}

/// Which of the answers of a node this is.
#[inline]
fn place_of(node: &Node, answer: Answer) -> Option<usize> {
    (0..ANSWERS).find(|&i| node.answers[i] == answer && node.next[i] != Next::UNKNOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_asked_again_and_the_answers_decide() {
        let mut memo = Memo::default();
        let one = |process| {
            let mut set = ProcessSet::default();
            set.insert(process);
            Choice { sets: Box::new([set]), more: true }
        };
        let (places, others) = (Places::Short(314), Places::Long(&[3, 1, 5]));
        let (first, second) =
            (Question { process: 1, gates: false }, Question { process: 0, gates: true });
        memo.learn(places, &[(first, 7)], one(1));
        memo.learn(places, &[(first, 0), (second, 2)], one(0));
        for answer in 10..30 {
            memo.learn(places, &[(first, answer)], one(answer as usize));
        }
        memo.learn(others, &[], one(2));
        let mut asked = Vec::new();
        let mut recall = |places, edges, gates| {
            memo.recall(memo.begin(places), |question| {
                asked.push(question);
                Some(if question == first { edges } else { gates })
            })
        };
        assert_eq!(recall(places, 7, 0), Some(&one(1)));
        assert_eq!(recall(places, 0, 2), Some(&one(0)));
        assert_eq!(recall(places, 0, 1), None);
        assert_eq!(recall(places, 1, 2), None);
        assert_eq!(recall(places, 29, 2), Some(&one(29)));
        assert_eq!(recall(others, 0, 0), Some(&one(2)));
        assert_eq!(recall(Places::Long(&[3, 1, 6]), 0, 0), None);
        assert_eq!(asked, [first, first, second, first, second, first, first]);
    }
}
