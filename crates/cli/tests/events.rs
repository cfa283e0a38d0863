//! Properties of events and patterns, on the command line and in everypath.toml.

mod project;

use everypath_model::Rng;
use project::Project;

const MODEL: &str = "bool locked;
byte n;
active [2] proctype P() {
  do
  :: !locked -> locked = true;
take: n++;
give: n--; locked = false
  :: break
  od
}
";
const FSA: &str = "all executions
events take, give
start free
accept free
free take -> held
held give -> free
";

#[test]
fn automata_expressions_and_patterns_have_verdicts() {
    let project = Project::new(&[("m.pml", MODEL), ("lock.fsa", FSA)]);
    let fine = MODEL.replace("!locked -> locked = true", "atomic { !locked -> locked = true }");
    project.write("fine.pml", &fine);
    let twice = "for events { take } show no execution satisfy .* ; take ; take ; .*";
    for (args, code, said) in [
        (&["m.pml", "--fsa", "lock.fsa"][..], 1, "events fsa: `take` can come where it must not"),
        (&["fine.pml", "--fsa", "order := lock.fsa"], 0, "holds  events order"),
        (&["fine.pml", "--qre", twice], 1, "EP0206"),
        (&["m.pml", "--qre", "for events { up } show no execution satisfy .*"], 2, "EP1705"),
        (
            &[
                "m.pml",
                "--event",
                "up=n ++",
                "--qre",
                "for events { up } show all executions satisfy [] | up",
            ],
            1,
            "events: up up",
        ),
        (
            &[
                "m.pml",
                "--event",
                "up=P@give",
                "--qre",
                "for events { up } show no execution satisfy []",
            ],
            1,
            "a run can end where",
        ),
        (&["m.pml", "--event", "up"], 2, ""),
        (&["m.pml", "--qre", "for events { take } show"], 2, "EP1704"),
        (&["m.pml", "--fsa", "none.fsa"], 2, "none.fsa"),
        (&["m.pml", "--fsa", "m.pml"], 2, "EP1704"),
        (&["m.pml", "--pattern", "small := absence; P = n > 2"], 0, "holds  ltl small"),
        (&["m.pml", "--pattern", "absence; P = n > 1"], 1, "ltl pattern can be violated"),
        (&["m.pml", "--pattern", "absence between; P = n > 1; Q = n == 1"], 2, "R is missing"),
        (&["m.pml", "--pattern", "absense; P = n > 1"], 2, "did you mean `absence`?"),
        (&["m.pml", "--pattern", "absence; S = n > 1"], 2, "is none of its parts"),
        (&["m.pml", "--pattern", "absence; P = fnord"], 2, "fnord"),
        // What is asked without a name is checked whatever is chosen; names choose.
        (&["m.pml", "--only", "deadlock", "--ltl", "[] (n < 2)"], 1, "ltl formula"),
        (&["m.pml", "--only", "deadlock", "--ltl", "few := [] (n < 2)"], 0, "not checked: few"),
    ] {
        let run = project.run(&[&["check", "--no-save"], args].concat());
        assert_eq!(run.code, code, "{args:?}\n{}{}", run.out, run.err);
        assert!(run.out.contains(said), "{args:?}\n{}{}", run.out, run.err);
    }
    let run = project.run(&["check", "m.pml", "--fsa", "lock.fsa"]);
    assert_eq!(run.code, 1);
    let again = project.run(&["replay", "last"]);
    assert!(again.code == 1 && again.out.contains("events fsa"), "{}{}", again.out, again.err);
}

