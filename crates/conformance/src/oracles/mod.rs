//! What is promised of published systems, and what shows it.
//!
//! `oracles.toml` beside this crate lists for each published system that we have what its description
//! promises: features and oracles by their ids, each with the tests that show it, or with the reason why
//! none does. [`Register::complaints`] finds names of tests that are not there or not run, figures that
//! are not in their source, and, where the descriptions lie beside the checkout, ids that the register
//! does not have. [`page()`] is `docs/systems.md`.
//!
//! It does not know what a test shows: who writes an entry has read it.

mod digest;
mod named;
mod page;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub use digest::{List, promised};
pub use named::{Tests, code, tests_in};
pub use page::{page, table};

/// The top of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Where the page is.
pub fn page_path() -> PathBuf {
    root().join("docs/systems.md")
}

/// What is promised of all systems.
#[derive(Clone, Debug, Default)]
pub struct Register {
    /// In the order of the file.
    pub systems: Vec<System>,
}

/// A published system.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// A short name without blanks.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Who wrote of it, and where.
    pub paper: String,
    /// A remark on what is compared.
    pub note: String,
    /// Command lines that give it.
    pub commands: Vec<String>,
    /// Where its ids stand in its description, and the name of that file.
    pub lists: Vec<List>,
    /// The description, a file of `../shared/systems`.
    pub digest: String,
    /// Our figures beside those of the paper.
    pub figures: Vec<Figure>,
    /// What is promised, in the order of the file.
    pub items: Vec<Item>,
}

/// One thing that is promised.
#[derive(Clone, Debug, Default)]
pub struct Item {
    /// Its id in the description.
    pub id: String,
    /// What it says, in a line.
    pub says: String,
    /// Tests that show it, as `crate::file::function`.
    pub tests: Vec<String>,
    /// Files that these tests read, where the file makes the difference.
    pub with: Vec<String>,
    /// Why no test shows it, or which part of it none does.
    pub open: Option<String>,
}

impl Item {
    /// Whether tests show it, the whole of it.
    pub fn is_shown(&self) -> bool {
        self.open.is_none()
    }
}

/// A figure of a paper and ours.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    /// What was measured.
    pub what: String,
    /// What the paper says.
    pub paper: String,
    /// What we say: as it stands in the register, or from a table of the source.
    pub ours: String,
    /// The file that has it.
    pub source: String,
}

/// A table of the register.
struct Reader<'a, 'i> {
    table: &'a DeTable<'i>,
    /// What it describes, for messages.
    of: String,
}

impl Reader<'_, '_> {
    fn text(&self, key: &str) -> Result<Option<String>, String> {
        match self.table.get(key).map(Spanned::get_ref) {
            None => Ok(None),
            Some(DeValue::String(text)) => Ok(Some(text.to_string())),
            Some(_) => Err(format!("{}: `{key}` is no text", self.of)),
        }
    }

    fn needed(&self, key: &str) -> Result<String, String> {
        let text = self.text(key)?.filter(|text| !text.trim().is_empty());
        text.ok_or_else(|| format!("{}: there is no `{key}`", self.of))
    }

    fn texts(&self, key: &str) -> Result<Vec<String>, String> {
        let wrong = || format!("{}: `{key}` is no list of texts", self.of);
        match self.table.get(key).map(Spanned::get_ref) {
            None => Ok(Vec::new()),
            Some(DeValue::Array(items)) => items
                .iter()
                .map(|item| item.get_ref().as_str().map(str::to_owned).ok_or_else(wrong))
                .collect(),
            Some(_) => Err(wrong()),
        }
    }

    fn tables(&self, key: &str) -> Result<Vec<Reader<'_, '_>>, String> {
        let wrong = || format!("{}: `{key}` is no list of tables", self.of);
        let Some(value) = self.table.get(key) else { return Ok(Vec::new()) };
        let DeValue::Array(items) = value.get_ref() else { return Err(wrong()) };
        let reader = |item| match Spanned::get_ref(item) {
            DeValue::Table(table) => Ok(Reader { table, of: self.of.clone() }),
            _ => Err(wrong()),
        };
        items.iter().map(reader).collect()
    }

    fn known(&self, keys: &[&str]) -> Result<(), String> {
        let strange = self.table.keys().find(|key| !keys.contains(&key.get_ref().as_ref()));
        strange.map_or(Ok(()), |key| Err(format!("{}: unknown key `{}`", self.of, key.get_ref())))
    }
}

