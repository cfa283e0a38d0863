//! Every operation of class files is executed by some program of the tests; those that javac does not write
//! are in a class written by hand, which does what it does in java.

mod support;

use std::collections::BTreeSet;

use everypath_lang_java::{Jdk, Options, Program};
use support::assemble::{Constants, class};
use support::{Tools, class_name, difference, parallel, run_ours, scratch, sources, tests};

/// `wide` is noted instead of the operation behind it, and `breakpoint` and the two behind it are reserved.
const LAST: u8 = 201;

/// Operations that javac never writes: nop, dup2_x2, pop2 of two words, swap, goto_w, jsr, jsr_w, ret.
fn by_hand() -> Vec<u8> {
    let mut constants = Constants::default();
    let out = constants.member(9, "java/lang/System", "out", "Ljava/io/PrintStream;").to_be_bytes();
    let stream = "java/io/PrintStream";
    let int = constants.member(10, stream, "println", "(I)V").to_be_bytes();
    let long = constants.member(10, stream, "println", "(J)V").to_be_bytes();
    let text = constants.member(10, stream, "println", "(Ljava/lang/String;)V").to_be_bytes();
    let word = constants.string("from a subroutine").to_be_bytes();
    let mut code: Vec<u8> = Vec::new();
    // Prints what was put into local variable 2 or, as a long, 4.
    let print = |code: &mut Vec<u8>, wide: bool| {
        let (load, method) = if wide { ([22, 4], long) } else { ([21, 2], int) };
        code.extend([178, out[0], out[1]]);
        code.extend(load);
        code.extend([182, method[0], method[1]]);
    };
    // nop; 1 2 swap isub -> 1
    code.extend([0, 4, 5, 95, 100, 54, 2]);
    print(&mut code, false);
    // 2 1 pop2 and then 7
    code.extend([5, 4, 88, 16, 7, 54, 2]);
    print(&mut code, false);
    // 1L 0L dup2_x2: 0L 1L 0L, ladd, lsub -> -1
    code.extend([10, 9, 94, 97, 101, 55, 4]);
    print(&mut code, true);
    // 1 2 3 dup_x2: 3 1 2 3, isub, iadd, iadd -> 3
    code.extend([4, 5, 6, 91, 100, 96, 96, 54, 2]);
    print(&mut code, false);
    // 1 0L dup2_x1: 0L 1 0L, l2i, iadd, i2l, ladd -> 1
    code.extend([4, 9, 93, 136, 96, 133, 97, 55, 4]);
    print(&mut code, true);
    // goto_w over an instruction
    code.extend([200, 0, 0, 0, 7, 4, 87]);
    // jsr, jsr_w and once more jsr; the subroutine is behind the return.
    let subroutine = code.len() + 3 + 5 + 3 + 1;
    let offset = |from: usize| ((subroutine - from) as u16).to_be_bytes();
    let at = offset(code.len());
    code.extend([168, at[0], at[1]]);
    let at = offset(code.len());
    code.extend([201, 0, 0, at[0], at[1]]);
    let at = offset(code.len());
    code.extend([168, at[0], at[1]]);
    code.push(177);
    assert_eq!(code.len(), subroutine);
    // It keeps its return address in 6, prints and counts 2 up; an inner subroutine uses `wide ret`.
    code.extend([58, 6, 178, out[0], out[1], 19, word[0], word[1], 182, text[0], text[1]]);
    code.extend([132, 2, 1]);
    code.extend([168, 0, 5, 169, 6]);
    code.extend([58, 7]);
    print(&mut code, false);
    code.extend([196, 169, 0, 7]);
    class("ByHand", constants, 8, 8, &code)
}

#[test]
fn what_javac_does_not_write_does_what_it_does_in_java() {
    let Some(tools) = Tools::find() else { return };
    let directory = scratch("by-hand");
    std::fs::create_dir_all(&directory).expect("directory");
    std::fs::write(directory.join("ByHand.class"), by_hand()).expect("class file");
    let real = tools.run(&directory, "ByHand");
    assert!(real.status == 0 && real.stdout.lines().count() == 11, "{real:?}");
    let difference = difference(&real, &run_ours(&directory, "ByHand"));
    assert!(difference.is_none(), "{}", difference.unwrap_or_default());
}

#[test]
fn constants_that_code_makes_are_what_they_are_in_java() {
    let Some(tools) = Tools::find() else { return };
    let directory = scratch("dynamic-constants");
    tools.compile(&sources(&tests().join("constants")), &directory, &[]);
    tools.write_constants(&directory);
    let real = tools.run(&directory, "Constants");
    let ours = run_ours(&directory, "Constants").expect("a run");
    assert!(real.stdout.lines().count() == 19 && real.status == 1, "{real:?}");
    // Traces show how the library calls what makes a constant.
    let error = |run: &support::Run| run.stderr.lines().next().map(str::to_owned);
    assert_eq!(
        (&ours.stdout, error(&ours), ours.status),
        (&real.stdout, error(&real), real.status)
    );
}

#[test]
fn every_operation_is_executed() {
    let Some(tools) = Tools::find() else { return };
    let directory = scratch("operations");
    let programs: Vec<_> = ["bytecode", "language", "exceptions"]
        .iter()
        .flat_map(|name| sources(&tests().join("programs").join(name)))
        .collect();
    tools.compile(&programs, &directory, &[]);
    std::fs::write(directory.join("ByHand.class"), by_hand()).expect("class file");
    let mut names: Vec<String> = programs.iter().map(|source| class_name(source)).collect();
    names.push("ByHand".to_owned());
    let jdk = Jdk::find().expect("a JDK");
    let executed = parallel(&names, |name| {
        let options = Options::new(vec![directory.clone()], name.as_str());
        let options = Options { coverage: true, ..options };
        let program = Program::load(&jdk, &options).expect("a program");
        program.run().unwrap_or_else(|error| panic!("{name}: {}", error.0));
        program.operations()
    });
    let executed: BTreeSet<u8> = executed.into_iter().flatten().collect();
    let missing: Vec<u8> = (0..=LAST).filter(|code| !executed.contains(code)).collect();
    assert!(missing.is_empty(), "never executed: {missing:?}");
}
