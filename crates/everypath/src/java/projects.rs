//! Class paths of projects that Maven and Gradle build: the classes beside the tests, and the jars that the build
//! files name, from the caches that both tools keep. Nothing is downloaded.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use everypath_model::files;

/// Poms that are looked at, at most.
const MOST_POMS: usize = 2_000;
/// The largest build file that is read.
const MOST_FILE: u64 = 16 << 20;
/// Parents of a pom, at most.
const MOST_PARENTS: usize = 10;

/// What a directory of compiled tests belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Project {
    /// Other directories and jars.
    pub class_path: Vec<PathBuf>,
    /// Where its sources are.
    pub source_path: Vec<PathBuf>,
    /// What the build files name and no cache has.
    pub missing: Vec<String>,
}

/// The directories below a project in which its tests are compiled.
pub const COMPILED: [&str; 3] =
    ["target/test-classes", "build/classes/java/test", "build/classes/kotlin/test"];

/// The project that a directory of compiled tests belongs to; without one nothing is known.
pub fn project_of(classes: &Path) -> Project {
    let real = fs::canonicalize(classes).unwrap_or_else(|_| classes.to_owned());
    for compiled in COMPILED {
        if !real.ends_with(compiled) {
            continue;
        }
        let Some(root) = real.ancestors().nth(compiled.split('/').count()) else { continue };
        let maven = compiled.starts_with("target");
        let beside: &[&str] = match maven {
            true => &["target/classes"],
            false => &[
                "build/classes/java/main",
                "build/classes/kotlin/main",
                "build/resources/main",
                "build/resources/test",
            ],
        };
        let existing = |places: &[&str]| -> Vec<PathBuf> {
            places.iter().map(|place| root.join(place)).filter(|place| place.is_dir()).collect()
        };
        let mut class_path = existing(beside);
        // Jars that were copied into the project need no search.
        for folder in ["target/dependency", "build/dependencies", "lib", "libs"] {
            class_path.extend(jars_in(&root.join(folder)));
        }
        let source_path = existing(&["src/test/java", "src/main/java"]);
        let caches = Caches::of_user();
        let (wanted, versions) = match maven {
            true => maven_dependencies(root, &caches),
            false => gradle_dependencies(root, &caches),
        };
        let (jars, missing) = resolve(&caches, wanted, &versions);
        class_path.extend(jars);
        return Project { class_path, source_path, missing };
    }
    Project::default()
}

fn jars_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let all = entries.flatten().map(|entry| entry.path());
    let mut jars: Vec<PathBuf> =
        all.filter(|path| path.extension().is_some_and(|e| e == "jar")).collect();
    jars.sort();
    jars
}

/// `group:artifact` with a version, if one is named.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Dependency {
    group: String,
    artifact: String,
    version: Option<String>,
}

impl Dependency {
    fn key(&self) -> String {
        format!("{}:{}", self.group, self.artifact)
    }
}

/// Versions that are named for dependencies without one.
type Versions = BTreeMap<String, String>;

/// Where jars and poms are kept.
struct Caches {
    maven: Option<PathBuf>,
    gradle: Option<PathBuf>,
}

impl Caches {
    fn of_user() -> Caches {
        let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE"));
        let home = home.map(PathBuf::from);
        let named = |name: &str| std::env::var_os(name).map(PathBuf::from);
        let maven = named("MAVEN_REPO_LOCAL")
            .or_else(|| home.as_ref().map(|home| home.join(".m2/repository")));
        let gradle =
            named("GRADLE_USER_HOME").or_else(|| home.as_ref().map(|home| home.join(".gradle")));
        Caches { maven, gradle: gradle.map(|home| home.join("caches/modules-2/files-2.1")) }
    }

