//! Tests of JUnit 5 as inputs: one result for each method, and the class paths of projects.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use everypath_testkit::needs;
use serde_json::Value;

fn check(args: &[&str], home: Option<&Path>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_everypath"));
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    if let Some(home) = home {
        command.env("HOME", home).env_remove("MAVEN_REPO_LOCAL").env_remove("GRADLE_USER_HOME");
    }
    command.args(["check", "--no-save", "--no-config"]).args(args).output().unwrap()
}

/// The verdict of each test.
fn verdicts(output: &Output) -> Vec<(String, String)> {
    let text = String::from_utf8_lossy(&output.stdout);
    let said = String::from_utf8_lossy(&output.stderr);
    let document: Value =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}\n{said}"));
    let all = document["results"].as_array().cloned().unwrap_or_else(|| vec![document.clone()]);
    all.iter()
        .map(|one| {
            let of = |key: &str| one[key].as_str().unwrap_or_default().to_owned();
            (of("test"), of("verdict"))
        })
        .collect()
}

#[test]
fn every_test_method_has_its_result() {
    if !needs::javac() {
        return;
    }
    let output = check(&["examples/java/tests/AccountTest.java", "--format", "json"], None);
    let found = verdicts(&output);
    let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let expected = [
        ("AccountTest.deposits", "holds"),
        ("AccountTest.withdrawals", "violated"),
        ("AccountTest.refusesDebts", "holds"),
        ("AccountTest.Transfers.crossing", "violated"),
    ];
    assert_eq!(found, expected);
    assert_eq!(output.status.code(), Some(1));
    let output = check(&["examples/java/tests/AccountTest.java", "--format", "junit"], None);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("<testsuite name=\"AccountTest.deposits\""), "{text}");
    assert!(text.contains("classname=\"AccountTest.withdrawals\""), "{text}");
}

/// A directory that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("everypath-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    fn run(&self, program: &str, args: &[&str]) {
        let output = Command::new(program).current_dir(&self.0).args(args).output().unwrap();
        assert!(output.status.success(), "{program} {args:?}: {output:?}");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const TEST: &str = "package bank;\n\
    import org.junit.jupiter.api.*;\n\
    class BankTest {\n\
      @BeforeAll static void before() { Bank.money = 1; }\n\
      @Test void spends() throws Exception {\n\
        Thread other = new Thread(() -> Bank.money = lib.Numbers.less(Bank.money));\n\
        other.start();\n\
        Bank.money = lib.Numbers.less(Bank.money);\n\
        other.join();\n\
        if (Bank.money != -1) throw new AssertionError(\"money \" + Bank.money);\n\
      }\n\
      @Test @Disabled void later() { throw new AssertionError(); }\n\
      @Test void counts() { if (lib.Numbers.less(3) != 2) throw new AssertionError(); }\n\
      @RepeatedTest(3) void info(TestInfo info) { }\n\
    }\n";

/// A project whose jars are in a cache, with its tests compiled in `classes`.
fn project(name: &str, main: &str, test: &str, cache: impl Fn(&str, &str) -> String) -> Folder {
    let folder = Folder::new(name);
    let library = concat!(env!("CARGO_MANIFEST_DIR"), "/../lang-java/library");
    folder.write(
        "lib/Numbers.java",
        "package lib; public class Numbers { public static int less(int n) { return n - 1; } }",
    );
    folder
        .write("api/TestInfo.java", "package org.junit.jupiter.api; public interface TestInfo { }");
    folder.run("javac", &["-d", "made/lib", "lib/Numbers.java"]);
    let api = format!("{library}/org/junit/jupiter/api");
    let files: Vec<String> = fs::read_dir(api)
        .unwrap()
        .map(|entry| entry.unwrap().path().to_string_lossy().into_owned())
        .chain(["api/TestInfo.java".to_owned()])
        .collect();
    let mut words = vec!["-d", "made/api"];
    words.extend(files.iter().map(String::as_str));
    folder.run("javac", &words);
    for (group, artifact, classes) in [
        ("com.example", "numbers", "made/lib"),
        ("org.junit.jupiter", "junit-jupiter-api", "made/api"),
    ] {
        let jar = cache(group, artifact);
        let jar = folder.write(&jar, "");
        folder.run("jar", &["cf", jar.to_str().unwrap(), "-C", classes, "."]);
    }
    folder.write(
        "work/src/main/java/bank/Bank.java",
        "package bank; class Bank { static int money; }",
    );
    folder.write("work/src/test/java/bank/BankTest.java", TEST);
    folder.run("javac", &["-g", "-d", main, "work/src/main/java/bank/Bank.java"]);
    let path = format!("{main}:made/lib:made/api");
    folder.run("javac", &["-g", "-cp", &path, "-d", test, "work/src/test/java/bank/BankTest.java"]);
    fs::remove_dir_all(folder.0.join("made")).unwrap();
    fs::remove_dir_all(folder.0.join("lib")).unwrap();
    folder
}

