//! Finding the user's JDK.

use std::path::{Path, PathBuf};

/// An installed JDK.
#[derive(Clone, Debug)]
pub struct Jdk {
    /// Its directory.
    pub home: PathBuf,
}

impl Jdk {
    /// The JDK of `JAVA_HOME`, or else the one that `javac` or `java` of the path belongs to.
    pub fn find() -> Result<Jdk, String> {
        if let Some(home) = std::env::var_os("JAVA_HOME").filter(|home| !home.is_empty()) {
            let home = PathBuf::from(home);
            return if has_modules(&home) {
                Ok(Jdk { home })
            } else {
                Err(format!("JAVA_HOME is {}, which has no lib/modules", home.display()))
            };
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        // A path from here may lead into the folder of a stranger.
        for directory in std::env::split_paths(&path).filter(|directory| directory.is_absolute()) {
            for name in ["javac", "java"] {
                if let Ok(program) = directory.join(name).canonicalize()
                    && let Some(home) = program.parent().and_then(Path::parent)
                    && has_modules(home)
                {
                    return Ok(Jdk { home: home.to_owned() });
                }
            }
        }
        Err("no JDK was found: neither JAVA_HOME nor `java` on the path leads to one (install one, \
             for example with `apt install openjdk-17-jdk-headless`)"
            .to_owned())
    }

    /// Its modules image.
    pub(crate) fn modules(&self) -> PathBuf {
        self.home.join("lib").join("modules")
    }

    /// Its compiler.
    pub fn javac(&self) -> PathBuf {
        self.home.join("bin").join("javac")
    }

    /// The virtual machine.
    pub fn java(&self) -> PathBuf {
        self.home.join("bin").join("java")
    }
}

fn has_modules(home: &Path) -> bool {
    home.join("lib").join("modules").is_file()
}
