//! Classes that loaders of the program give: where code of such a class refers to another one, its loader is
//! asked, by a call of its method `loadClass`. What it answered is kept in the loader itself, so each state
//! knows which of its loaders was asked for what.

use super::{Asked, Failure, Run, Trap, Vm, Worker};
use crate::classfile::{Const, flags};
use crate::code::{Code, Handler, Insn, op};
use crate::link::{Class, Field, LoadError, Method, NewMethod, Resolved};

/// The class that the virtual machine makes for the code that asks.
pub(crate) const LOADING_CLASS: &str = "everypath/Loading";
/// The name of its methods: who calls them is executed again.
pub(super) const ASK: &str = "<ask>";

const FOR_CODE: &str = "(Ljava/lang/ClassLoader;Ljava/lang/String;)V";
const FOR_PROGRAM: &str = "(Ljava/lang/ClassLoader;Ljava/lang/String;I)V";

impl Vm {
    /// Makes the code that asks a loader.
    pub(super) fn make_loading_code(&self) -> Run<()> {
        let object = self.try_class("java/lang/Object")?;
        let loader = self.try_class("java/lang/ClassLoader")?;
        let missing = self.try_class("java/lang/ClassNotFoundException")?;
        let load = loader.declared("loadClass", "(Ljava/lang/String;)Ljava/lang/Class;");
        let Some(load) = load else {
            let text = "this JDK: ClassLoader has no loadClass";
            return Err(Trap::Fail(Failure::Unsupported(text.to_owned())));
        };
        let new = |name: &str, descriptor: &str, flags: u16| NewMethod {
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
            flags: flags | flags::STATIC,
        };
        let methods = vec![
            new(ASK, FOR_CODE, 0),
            new(ASK, FOR_PROGRAM, 0),
            new(
                "answered",
                "(Ljava/lang/ClassLoader;Ljava/lang/String;Ljava/lang/Class;)V",
                flags::NATIVE,
            ),
            new("missing", "(Ljava/lang/Throwable;Ljava/lang/String;)V", flags::NATIVE),
        ];
        let pool = vec![Some(Resolved::Method(load)), Some(Resolved::Class(missing)), None, None];
        let class = self
            .registry
            .define(LOADING_CLASS, object, Vec::new(), &[], methods, pool)
            .map_err(|_| Trap::Fail(Failure::Broken("a class of the checker".to_owned())))?;
        let own = |index: usize| class.linked().methods[index];
        let _ = class.pool[3].set(Resolved::Method(own(2)));
        let _ = class.pool[4].set(Resolved::Method(own(3)));
        let mut insns: Vec<Insn> =
            [0, 1, 0, 1].iter().map(|&slot| Insn::new(op::ALOAD, slot, 0)).collect();
        insns.push(Insn::new(op::INVOKEVIRTUAL, 1, 0));
        insns.push(Insn::new(op::INVOKESTATIC, 3, 0));
        insns.push(Insn::new(op::RETURN, 0, 0));
        let _ = own(1).code.set(Ok(Code::made(insns.clone(), 3, 4, Vec::new())));
        let end = insns.len() as u32;
        insns.push(Insn::new(op::ALOAD, 1, 0));
        insns.push(Insn::new(op::INVOKESTATIC, 4, 0));
        insns.push(Insn::new(op::RETURN, 0, 0));
        let handler = Handler { start: 0, end, target: end, class: 2 };
        let _ = own(0).code.set(Ok(Code::made(insns, 2, 4, vec![handler])));
        Ok(())
    }
}

impl Worker {
    /// Goes on where a loader is to be asked; everything else stops the thread. Errors of linking are thrown.
    #[cold]
    pub(super) fn ask_loader(&mut self, trap: Trap) -> Run<()> {
        if let (Trap::Fail(Failure::Linkage(class, text)), false) = (&trap, self.for_base) {
            return Err(self.throw(class, Some(text)));
        }
        let Trap::Ask(Asked { loader, name, linking }) = trap else { return Err(trap) };
        let class = self.vm.try_class(LOADING_CLASS)?;
        let method = class.linked().methods[usize::from(!linking)];
        let code = match method.code() {
            Ok(code) => code,
            Err(text) => return self.unsupported(text),
        };
        if self.frames.len() >= self.vm.settings.deepest {
            self.vm.stack_met.store(true, std::sync::atomic::Ordering::Relaxed);
            let Trap::Throw(error) = self.throw("java/lang/StackOverflowError", None) else {
                return self.unsupported("an error without an object");
            };
            return Err(Trap::Throw(error));
        }
        self.push(loader);
        self.push(name);
        if !linking {
            self.push(0);
        }
        self.push_frame(method, code);
        Ok(())
    }

