//! What a configuration file may name: files below its own folder, and as outputs none that somebody else made. The
//! command line may name anything.

use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use everypath_model::Named;
use everypath_model::{files, shown};
use everypath_render::Format;

use crate::input::reason;

/// Bytes at the beginning and at the end of a file by which it is known.
const SEEN: u64 = 16 << 10;

/// The paths in the value of a setting.
pub fn paths(key: &str, text: &str) -> Vec<PathBuf> {
    match key {
        "include" => vec![text.into()],
        "class-path" | "source-path" => std::env::split_paths(text).collect(),
        "fsa" => {
            vec![text.split_once(":=").map_or(text, |(_, file)| file.trim()).into()]
        }
        "disk" if text != "true" => vec![text.into()],
        "output" => match text.split_once('=') {
            Some((_, file)) if file != "-" => vec![file.into()],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Why a path in the value of a setting is none that the file in a folder may name; nothing if it is.
pub fn refused(key: &str, text: &str, folder: &Path, path: &Path) -> Option<String> {
    if let Some(why) = outside(folder, path) {
        return Some(format!("{}: {why}", shown(path)));
    }
    let format = text.split_once('=').filter(|_| key == "output");
    let format = format.and_then(|(name, _)| Format::named(name))?;
    let why = replaces(format, &folder.join(path))?;
    Some(format!("{} is not replaced: {why}", shown(path)))
}

/// Why a path is not one below a folder, with all links followed; nothing if it is.
pub fn outside(folder: &Path, path: &Path) -> Option<String> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (base, real) = match (real(folder), real(&folder.join(path))) {
        (Ok(base), Ok(real)) => (base, real),
        (Err(why), _) | (_, Err(why)) => return Some(why),
    };
    (!real.starts_with(base)).then(|| "it is outside of the folder of the file".to_owned())
}

/// A path without links, whether there is something or not.
fn real(path: &Path) -> Result<PathBuf, String> {
    let mut at = std::path::absolute(path).map_err(|error| reason(&error))?;
    let mut rest = Vec::new();
    loop {
        let error = match fs::canonicalize(&at) {
            Ok(real) => return Ok(rest.iter().rev().fold(real, |path, name| path.join(name))),
            Err(error) => error,
        };
        if at.symlink_metadata().is_ok() {
            return Err(format!("a link in it leads nowhere: {}", reason(&error)));
        }
        // `..` behind what is not there could lead anywhere later.
        let Some(name) = at.file_name() else { return Err(reason(&error)) };
        rest.push(name.to_owned());
        at.pop();
    }
}

/// Why an output would replace something that is not an older output; nothing if it would not.
fn replaces(format: Format, path: &Path) -> Option<String> {
    if path.symlink_metadata().is_err() {
        return None;
    }
    match ends_of(path) {
        Err(why) => Some(why),
        Ok(ends) if is_ours(format, &ends) => None,
        Ok(_) => Some("there is a file that everypath did not write".to_owned()),
    }
}

/// The beginning of a file, and its end if it is long.
fn ends_of(path: &Path) -> Result<(String, String), String> {
    let wrong = |error: std::io::Error| reason(&error);
    let mut file = files::open(path).map_err(wrong)?;
    let (mut first, mut last) = (Vec::new(), Vec::new());
    file.by_ref().take(SEEN).read_to_end(&mut first).map_err(wrong)?;
    let length = file.metadata().map_err(wrong)?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(SEEN))).map_err(wrong)?;
    file.take(SEEN).read_to_end(&mut last).map_err(wrong)?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok((text(&first), text(&last)))
}

