//! Loaders of jars, and services that files name: what a class path has besides classes.

mod support;

use std::path::Path;

use support::{Tools, difference, run_ours, scratch, tests};

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a directory")).expect("directory");
    std::fs::write(path, text).expect("file");
}

fn compare(tools: &Tools, classes: &Path, main: &str) {
    let real = tools.run(classes, main);
    assert!(!real.stdout.is_empty(), "{}", real.stderr);
    assert_eq!(difference(&real, &run_ours(classes, main)), None);
}

#[test]
fn services_of_a_class_path() {
    let Some(tools) = Tools::find() else { return };
    let classes = scratch("services");
    tools.compile(&[tests().join("loaders/Services.java")], &classes, &[]);
    let services = classes.join("META-INF/services");
    let greeters = "# comment\nServices$English\n  Services$German  # second\nServices$English\n";
    write(&services.join("Services$Greeter"), greeters);
    write(&services.join("Services$Broken"), "no.Such\n");
    compare(&tools, &classes, "Services");
    let jar = scratch("services.jar");
    tools.jar(&classes, &jar);
    compare(&tools, &jar, "Services");
}

#[test]
fn a_jar_that_a_program_loads() {
    let Some(tools) = Tools::find() else { return };
    let inside = scratch("jar-inside");
    tools.compile(&[tests().join("loaders/plug/Plug.java")], &inside, &[]);
    write(&inside.join("plug/text.txt"), "hello\n");
    write(&inside.join("META-INF/services/java.util.concurrent.Callable"), "plug.Plug\n");
    let outside = scratch("jar-outside");
    tools.compile(&[tests().join("loaders/JarLoads.java")], &outside.join("classes"), &[]);
    tools.jar(&inside, &outside.join("plug.jar"));
    compare(&tools, &outside.join("classes"), "JarLoads");
}

#[test]
fn classes_that_do_not_fit_each_other_any_more() {
    let Some(tools) = Tools::find() else { return };
    let (classes, newer) = (scratch("parts"), scratch("parts-newer"));
    tools.compile(&[tests().join("loaders/Parts.java")], &classes, &[]);
    tools.compile(&[tests().join("loaders/newer/Parts.java")], &newer, &[]);
    let file = |part: &str| format!("Parts${part}.class");
    for part in ["Methods", "Actor", "Last", "Fixed", "Parent"] {
        std::fs::copy(newer.join(file(part)), classes.join(file(part))).expect("a class file");
    }
    std::fs::remove_file(classes.join(file("Gone"))).expect("a class file");
    let version = classes.join(file("Version"));
    let mut bytes = std::fs::read(&version).expect("a class file");
    bytes[7] = 99;
    std::fs::write(&version, bytes).expect("a class file");
    compare(&tools, &classes, "Parts");
}
