//! Test methods in class files, as JUnit and the annotation for exploration mark them.

use std::collections::BTreeMap;

use crate::classfile::{Attribute, ClassFile, Cursor, Malformed, flags};

/// The class that runs one test: its arguments are the names of a class and of a method.
pub const TEST_DRIVER: &str = "everypath.Tests";

/// A test method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestMethod {
    /// The class, with dots.
    pub class: String,
    /// The method.
    pub method: String,
    /// The source file of the class.
    pub source: Option<String>,
}

impl TestMethod {
    /// `AccountTest.transfer`
    pub fn name(&self) -> String {
        let class = self.class.rsplit('.').next().unwrap_or(&self.class);
        format!("{}.{}", class.replace('$', "."), self.method)
    }
}

/// The tests among some classes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tests {
    /// Those that are to be explored, in order.
    pub found: Vec<TestMethod>,
    /// Those that need arguments, which nobody gives.
    pub with_arguments: Vec<TestMethod>,
    /// Whether some are marked for exploration, and the others therefore left out.
    pub marked: bool,
}

/// What a class has to say about tests.
struct Class {
    name: String,
    parent: Option<String>,
    source: Option<String>,
    /// Whether there are objects of it.
    concrete: bool,
    marks: Marks,
    /// Name, whether it takes arguments, marks.
    methods: Vec<(String, bool, Marks)>,
}

/// The annotations that matter.
#[derive(Clone, Copy, Default)]
struct Marks {
    test: bool,
    explore: bool,
    disabled: bool,
    parameterized: bool,
}

/// The tests in class files; what is no class file has none.
pub fn tests_in(files: impl IntoIterator<Item = Vec<u8>>) -> Tests {
    let classes: BTreeMap<String, Class> = files
        .into_iter()
        .filter_map(|bytes| read(bytes).ok())
        .map(|class| (class.name.clone(), class))
        .collect();
    // What is said of a class counts for those inside of it.
    let around = |class: &Class, marked: fn(&Marks) -> bool| {
        let ends = class.name.match_indices('$').map(|(end, _)| end).chain([class.name.len()]);
        ends.map(|end| &class.name[..end])
            .any(|name| classes.get(name).is_some_and(|class| marked(&class.marks)))
    };
    let mut all: Vec<(TestMethod, bool, bool)> = Vec::new();
    for class in classes.values().filter(|class| class.concrete) {
        if around(class, |marks| marks.disabled) {
            continue;
        }
        let explored = around(class, |marks| marks.explore);
        let mut known: Vec<&str> = Vec::new();
        let mut next = Some(class);
        while let Some(at) = next {
            for (method, arguments, marks) in &at.methods {
                // One that is overridden counts as its last version is marked.
                if known.contains(&method.as_str()) {
                    continue;
                }
                known.push(method);
                let is_test = marks.test || marks.explore || marks.parameterized;
                if !is_test || marks.disabled {
                    continue;
                }
                let explore = marks.explore || explored || at.marks.explore;
                let test = TestMethod {
                    class: class.name.clone(),
                    method: method.clone(),
                    source: class.source.clone(),
                };
                all.push((test, explore, *arguments || marks.parameterized));
            }
            let parent = at.parent.as_ref().filter(|parent| **parent != at.name);
            next = parent.and_then(|parent| classes.get(parent)).filter(|_| known.len() < 10_000);
        }
    }
    let marked = all.iter().any(|(_, explore, _)| *explore);
    let mut tests = Tests { marked, ..Tests::default() };
    for (test, explore, arguments) in all {
        match (explore || !marked, arguments) {
            (false, _) => {}
            (true, true) => tests.with_arguments.push(test),
            (true, false) => tests.found.push(test),
        }
    }
    tests
}

fn read(bytes: Vec<u8>) -> Result<Class, Malformed> {
    let file = ClassFile::read(bytes)?;
    let mut methods = Vec::new();
    for method in &file.methods {
        let synthetic = method.flags & flags::SYNTHETIC != 0;
        if synthetic || method.name.starts_with('<') {
            continue;
        }
        let arguments = !method.descriptor.starts_with("()");
        let marks = marks(&file, &method.attributes)?;
        methods.push((method.name.to_string(), arguments, marks));
    }
    let dotted = |name: &str| name.replace('/', ".");
    let abstract_ = file.flags & (flags::ABSTRACT | flags::INTERFACE) != 0;
    Ok(Class {
        name: dotted(&file.name),
        parent: file.super_name.as_deref().map(dotted),
        source: file.source_file().map(str::to_owned),
        concrete: !abstract_,
        marks: marks(&file, &file.attributes)?,
        methods,
    })
}

fn marks(file: &ClassFile, attributes: &[Attribute]) -> Result<Marks, Malformed> {
    let mut marks = Marks::default();
    let Some(mut at) = file.attribute(attributes, "RuntimeVisibleAnnotations") else {
        return Ok(marks);
    };
    for _ in 0..at.u16()? {
        match file.pool.utf8(&file.bytes, annotation(&mut at, 0)?)? {
            "Lorg/junit/jupiter/api/Test;"
            | "Lorg/junit/jupiter/api/RepeatedTest;"
            | "Lorg/junit/Test;" => marks.test = true,
            "Lorg/junit/jupiter/params/ParameterizedTest;" => marks.parameterized = true,
            "Leverypath/Explore;" => marks.explore = true,
            "Lorg/junit/jupiter/api/Disabled;" | "Lorg/junit/Ignore;" => marks.disabled = true,
            _ => {}
        }
    }
    Ok(marks)
}

/// Passes over an annotation and gives its type.
fn annotation(at: &mut Cursor<'_>, depth: usize) -> Result<u16, Malformed> {
    let kind = at.u16()?;
    for _ in 0..at.u16()? {
        at.u16()?;
        value(at, depth)?;
    }
    Ok(kind)
}

/// Passes over a value of an annotation.
fn value(at: &mut Cursor<'_>, depth: usize) -> Result<(), Malformed> {
    /// Values in values, at most.
    const MOST: usize = 32;
    if depth > MOST {
        return Err(Malformed::new(at.position(), "its annotations are too deep"));
    }
    match at.u8()? {
        b'e' => {
            at.u16()?;
            at.u16()?;
        }
        b'@' => {
            annotation(at, depth + 1)?;
        }
        b'[' => {
            for _ in 0..at.u16()? {
                value(at, depth + 1)?;
            }
        }
        _ => {
            at.u16()?;
        }
    }
    Ok(())
}