    /// A file of a dependency, by the end of its name.
    fn file(&self, of: &Dependency, ending: &str) -> Option<PathBuf> {
        let version = of.version.as_ref()?;
        let name = format!("{}-{version}{ending}", of.artifact);
        // What is written in a build file leads nowhere else.
        let plain = |part: &str| !part.is_empty() && !part.contains(['/', '\\']) && part != "..";
        if ![&of.group, &of.artifact, version].into_iter().all(|part| plain(part)) {
            return None;
        }
        if let Some(maven) = &self.maven {
            let folder = maven.join(of.group.replace('.', "/"));
            let file = folder.join(&of.artifact).join(version).join(&name);
            if file.is_file() {
                return Some(file);
            }
        }
        let folder = self.gradle.as_ref()?.join(&of.group).join(&of.artifact).join(version);
        let hashes = fs::read_dir(folder).ok()?.flatten();
        hashes.map(|hash| hash.path().join(&name)).find(|file| file.is_file())
    }

    fn pom(&self, of: &Dependency) -> Option<Pom> {
        Pom::read(&self.file(of, ".pom")?, self)
    }
}

/// What a pom says.
#[derive(Clone, Debug, Default)]
struct Pom {
    properties: BTreeMap<String, String>,
    dependencies: Vec<(Dependency, Scope)>,
    versions: Versions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    Needed,
    Test,
    /// Optional, or there by other means.
    Left,
}

impl Pom {
    fn read(path: &Path, caches: &Caches) -> Option<Pom> {
        Pom::with_parents(path, caches, MOST_PARENTS)
    }

    fn with_parents(path: &Path, caches: &Caches, most: usize) -> Option<Pom> {
        let text = files::read_text(path, MOST_FILE).ok()?;
        let project = inside(&text, "project")?;
        let own = outside(project, &["dependencies", "dependencyManagement", "build", "profiles"]);
        let mut pom = Pom::default();
        let parent = inside(&own, "parent").unwrap_or("");
        if most > 0 && !parent.is_empty() {
            let relative = inside(parent, "relativePath").unwrap_or("../pom.xml");
            let near = path.parent().map(|folder| folder.join(relative));
            let of = dependency(parent, &BTreeMap::new());
            let near = near.filter(|path| path.is_file());
            let found = near.or_else(|| caches.file(of.as_ref()?, ".pom"));
            if let Some(found) = found {
                pom = Pom::with_parents(&found, caches, most - 1).unwrap_or_default();
            }
        }
        for (name, of) in [("project.version", &own[..]), ("project.parent.version", parent)] {
            let said = inside(of, "version").or_else(|| inside(parent, "version"));
            if let Some(version) = said {
                pom.properties.insert(name.to_owned(), version.to_owned());
            }
        }
        let group = inside(&outside(&own, &["parent"]), "groupId").map(str::to_owned);
        let group = group.or_else(|| inside(parent, "groupId").map(str::to_owned));
        if let Some(group) = group {
            pom.properties.insert("project.groupId".to_owned(), group);
        }
        for (name, value) in elements(inside(&own, "properties").unwrap_or("")) {
            pom.properties.insert(name.to_owned(), value.trim().to_owned());
        }
        let managed = inside(project, "dependencyManagement").unwrap_or("");
        for (_, text) in elements(inside(managed, "dependencies").unwrap_or("")) {
            let Some(of) = dependency(text, &pom.properties) else { continue };
            let imported = inside(text, "scope").is_some_and(|scope| scope.trim() == "import");
            if imported && most > 0 {
                let bill = caches.file(&of, ".pom");
                let bill = bill.and_then(|path| Pom::with_parents(&path, caches, most - 1));
                for (key, version) in bill.unwrap_or_default().versions {
                    pom.versions.entry(key).or_insert(version);
                }
            } else if let Some(version) = &of.version {
                pom.versions.insert(of.key(), version.clone());
            }
        }
        let rest = outside(project, &["dependencyManagement", "build", "profiles"]);
        for (_, text) in elements(inside(&rest, "dependencies").unwrap_or("")) {
            let Some(of) = dependency(text, &pom.properties) else { continue };
            let optional = inside(text, "optional").is_some_and(|said| said.trim() == "true");
            let scope = match inside(text, "scope").map(str::trim) {
                _ if optional => Scope::Left,
                None | Some("compile" | "runtime") => Scope::Needed,
                Some("test" | "provided") => Scope::Test,
                Some(_) => Scope::Left,
            };
            pom.dependencies.push((of, scope));
        }
        Some(pom)
    }
}