    /// The words of a loader that tell what it was asked for, and its space.
    fn asked_slots(&self) -> Run<(u32, u32)> {
        let words = self.vm.try_class("java/lang/ClassLoader")?.linked().words;
        Ok((words - 2, words - 1))
    }

    /// Whether a loader is one of the program's: those of the virtual machine know the class path and the library.
    pub fn is_own_loader(&self, loader: u32) -> bool {
        let class = self.class_of(loader);
        !(class.library && class.name.starts_with("jdk/internal/loader/"))
    }

    /// The loader of a class that one of the program's defined.
    pub fn loader_of(&mut self, class: &'static Class) -> Run<u32> {
        let mut element = class;
        while let Some(inner) = element.element() {
            element = inner;
        }
        let mirror = self.mirror(element)?;
        Ok(self.get(mirror, self.field_of(mirror, "classLoader")?.slot))
    }

    /// The class of a name that a loader of the program was asked for or has defined.
    pub fn known_to(&self, loader: u32, name: &str) -> Run<Option<&'static Class>> {
        let list = self.get(loader, self.asked_slots()?.0);
        if list == 0 {
            return Ok(None);
        }
        let place = self.heap.place(&self.vm.base, list);
        for index in 0..self.array_length(list) {
            let class = self.mirrored(self.load_word(place, index));
            if &*class.name == name {
                return Ok(Some(class));
            }
        }
        Ok(None)
    }

    /// The class that a loader of the program calls so; it is asked if it was not before.
    pub fn ask(&mut self, loader: u32, name: &str, linking: bool) -> Run<&'static Class> {
        let dimensions = name.len() - name.trim_start_matches('[').len();
        let mut element = &name[dimensions..];
        if dimensions > 0 {
            match element.strip_prefix('L').and_then(|name| name.strip_suffix(';')) {
                Some(name) => element = name,
                None => return self.class(name),
            }
        }
        let Some(mut class) = self.known_to(loader, element)? else {
            self.touch(loader)?;
            let name = self.literal(&element.replace('/', "."))?;
            return Err(Trap::Ask(Asked { loader, name, linking }));
        };
        let space = self.get(loader, self.asked_slots()?.1);
        let bound = space == 0
            || self.vm.registry.class_in(space, element).is_ok_and(|known| known == class)
            || self.vm.registry.bind(space, class);
        if !bound {
            return self.unsupported(format!("a loader with different classes {element}"));
        }
        for _ in 0..dimensions {
            let array = self.vm.registry.array_of(class);
            class = array.map_err(|error| self.load_failure(error))?;
        }
        Ok(class)
    }

    /// Notes that a loader of the program has a class.
    pub fn note_loaded(&mut self, loader: u32, class: &'static Class) -> Run<()> {
        let (slot, _) = self.asked_slots()?;
        let list = self.get(loader, slot);
        let mut mirrors = Vec::new();
        if list != 0 {
            let place = self.heap.place(&self.vm.base, list);
            mirrors.extend((0..self.array_length(list)).map(|index| self.load_word(place, index)));
        }
        mirrors.push(self.mirror(class)?);
        let array = self.class("[Ljava/lang/Class;")?;
        let list = self.new_references(array, &mirrors)?;
        self.set_reference(loader, slot, list);
        Ok(())
    }

    /// The space of a loader that has one.
    pub fn space_if_any(&self, loader: u32) -> Run<Option<u32>> {
        let space = self.get(loader, self.asked_slots()?.1);
        Ok((space != 0).then_some(space))
    }

    /// The space of a loader of the program: the first one of its kind that no other loader of this state
    /// has. What kind it is, the class that it defines first tells.
    pub fn space_of(&mut self, loader: u32, first: &str, bytes: &[u8]) -> Run<u32> {
        let (_, slot) = self.asked_slots()?;
        let known = self.get(loader, slot);
        if known != 0 {
            return Ok(known);
        }
        let kind = self.class_of(loader).own_name();
        let hash = rustc_hash::FxBuildHasher;
        let hash = std::hash::BuildHasher::hash_one(&hash, bytes);
        for copy in 0_u32.. {
            let key = format!("{kind} {first} {hash:x} {} {copy}", bytes.len());
            let (space, class) = self.vm.registry.space(key);
            let used = match class {
                Some(class) => self.loader_of(class)? != 0,
                None => false,
            };
            if !used {
                self.set(loader, slot, space);
                return Ok(space);
            }
        }
        self.unsupported("a loader without a space")
    }

    /// A class by the name that the code which runs has for it.
    pub(super) fn class_here(&self, name: &str) -> Result<&'static Class, LoadError> {
        self.vm.registry.class_in(self.top.method.class.space, name)
    }

    /// A class by the name that another class has for it.
    pub fn class_from(&mut self, class: &'static Class, name: &str) -> Run<&'static Class> {
        if class.space == 0 {
            return self.class(name);
        }
        let loader = self.loader_of(class)?;
        self.ask(loader, name, true)
    }

    /// Asks for the class that a constant names, or whose member it names.
    #[cold]
    pub(crate) fn ask_for_constant(&mut self, class: &'static Class, index: u16) -> Run<()> {
        let Some(file) = &class.file else { return Ok(()) };
        let name = match file.pool.get(index) {
            Const::Class(_) => file.pool.class_name(&file.bytes, index).ok(),
            Const::Handle { reference, .. } => {
                file.pool.member(&file.bytes, reference).ok().map(|(owner, ..)| owner)
            }
            _ => file.pool.member(&file.bytes, index).ok().map(|(owner, ..)| owner),
        };
        if let Some(name) = name {
            self.class_seen_from(class, name)?;
        }
        Ok(())
    }

    /// A class by the name that another class has for it; one of another package has to be public.
    pub fn class_seen_from(&mut self, class: &'static Class, name: &str) -> Run<&'static Class> {
        let found = self.class_from(class, name)?;
        let mut element = found;
        while let Some(inner) = element.element() {
            element = inner;
        }
        if element.space != class.space && !element.is(flags::PUBLIC) {
            let text = format!(
                "failed to access class {} from class {} ({})",
                element.get_name(),
                class.get_name(),
                self.modules(element, class)?
            );
            return Err(self.throw("java/lang/IllegalAccessError", Some(&text)));
        }
        Ok(found)
    }

    /// Whether code of a class that a loader of the program defined may use a member of another one: those
    /// of other loaders are in other packages.
    #[cold]
    pub(super) fn check_member(
        &mut self,
        from: &'static Class,
        owner: &'static Class,
        access: u16,
        member: &str,
    ) -> Run<()> {
        let inherited = access & flags::PROTECTED != 0 && from.is_subtype_of(owner);
        if owner.space == from.space || access & flags::PUBLIC != 0 || inherited {
            return Ok(());
        }
        let what = match access & (flags::PRIVATE | flags::PROTECTED) {
            flags::PRIVATE => "private ",
            flags::PROTECTED => "protected ",
            _ => "",
        };
        let text = format!(
            "class {} tried to access {what}{member} ({})",
            from.get_name(),
            self.modules(from, owner)?
        );
        Err(self.throw("java/lang/IllegalAccessError", Some(&text)))
    }

    /// The method that a constant names in a class that a loader of the program defined.
    #[cold]
    pub(super) fn method_of_loader(
        &mut self,
        class: &'static Class,
        index: u16,
    ) -> Run<&'static Method> {
        self.ask_for_constant(class, index)?;
        let found = class.method_at(&self.vm.registry, index);
        let method = found.map_err(|error| self.link_failure(error))?;
        let text = format!("method '{}'", super::invoke::describe(method));
        self.check_member(class, method.class, method.flags, &text)?;
        Ok(method)
    }

    /// The field that a constant names in such a class.
    #[cold]
    pub(super) fn field_of_loader(
        &mut self,
        class: &'static Class,
        index: u16,
    ) -> Run<&'static Field> {
        self.ask_for_constant(class, index)?;
        let found = class.field_at(&self.vm.registry, index);
        let field = found.map_err(|error| self.link_failure(error))?;
        let text = format!("field {}.{}", field.class.get_name(), field.name);
        self.check_member(class, field.class, field.flags, &text)?;
        Ok(field)
    }

    /// Asks for the exceptions that a method catches, before it runs.
    #[cold]
    pub(super) fn ask_for_handlers(
        &mut self,
        method: &'static Method,
        code: &'static Code,
    ) -> Run<()> {
        for handler in code.handlers.iter().filter(|handler| handler.class != 0) {
            self.ask_for_constant(method.class, handler.class)?;
        }
        Ok(())
    }
}
