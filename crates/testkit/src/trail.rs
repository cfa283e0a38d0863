//! SPIN on one model: its simulator, the trails that its verifier writes, what it says to others.

use std::fs;
use std::io;
use std::process::Command;

use crate::spin::{Config, Run, Spin, TempDir, finish, parse_report};

/// A model with the verifier that SPIN made of it.
pub struct Verifier<'s> {
    spin: &'s Spin,
    dir: TempDir,
    config: Config,
    options: Vec<String>,
}

/// Name of the model in the directory of a [`Verifier`].
const MODEL: &str = "m.pml";

impl Spin {
    /// Makes an unreduced verifier of a model without its claims; `None` if it cannot be made.
    /// `options` are those of `spin -a`, such as `-o3`.
    pub fn verifier(&self, source: &str, options: &[&str]) -> io::Result<Option<Verifier<'_>>> {
        let dir = TempDir::new()?;
        fs::write(dir.path.join(MODEL), source)?;
        let config = Config::default();
        let mut spin = Command::new(&self.spin);
        spin.arg("-a").args(options).arg(MODEL);
        finish(spin, &dir.path, &config)?;
        let mut compile = Command::new(self.tcc.as_ref().unwrap_or(&self.gcc));
        compile.args(["-w", "-DNOREDUCE", "-DSAFETY", "-DNOCLAIM", "-DVECTORSZ=8192"]);
        compile.args(["-o", "pan", "pan.c"]);
        let compiled = finish(compile, &dir.path, &config)?;
        let made = compiled.is_some_and(|compiled| compiled.status.success());
        let options = options.iter().map(|option| option.to_string()).collect();
        Ok(made.then_some(Verifier { spin: self, dir, config, options }))
    }
}

impl Verifier<'_> {
    /// Searches up to the first error: the report, and the trail if there is an error.
    pub fn search(&self, options: &[&str]) -> io::Result<Option<(Run, Option<String>)>> {
        let Some(text) = self.pan(options)? else { return Ok(None) };
        let trail = fs::read_to_string(self.dir.path.join("m.pml.trail")).ok();
        Ok(parse_report(&text).map(|run| (run, trail)))
    }

    /// What the verifier prints: its report, or with `-d` its transitions.
    pub fn pan(&self, options: &[&str]) -> io::Result<Option<String>> {
        let mut pan = Command::new(self.dir.path.join("pan"));
        pan.args(["-m100000", "-w18"]).args(options);
        Ok(finish(pan, &self.dir.path, &self.config)?.map(|done| done.text))
    }

    /// What `pan -r` and `spin -t -p` print for a trail.
    pub fn replay(&self, trail: &str) -> io::Result<Option<(String, String)>> {
        fs::write(self.dir.path.join("m.pml.trail"), trail)?;
        let Some(pan) = self.pan(&["-r"])? else { return Ok(None) };
        let mut spin = Command::new(&self.spin.spin);
        spin.args(&self.options).args(["-t", "-p", MODEL]);
        Ok(finish(spin, &self.dir.path, &self.config)?.map(|done| (pan, done.text)))
    }
}

impl Spin {
    /// What a simulation of a model prints; nothing if it takes too long.
    pub fn simulate(&self, source: &str, options: &[&str]) -> io::Result<String> {
        let dir = TempDir::new()?;
        fs::write(dir.path.join(MODEL), source)?;
        let mut spin = Command::new(&self.spin);
        spin.args(options).arg(MODEL);
        let done = finish(spin, &dir.path, &Config::default())?;
        Ok(done.map(|done| done.text).unwrap_or_default())
    }
}