/// Whether a file looks like what a format writes.
fn is_ours(format: Format, (first, last): &(String, String)) -> bool {
    // The last line that was read may be cut.
    let whole: Vec<&str> =
        first.split_inclusive('\n').filter(|line| line.ends_with('\n')).collect();
    let each = |fits: &dyn Fn(&str) -> bool| {
        !whole.is_empty() && whole.iter().all(|line| fits(line.trim_end()))
    };
    let numbers = |line: &str| {
        let parts: Vec<&str> = line.split(':').collect();
        parts.len() == 3 && parts.iter().all(|part| part.parse::<i64>().is_ok())
    };
    let verdicts = ["error", "violated", "unknown", "no violation found", "holds"];
    first.is_empty()
        || match format {
            Format::Json => first.starts_with("{\"schema\":\"everypath.result"),
            Format::Jsonl => first.starts_with("{\"schema\":\"everypath.event/"),
            Format::Sarif => first.contains("\"tool\":{\"driver\":{\"name\":\"everypath\""),
            Format::Junit => first.contains("<testsuites name=\"everypath\""),
            Format::Gitlab => {
                first.trim() == "[]"
                    || (first.starts_with("[{\"description\":\"")
                        && first.contains("\"check_name\":\"EP"))
            }
            Format::Github => each(&|line| {
                ["::error ", "::warning ", "::notice ", "everypath: "]
                    .iter()
                    .any(|start| line.starts_with(start))
            }),
            Format::Concise => each(&|line| {
                verdicts.iter().any(|verdict| line.contains(&format!(": {verdict}: ")))
            }),
            Format::Trail => each(&numbers),
            Format::Full => {
                let line = last.trim_end().lines().next_back().unwrap_or_default();
                let exit = line.rsplit_once("(exit ").and_then(|(_, rest)| rest.strip_suffix(')'));
                exit.is_some_and(|exit| exit.parse::<u8>().is_ok())
            }
        }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn paths_stay_below_the_folder_with_links_followed() {
        let root = std::env::temp_dir().join(format!("everypath-confine-{}", std::process::id()));
        let folder = root.join("project");
        fs::create_dir_all(folder.join("in")).unwrap();
        fs::create_dir_all(root.join("out")).unwrap();
        symlink(root.join("out"), folder.join("away")).unwrap();
        symlink("in", folder.join("near")).unwrap();
        symlink(root.join("nothing"), folder.join("dangling")).unwrap();
        for (path, good) in [
            ("a", true),
            ("in/a", true),
            ("in/new/a", true),
            ("in/../a", true),
            (".", true),
            ("near/a", true),
            ("../out/a", false),
            ("away/a", false),
            ("away", false),
            ("away/../../project/../x", false),
            ("dangling", false),
            ("dangling/a", false),
            ("new/../../x", false),
            ("/etc/passwd", false),
            ("../project-2", false),
        ] {
            assert_eq!(outside(&folder, Path::new(path)).is_none(), good, "{path}");
        }
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn outputs_are_known_by_what_is_in_them() {
        let ours = |format, text: &str| is_ours(format, &(text.to_owned(), text.to_owned()));
        for (format, text) in [
            (Format::Json, "{\"schema\":\"everypath.result/1\",\"tool\":{}}\n"),
            (Format::Json, "{\"schema\":\"everypath.results/1\"}\n"),
            (Format::Jsonl, "{\"schema\":\"everypath.event/1\",\"time_s\":0.0}\n"),
            (
                Format::Junit,
                "<?xml version=\"1.0\"?>\n<testsuites name=\"everypath\" tests=\"2\">\n",
            ),
            (Format::Gitlab, "[]\n"),
            (Format::Gitlab, "[{\"description\":\"d\",\"check_name\":\"EP0101\"}]\n"),
            (Format::Github, "::error file=a,title=EP0101::x\neverypath: 1 file: 1 violated\n"),
            (Format::Concise, "a.pml:26:20: violated: x [EP0101]\na.pml: holds: no deadlock\n"),
            (Format::Trail, "-2:3:-2\n1:0:0\n"),
            (Format::Full, "error[EP0101]: x\n\n1 violated     (exit 1)\n"),
        ] {
            assert!(ours(format, text), "{format:?} {text}");
            assert!(ours(format, ""), "{format:?}");
            for other in
                ["export PATH=/x\n", "{\"a\": 1}\n", "no end of line", "\0\u{1}\n", "1:2\n"]
            {
                assert!(!ours(format, other), "{format:?} {other}");
            }
        }
    }
}