impl Register {
    /// The register of this repository.
    ///
    /// # Errors
    ///
    /// What is wrong with it, as text.
    pub fn load() -> Result<Register, String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("oracles.toml");
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        Register::read(&text, &root())
    }

    /// Reads a register; sources of figures are looked for below `root`.
    ///
    /// # Errors
    ///
    /// What is wrong with it, as text.
    pub fn read(text: &str, root: &Path) -> Result<Register, String> {
        let document = DeTable::parse(text).map_err(|error| error.to_string())?;
        let top = Reader { table: document.get_ref(), of: "oracles.toml".to_owned() };
        top.known(&["system"])?;
        let systems = top.tables("system")?;
        let systems =
            systems.iter().map(|reader| system(reader, root)).collect::<Result<_, _>>()?;
        Ok(Register { systems })
    }

    /// All that is wrong with it beside the tests and files of `root`.
    pub fn complaints(&self, root: &Path) -> Vec<String> {
        let tests = Tests::below(&root.join("crates"));
        let mut wrong = Vec::new();
        let mut seen = BTreeSet::new();
        for system in &self.systems {
            if !seen.insert(&system.id) {
                wrong.push(format!("{} is there twice", system.id));
            }
            for item in &system.items {
                let mut complain = |what: String| {
                    wrong.push(format!("{} {}: {what}", system.id, item.id));
                };
                if item.tests.is_empty() && item.open.is_none() {
                    complain("neither a test nor a reason".to_owned());
                }
                item.tests.iter().filter_map(|name| tests.complaint(name)).for_each(&mut complain);
                for file in item.with.iter().filter(|file| !root.join(file).exists()) {
                    complain(format!("there is no {file}"));
                }
            }
            let digest = root.join("../shared/systems").join(&system.digest);
            if let Ok(text) = fs::read_to_string(&digest) {
                let ids: BTreeSet<&String> = system.items.iter().map(|item| &item.id).collect();
                let listed = promised(&text, &system.lists);
                let missing = listed.iter().filter(|id| !ids.contains(id));
                wrong.extend(missing.map(|id| format!("{}: there is no {id}", system.id)));
                let listed: BTreeSet<&String> = listed.iter().collect();
                let extra = ids.iter().filter(|id| !listed.contains(*id));
                wrong.extend(extra.map(|id| format!("{}: {id} is nowhere promised", system.id)));
            }
        }
        wrong
    }
}

fn system(reader: &Reader<'_, '_>, root: &Path) -> Result<System, String> {
    let id = reader.needed("id")?;
    let reader = Reader { table: reader.table, of: id.clone() };
    let keys = ["id", "name", "paper", "note", "commands", "digest", "lists", "figures", "items"];
    reader.known(&keys)?;
    let mut items = Vec::new();
    if let Some(DeValue::Table(table)) = reader.table.get("items").map(Spanned::get_ref) {
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in entries {
            let of = format!("{id} {}", key.get_ref());
            let DeValue::Table(table) = value.get_ref() else {
                return Err(format!("{of} is no table"));
            };
            items.push(item(key.get_ref(), &Reader { table, of })?);
        }
    }
    if items.is_empty() {
        return Err(format!("{id}: nothing is promised"));
    }
    let lists = reader.tables("lists")?;
    let figures = reader.tables("figures")?;
    Ok(System {
        name: reader.needed("name")?,
        paper: reader.needed("paper")?,
        note: reader.text("note")?.unwrap_or_default(),
        commands: reader.texts("commands")?,
        digest: reader.needed("digest")?,
        lists: lists.iter().map(list).collect::<Result<_, _>>()?,
        figures: figures.iter().map(|one| figure(one, root)).collect::<Result<_, _>>()?,
        items,
        id,
    })
}

fn item(id: &str, reader: &Reader<'_, '_>) -> Result<Item, String> {
    reader.known(&["says", "tests", "with", "open"])?;
    Ok(Item {
        id: id.to_owned(),
        says: reader.needed("says")?,
        tests: reader.texts("tests")?,
        with: reader.texts("with")?,
        open: reader.text("open")?,
    })
}

fn list(reader: &Reader<'_, '_>) -> Result<List, String> {
    reader.known(&["section", "words", "bullets", "numbers", "letters", "headings"])?;
    Ok(List {
        section: reader.needed("section")?,
        words: reader.text("words")?,
        bullets: reader.text("bullets")?,
        numbers: reader.text("numbers")?,
        letters: reader.text("letters")?,
        headings: reader.text("headings")?,
    })
}

/// A figure; ours is a text whose numbers the source has, or a cell of a table of the source.
fn figure(reader: &Reader<'_, '_>, root: &Path) -> Result<Figure, String> {
    reader.known(&["what", "paper", "ours", "row", "column", "source"])?;
    let source = reader.needed("source")?;
    let text = fs::read_to_string(root.join(&source)).map_err(|e| format!("{source}: {e}"))?;
    let ours = match reader.text("row")? {
        Some(row) => {
            let column = reader.text("column")?.unwrap_or_else(|| "measured".to_owned());
            cell(&text, &row, &column)
                .ok_or_else(|| format!("{}: {source} has no `{row}` with {column}", reader.of))?
        }
        None => {
            let ours = reader.needed("ours")?;
            if let Some(number) = numbers(&ours).find(|number| !text.contains(number)) {
                return Err(format!("{}: {source} does not have the figure {number}", reader.of));
            }
            ours
        }
    };
    Ok(Figure { what: reader.needed("what")?, paper: reader.needed("paper")?, ours, source })
}

/// The numbers in a text, as they are written.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ','))
        .map(|word| word.trim_matches(['.', ',']))
        .filter(|word| word.contains(|c: char| c.is_ascii_digit()))
}

/// The cell of the first table of a document that has such a row and such a column.
fn cell(document: &str, row: &str, column: &str) -> Option<String> {
    let mut heads: Vec<&str> = Vec::new();
    for line in document.lines() {
        let Some(inside) =
            line.strip_prefix('|').and_then(|line| line.trim_end().strip_suffix('|'))
        else {
            heads.clear();
            continue;
        };
        let cells: Vec<&str> = inside.split('|').map(str::trim).collect();
        if heads.is_empty() {
            heads = cells;
        } else if cells.first() == Some(&row)
            && let Some(at) = heads.iter().position(|head| *head == column)
        {
            return cells.get(at).map(|cell| (*cell).to_owned());
        }
    }
    None
}
