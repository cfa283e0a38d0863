//! Class files written by hand, for what javac does not write.

/// The constants of a class file.
#[derive(Default)]
pub struct Constants {
    bytes: Vec<u8>,
    count: u16,
}

impl Constants {
    fn add(&mut self, bytes: &[u8]) -> u16 {
        self.bytes.extend_from_slice(bytes);
        self.count += 1;
        self.count
    }

    pub fn utf8(&mut self, text: &str) -> u16 {
        let mut bytes = vec![1];
        bytes.extend((text.len() as u16).to_be_bytes());
        bytes.extend(text.as_bytes());
        self.add(&bytes)
    }

    pub fn class(&mut self, name: &str) -> u16 {
        let [high, low] = self.utf8(name).to_be_bytes();
        self.add(&[7, high, low])
    }

    pub fn string(&mut self, text: &str) -> u16 {
        let [high, low] = self.utf8(text).to_be_bytes();
        self.add(&[8, high, low])
    }

    /// A field (kind 9) or a method (kind 10).
    pub fn member(&mut self, kind: u8, owner: &str, name: &str, descriptor: &str) -> u16 {
        let owner = self.class(owner).to_be_bytes();
        let (name, descriptor) =
            (self.utf8(name).to_be_bytes(), self.utf8(descriptor).to_be_bytes());
        let pair = self.add(&[12, name[0], name[1], descriptor[0], descriptor[1]]).to_be_bytes();
        self.add(&[kind, owner[0], owner[1], pair[0], pair[1]])
    }
}

/// A class of an old version (without stack maps) that has only a `main`.
pub fn class(
    name: &str,
    mut constants: Constants,
    max_stack: u16,
    max_locals: u16,
    code: &[u8],
) -> Vec<u8> {
    let this = constants.class(name);
    let parent = constants.class("java/lang/Object");
    let main = constants.utf8("main");
    let descriptor = constants.utf8("([Ljava/lang/String;)V");
    let attribute = constants.utf8("Code");
    let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 48];
    let put16 = |bytes: &mut Vec<u8>, value: u16| bytes.extend(value.to_be_bytes());
    put16(&mut bytes, constants.count + 1);
    bytes.extend(&constants.bytes);
    for value in [0x21, this, parent, 0, 0, 1, 0x09, main, descriptor, 1, attribute] {
        put16(&mut bytes, value);
    }
    bytes.extend((12 + code.len() as u32).to_be_bytes());
    put16(&mut bytes, max_stack);
    put16(&mut bytes, max_locals);
    bytes.extend((code.len() as u32).to_be_bytes());
    bytes.extend(code);
    put16(&mut bytes, 0);
    put16(&mut bytes, 0);
    put16(&mut bytes, 0);
    bytes
}