#[test]
fn properties_of_the_configuration_are_checked() {
    let config = "[props.few]
ltl = '[] (n < 3)'
[props.order]
fsa = 'lock.fsa'
events = { take = 'P@take', give = 'n--' }
[[target]]
path = 'm.pml'
[target.props.rare]
pattern = 'bounded-existence'
scope = 'before'
P = 'n == 2'
R = 'n == 9'
[[target.prop]]
name = 'order'
expect = 'violated'
";
    let files = [("models/m.pml", MODEL), ("models/lock.fsa", FSA), ("models/o.pml", MODEL)];
    let project = Project::new(&files);
    project.write("models/everypath.toml", config);
    let run = project.run(&["check", "--config", "models/everypath.toml", "--no-save", "-v"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    for said in ["holds  ltl few", "holds  ltl rare", "violated as expected: 1 of 4"] {
        assert!(run.out.contains(said), "{said}\n{}", run.out);
    }
    // A property of another target is not asked here.
    let other = ["check", "--config", "models/everypath.toml", "--no-save", "models/o.pml"];
    let run = project.run(&other);
    assert!(run.code == 1 && !run.out.contains("rare"), "{}{}", run.out, run.err);
    for (text, said) in [
        ("[props.a]\nltl = 'p'\nqre = 'q'\n", "a property is one of ltl, pattern, fsa, qre"),
        ("[props.a]\nltl = 'p'\nscope = 'after'\n", "`scope` belongs to patterns only"),
        ("[props.a]\nltl = 3\n", "`ltl` has to be a string, not an integer"),
        ("[props.a]\nlt = '1'\n", "a property has no key `lt`"),
        ("[props.'a b']\nltl = '1'\n", "this is no name for a property"),
        ("props = 3\n", "`props` has to be a table"),
        ("[props.a]\nqre = 'q'\nevents = 'x'\n", "`events` has to be a table"),
    ] {
        project.write("bad.toml", text);
        let run = project.run(&["check", "--config", "bad.toml", "models/m.pml"]);
        assert!(run.code == 2 && run.err.contains(said), "{text}\n{}{}", run.out, run.err);
    }
}

/// An automaton over the events `a` and `b`: where each leads, and what accepts.
struct Machine {
    delta: Vec<[usize; 2]>,
    accepting: Vec<bool>,
}

impl Machine {
    fn random(rng: &mut Rng) -> Machine {
        let count = 2 + rng.below(3);
        let mut delta: Vec<[usize; 2]> =
            (0..count).map(|_| [rng.below(count), rng.below(count)]).collect();
        if rng.chance(60) {
            // A trap, so that steps are wrong and not only ends.
            delta[count - 1] = [count - 1; 2];
        }
        let accepting = (0..count).map(|s| s + 1 < count && rng.chance(60)).collect();
        Machine { delta, accepting }
    }

    fn text(&self, mode: &str) -> String {
        let mut text = format!("{mode}\nevents a, b\nstart s0\n");
        for (state, accepts) in self.accepting.iter().enumerate() {
            if *accepts {
                text += &format!("accept s{state}\n");
            }
        }
        for (state, [a, b]) in self.delta.iter().enumerate() {
            text += &format!("s{state} a -> s{a}\ns{state} b -> s{b}\n");
        }
        text
    }

    /// Whether nothing that could follow leads to where it is `wanted` to accept.
    fn lost(&self, state: usize, wanted: bool) -> bool {
        let mut seen = vec![state];
        let mut at = 0;
        while at < seen.len() {
            if self.accepting[seen[at]] == wanted {
                return false;
            }
            for next in self.delta[seen[at]] {
                if !seen.contains(&next) {
                    seen.push(next);
                }
            }
            at += 1;
        }
        true
    }

    /// An expression of Promela that picks a value by the state.
    fn pick(&self, value: impl Fn(usize) -> usize) -> String {
        let mut text = value(0).to_string();
        for state in 1..self.delta.len() {
            text = format!("(s == {state} -> {} : {text})", value(state));
        }
        text
    }
}

/// Every automaton over events is compared with a model that follows the automaton itself, by a variable and
/// assertions.
#[test]
fn automata_say_what_assertions_in_the_model_say() {
    let mut rng = Rng::new(206);
    let (mut violated, mut held) = (0, 0);
    for number in 0..60 {
        let machine = Machine::random(&mut rng);
        let wanted = rng.chance(60);
        let mode = if wanted { "all executions" } else { "no execution" };
        let (mut plain, mut watched) = ("byte x;\n".to_owned(), "byte x, s;\n".to_owned());
        let step = |event: usize, act: &str| {
            format!(
                "atomic {{ {act}; s = {}; assert(!{}) }}",
                machine.pick(|state| machine.delta[state][event]),
                machine.pick(|state| usize::from(machine.lost(state, wanted)))
            )
        };
        for process in 0..1 + rng.below(2) {
            let (mut one, mut other) = (String::new(), String::new());
            // A label stands once in a process.
            for (event, name) in ["a", "b"].into_iter().enumerate() {
                let guard = if rng.chance(30) { "x == 1 -> skip; " } else { "" };
                let act = format!("x = (x + 1) % {}", 2 + rng.below(2));
                one += &format!("  {guard}{name}: {act};\n");
                other += &format!("  {guard}{};\n", step(event, &act));
                if rng.chance(40) {
                    one += "  x = 1 - x;\n";
                    other += "  x = 1 - x;\n";
                }
            }
            let (open, close) = match rng.below(3) {
                0 => ("do ::\n", "  :: break od"),
                1 => ("if ::\n", "  :: skip fi"),
                _ => ("", "  skip"),
            };
            plain += &format!("active proctype P{process}() {{ {open}{one}{close} }}\n");
            watched += &format!("active proctype P{process}() {{ {open}{other}{close} }}\n");
        }
        watched += &format!(
            "active proctype Z() {{ timeout -> assert({}) }}\n",
            machine.pick(|state| usize::from(machine.accepting[state] == wanted))
        );
        let fsa = machine.text(mode);
        let project =
            Project::new(&[("p.pml", plain.as_str()), ("w.pml", &watched), ("p.fsa", &fsa)]);
        let one = project.run(&["check", "--no-save", "p.pml", "--only", "fsa", "--fsa", "p.fsa"]);
        let other = project.run(&["check", "--no-save", "w.pml", "--only", "assertions"]);
        assert!(one.code <= 1, "number {number}\n{plain}{fsa}{}{}", one.out, one.err);
        assert_eq!(
            one.code, other.code,
            "number {number}\n{plain}{fsa}\n{watched}\n{}{}",
            one.out, other.out
        );
        *(if one.code == 1 { &mut violated } else { &mut held }) += 1;
    }
    assert!(violated > 10 && held > 5, "{violated} {held}");
}

/// A label is its statement in this process and this call, not all that is made of the same text.
#[test]
fn labels_on_inlines_are_events_of_one_process() {
    let inline = "bool locked = true, m; inline give() { locked = false }\n";
    let two =
        "active proctype A() { m = true; out: give() }\nactive proctype B() { give(); give() }\n";
    let calls = "active proctype A() { give(); m = true; out: give(); give() }\n";
    let both =
        "active proctype A() { m = true; out: give() }\nactive proctype B() { out: give() }\n";
    let twice = "for events { o } show no execution satisfy .* ; o ; .* ; o ; .*";
    let once = "for events { o } show no execution satisfy .* ; o ; .*";
    for (model, event, query, code) in [
        (two, "o=A@out", twice, 0),
        (two, "o=out", twice, 0),
        (two, "o=A@out", once, 1),
        (calls, "o=A@out", twice, 0),
        (calls, "o=A@out", once, 1),
        (both, "o=out", twice, 1),
        (both, "o=B@out", twice, 0),
    ] {
        let project = Project::new(&[("m.pml", &format!("{inline}{model}"))]);
        let run = project.run(&[
            "check",
            "--no-save",
            "m.pml",
            "--only",
            "qre",
            "--event",
            event,
            "--qre",
            query,
        ]);
        assert_eq!(run.code, code, "{model} {event}\n{}", run.out);
    }
}

/// Macros come before operators of the same name, and a composite ends inside of the scope.
#[test]
fn patterns_of_macros_and_composites() {
    let model = "byte i;
#define R (i == 9)
#define U i == 12
#define F i == 5
active proctype P() { do :: i < 20 -> i++ :: else -> break od }
";
    let project = Project::new(&[("m.pml", model)]);
    for (args, code) in [
        (["--pattern", "existence between; P = eventualC(i==5, i==12); Q = i==3; R = i==9"], 1),
        (["--pattern", "absence between; P = eventualC(i==5, i==12); Q = i==3; R = i==9"], 0),
        (["--pattern", "existence between; P = eventualC(F, i==8); Q = i==3; R = R"], 0),
        (["--pattern", "absence between; P = eventualC(F, U); Q = i==3; R = R"], 0),
        (["--pattern", "existence before; P = U; R = R"], 1),
        (["--ltl", "[] !R"], 1),
        (["--ltl", "<> R && <> U"], 0),
        (["--ltl", "[] (F -> <> U)"], 0),
    ] {
        let run = project.run(&[&["check", "--no-save", "m.pml"], &args[..]].concat());
        assert_eq!(run.code, code, "{args:?}\n{}", run.out);
    }
}
