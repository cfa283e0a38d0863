//! Native methods of an installed JDK that nothing is done for: the library of another release may declare others.

use crate::classfile::{ClassFile, flags};
use crate::library::Provider;
use crate::link::Registry;
use crate::load::{ClassPath, Image, Jdk};
use crate::peers;
use crate::reductions::Reductions;

/// The native methods of a module that programs cannot call, as `java/lang/Object.hashCode()I`, sorted.
pub fn unmodelled_natives(jdk: &Jdk, module: &str) -> Result<Vec<String>, String> {
    let path = jdk.modules();
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let names = Image::open(&path).map_err(failed)?.classes(module);
    let image = Image::open(&path).map_err(failed)?;
    let nothing = ClassPath::open(&[]).map_err(failed)?;
    let registry = Registry::new(image, nothing, None::<Provider>, Reductions::LOCAL);
    let image = Image::open(&path).map_err(failed)?;
    let mut found = Vec::new();
    for name in names {
        let Some(bytes) = image.class(&name).map_err(failed)? else { continue };
        let file = ClassFile::read(bytes).map_err(|error| format!("{name}: {error}"))?;
        if !file.methods.iter().any(|method| method.flags & flags::NATIVE != 0) {
            continue;
        }
        let class = registry.class(&name).map_err(|_| format!("{name} cannot be linked"))?;
        let natives = class.linked().methods.iter().filter(|method| method.is(flags::NATIVE));
        let unknown = natives.filter(|method| peers::find(method).is_none());
        found.extend(unknown.map(|method| method.full_name()));
    }
    found.sort();
    Ok(found)
}
