//! Dining philosophers as flow graphs in their textual form: with monitors as in Java, and with forks that are tasks
//! as in Ada. What is asked of them, and under which constraints it can be proved, is from the FLAVERS paper.

/// What forks and philosophers with monitors do.
pub const MONITORS: &str = "\
proc up(f) {
  local success
  synchronized f {
    success = false
    while success == false {
      if f.isUp { wait f } else { f.isUp = true; success = true; event f.up }
    }
  }
}
proc down(f) { synchronized f { f.isUp = false; notifyall f; event f.down } }
proc philosopher(left, right, me) {
  while * {
    call up(left)
    call up(right)
    event me.startEating
    event me.stopEating
    call down(left)
    call down(right)
  }
}
";

/// No fork is raised that is up.
pub const RAISED_TWICE: &str = "for events { fork1.up, fork1.down } show all executions satisfy \
    ((fork1.up ; fork1.down) | fork1.down)* ; fork1.up?";

/// Neighbours do not eat at the same time.
pub const EAT_AT_SAME_TIME: &str = "for events { p1.startEating, p1.stopEating, p2.startEating, p2.stopEating } \
    show all executions satisfy \
    ((p1.startEating ; p1.stopEating) | (p2.startEating ; p2.stopEating))* ; (p1.startEating | p2.startEating)?";

/// Two philosophers with monitors who take the forks in the same order.
pub fn two() -> String {
    format!(
        "var fork1.isUp = false\nvar fork2.isUp = false\n{MONITORS}\
         thread p1 = philosopher(fork1, fork2, p1)\nthread p2 = philosopher(fork1, fork2, p2)\n\
         task main {{ start p1; start p2 }}\n"
    )
}

/// `n` philosophers with monitors in a ring, of whom the last takes the forks the other way around.
pub fn ring(n: usize) -> String {
    let mut text = MONITORS.to_owned();
    for i in 1..=n {
        text += &format!("var fork{i}.isUp = false\n");
        let (left, right) = if i < n { (i, i + 1) } else { (1, n) };
        text += &format!("thread p{i} = philosopher(fork{left}, fork{right}, p{i})\n");
    }
    text += "task main {\n";
    (1..=n).for_each(|i| text += &format!("start p{i}\n"));
    text + "}\n"
}

/// `n` philosophers in a ring, and forks that are tasks.
pub fn tasks(n: usize) -> String {
    let mut text = String::new();
    for i in 1..=n {
        let right = i % n + 1;
        text += &format!(
            "task p{i} {{ while * {{ send fork{i}.up; send fork{right}.up; event p{i}.startEating; \
             event p{i}.stopEating; send fork{i}.down; send fork{right}.down }} }}\n\
             task fork{i} {{ while * {{ accept fork{i}.up; accept fork{i}.down }} }}\n"
        );
    }
    text
}

/// The constraints under which a property is proved, in a ring of `n` philosophers.
pub fn constraints(n: usize, tasks: bool, property: &str) -> Vec<String> {
    let last = format!("task:p{n}");
    // Of two, the second one takes the shared fork as the first one does.
    let second = if n == 2 { "var:success2_2" } else { "var:success2_1" };
    let all: &[&str] = match (tasks, property == RAISED_TWICE) {
        // The first and the last philosopher share fork 1.
        (false, true) => &["var:fork1.isUp", "task:p1", &last, "monitor:fork1"],
        (false, false) => {
            &["var:fork2.isUp", "var:success1_2", second, "task:p1", "task:p2", "monitor:fork2"]
        }
        (true, true) => &["task:fork1"],
        (true, false) => &["task:p1", "task:p2", "task:fork2"],
    };
    all.iter().map(|text| (*text).to_owned()).collect()
}