/// The dependency that an element of a pom names.
fn dependency(text: &str, properties: &BTreeMap<String, String>) -> Option<Dependency> {
    let of = |name: &str| inside(text, name).map(|value| filled(value.trim(), properties));
    Some(Dependency { group: of("groupId")?, artifact: of("artifactId")?, version: of("version") })
}

/// A text with the values of `${name}`.
fn filled(text: &str, properties: &BTreeMap<String, String>) -> String {
    let mut text = text.to_owned();
    // A property may be made of others.
    for _ in 0..8 {
        let Some(start) = text.find("${") else { break };
        let Some(length) = text[start..].find('}') else { break };
        let name = &text[start + 2..start + length];
        let Some(value) = properties.get(name).filter(|value| value.len() < 200) else { break };
        text = format!("{}{value}{}", &text[..start], &text[start + length + 1..]);
    }
    text
}

/// What stands in the first element of a name.
fn inside<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    elements_of(text).find(|(found, _)| *found == name).map(|(_, inner)| inner).or_else(|| {
        // It may be somewhere below the only element.
        let start = text.find(&format!("<{name}"))?;
        elements_of(&text[start..]).find(|(found, _)| *found == name).map(|(_, inner)| inner)
    })
}

/// The elements of a text that are in no other one.
fn elements(text: &str) -> Vec<(&str, &str)> {
    elements_of(text).collect()
}

fn elements_of(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let start = rest.find('<')?;
            rest = &rest[start..];
            if let Some(comment) = rest.strip_prefix("<!--") {
                rest = &comment[comment.find("-->")? + 3..];
                continue;
            }
            if rest.starts_with("<?") || rest.starts_with("<!") || rest.starts_with("</") {
                rest = &rest[rest.find('>')? + 1..];
                continue;
            }
            let end = rest.find('>')?;
            let head = &rest[1..end];
            let name = head.split([' ', '\t', '\n', '\r', '/']).next().unwrap_or("");
            if head.ends_with('/') {
                rest = &rest[end + 1..];
                return Some((name, ""));
            }
            let body = &rest[end + 1..];
            let close = closing(body, name)?;
            rest = &body[close..];
            return Some((name, &body[..close]));
        }
    })
}

/// Where an element ends that began before a text.
fn closing(body: &str, name: &str) -> Option<usize> {
    let (open, close) = (format!("<{name}"), format!("</{name}"));
    let is_tag = |at: usize, length: usize| {
        body[at + length..].starts_with(['>', ' ', '\t', '\n', '\r', '/'])
    };
    let (mut depth, mut at) = (1, 0);
    loop {
        let next = body[at..].find('<')? + at;
        if body[next..].starts_with("<!--") {
            at = next + body[next..].find("-->")? + 3;
            continue;
        }
        if body[next..].starts_with(&close) && is_tag(next, close.len()) {
            depth -= 1;
            if depth == 0 {
                return Some(next);
            }
        } else if body[next..].starts_with(&open) && is_tag(next, open.len()) {
            let end = body[next..].find('>')? + next;
            depth += i32::from(!body[..end].ends_with('/'));
        }
        at = next + 1;
    }
}

/// A text without its outermost elements of some names.
fn outside(text: &str, names: &[&str]) -> String {
    let kept = elements_of(text).filter(|(name, _)| !names.contains(name));
    kept.map(|(name, inner)| format!("<{name}>{inner}</{name}>")).collect()
}

fn maven_dependencies(root: &Path, caches: &Caches) -> (Vec<Dependency>, Versions) {
    let Some(pom) = Pom::read(&root.join("pom.xml"), caches) else { return Default::default() };
    let wanted = pom.dependencies.into_iter().filter(|(_, scope)| *scope != Scope::Left);
    (wanted.map(|(of, _)| of).collect(), pom.versions)
}

/// The dependencies that a build file of Gradle names as texts: `group:artifact:version`.
fn gradle_dependencies(root: &Path, caches: &Caches) -> (Vec<Dependency>, Versions) {
    let mut wanted = Vec::new();
    let mut versions = Versions::new();
    for name in ["build.gradle", "build.gradle.kts"] {
        let Ok(text) = files::read_text(&root.join(name), MOST_FILE) else { continue };
        for line in text.lines() {
            let line = line.trim();
            if line.starts_with("//") {
                continue;
            }
            for of in line.split(['\'', '"']).skip(1).step_by(2).filter_map(coordinates) {
                if line.contains("platform(") {
                    for (key, version) in caches.pom(&of).unwrap_or_default().versions {
                        versions.entry(key).or_insert(version);
                    }
                } else {
                    wanted.push(of);
                }
            }
        }
    }
    (wanted, versions)
}