fn expect_bank(folder: &Folder, input: &str) {
    let input = folder.0.join(input);
    let output = check(&[input.to_str().unwrap(), "--format", "json"], Some(&folder.0));
    let expected = [("BankTest.counts", "holds"), ("BankTest.spends", "violated")];
    let mut found = verdicts(&output);
    found.sort();
    let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(found, expected, "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("BankTest.info takes arguments and is not explored"), "{said}");
    // The source is found below the project.
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("src/test/java/bank/BankTest.java"), "{text}");
}

#[test]
fn projects_of_maven_bring_their_class_path() {
    if !needs::javac() {
        return;
    }
    let cache = |group: &str, artifact: &str| {
        format!(".m2/repository/{}/{artifact}/1.0/{artifact}-1.0.jar", group.replace('.', "/"))
    };
    let folder = project("maven", "work/target/classes", "work/target/test-classes", cache);
    folder.write(
        "work/pom.xml",
        "<project><groupId>a</groupId><artifactId>b</artifactId><version>1.0</version>\
         <properties><junit.version>1.0</junit.version></properties>\
         <dependencyManagement><dependencies><dependency><groupId>org.junit</groupId>\
         <artifactId>junit-bom</artifactId><version>${junit.version}</version><type>pom</type>\
         <scope>import</scope></dependency></dependencies></dependencyManagement>\
         <dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId>\
         <scope>test</scope></dependency><dependency><groupId>com.example</groupId>\
         <artifactId>numbers</artifactId><version>${project.version}</version></dependency></dependencies></project>",
    );
    folder.write(
        ".m2/repository/org/junit/junit-bom/1.0/junit-bom-1.0.pom",
        "<project><dependencyManagement><dependencies><dependency><groupId>org.junit.jupiter</groupId>\
         <artifactId>junit-jupiter</artifactId><version>1.0</version></dependency></dependencies>\
         </dependencyManagement></project>",
    );
    folder.write(
        ".m2/repository/org/junit/jupiter/junit-jupiter/1.0/junit-jupiter-1.0.pom",
        "<project><parent><groupId>x</groupId><artifactId>y</artifactId><version>1.0</version></parent>\
         <dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter-api</artifactId>\
         <version>${project.version}</version></dependency></dependencies></project>",
    );
    expect_bank(&folder, "work/target/test-classes");
    expect_bank(&folder, "work");
}

#[test]
fn projects_of_gradle_bring_their_class_path() {
    if !needs::javac() {
        return;
    }
    let cache = |group: &str, artifact: &str| {
        format!(".gradle/caches/modules-2/files-2.1/{group}/{artifact}/1.0/abc/{artifact}-1.0.jar")
    };
    let test = "work/build/classes/java/test";
    let folder = project("gradle", "work/build/classes/java/main", test, cache);
    folder.write(
        "work/build.gradle",
        "dependencies {\n  implementation 'com.example:numbers:1.0'\n\
         \x20 testImplementation \"org.junit.jupiter:junit-jupiter-api:1.0\"\n  // 'no.such:thing:1'\n}\n",
    );
    expect_bank(&folder, test);
}