fn coordinates(text: &str) -> Option<Dependency> {
    let mut parts = text.split(':');
    let (group, artifact, version) = (parts.next()?, parts.next()?, parts.next());
    let word = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
    };
    // A classifier may follow.
    if ![group, artifact].into_iter().all(word) || !version.is_none_or(word) || !parts.all(word) {
        return None;
    }
    Some(Dependency {
        group: group.to_owned(),
        artifact: artifact.to_owned(),
        version: version.map(str::to_owned),
    })
}

/// The jars of dependencies and of what they need, the nearest version first; and what is not there.
fn resolve(
    caches: &Caches,
    wanted: Vec<Dependency>,
    versions: &Versions,
) -> (Vec<PathBuf>, Vec<String>) {
    let (mut jars, mut missing) = (Vec::new(), Vec::new());
    let mut known: BTreeMap<String, ()> = BTreeMap::new();
    let mut queue: std::collections::VecDeque<(Dependency, bool)> =
        wanted.into_iter().map(|of| (of, true)).collect();
    while let Some((mut of, direct)) = queue.pop_front() {
        if known.insert(of.key(), ()).is_some() || known.len() > MOST_POMS {
            continue;
        }
        // What the project manages counts for everything that is not named by itself.
        if let Some(version) = versions.get(&of.key())
            && (of.version.is_none() || !direct)
        {
            of.version = Some(version.clone());
        }
        match caches.file(&of, ".jar") {
            Some(jar) => jars.push(jar),
            // Some artifacts are only there for what they need.
            None if caches.file(&of, ".pom").is_some() => {}
            None => {
                let version = of.version.as_deref().unwrap_or("?");
                missing.push(format!("{}:{version}", of.key()));
                continue;
            }
        }
        let Some(pom) = caches.pom(&of) else { continue };
        for (mut next, scope) in pom.dependencies {
            if scope != Scope::Needed {
                continue;
            }
            if next.version.is_none() {
                next.version = pom.versions.get(&next.key()).cloned();
            }
            queue.push_back((next, false));
        }
    }
    (jars, missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_found_in_their_places() {
        let text = "<?xml version='1.0'?><project a='b'><!-- <x> --><parent><version>1</version></parent>\
                    <version>2</version><a/><dependencies><dependency>d</dependency></dependencies></project>";
        let project = inside(text, "project").unwrap();
        let names: Vec<&str> = elements(project).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["parent", "version", "a", "dependencies"]);
        assert_eq!(inside(project, "version"), Some("2"));
        assert_eq!(inside(&outside(project, &["version"]), "version"), Some("1"));
        for broken in ["<project", "<project><a>", "<a></b>", "<!--", "<", ">"] {
            assert_eq!(inside(broken, "project").unwrap_or(""), "");
        }
    }

    #[test]
    fn properties_are_filled_in() {
        let properties = [("a", "1"), ("b", "${a}.2"), ("loop", "${loop}")];
        let properties = properties.map(|(a, b)| (a.to_owned(), b.to_owned())).into();
        assert_eq!(filled("v${b}", &properties), "v1.2");
        assert_eq!(filled("${loop}${none}", &properties), "${loop}${none}");
    }

    #[test]
    fn coordinates_are_told_from_other_texts() {
        let of = coordinates("org.junit.jupiter:junit-jupiter:5.9.1").unwrap();
        assert_eq!(
            (of.key().as_str(), of.version.as_deref()),
            ("org.junit.jupiter:junit-jupiter", Some("5.9.1"))
        );
        assert!(coordinates("org.junit:junit-bom").unwrap().version.is_none());
        for text in ["java", "https://a.b/c", "a:b:c:d e", "../x:y:z", ""] {
            assert_eq!(coordinates(text), None, "{text}");
        }
    }
}
