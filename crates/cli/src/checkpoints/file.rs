//! The file of a checkpoint.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use everypath_model::{files, shown};

use super::Header;
use crate::input::reason;

/// The first line.
const MAGIC: &[u8] = b"everypath checkpoint 3\n";
/// Bytes that are written at once; a multiple of eight.
const PIECE: usize = 1 << 20;
/// The longest header that is believed.
const LONGEST: u64 = 16 << 20;

/// A sum of everything, of eight bytes each time.
#[derive(Clone, Copy)]
struct Sum(u64);

impl Sum {
    const NEW: Sum = Sum(0x243f_6a88_85a3_08d3);

    /// Adds bytes; the last eight may be incomplete.
    fn add(&mut self, bytes: &[u8]) {
        let (whole, rest) = bytes.as_chunks::<8>();
        let mut sum = self.0;
        let mut one = |bytes: [u8; 8]| {
            let product = u128::from(sum ^ u64::from_le_bytes(bytes)) * 0x9e37_79b9_7f4a_7c15;
            sum = (product as u64 ^ (product >> 64) as u64).rotate_left(23) ^ 0xd1b5_4a32_d192_ed03;
        };
        whole.iter().copied().for_each(&mut one);
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            one(last);
        }
        self.0 = sum;
    }
}

/// A file with a checksum at its end.
pub struct Summed<'a> {
    file: &'a File,
    buffer: Vec<u8>,
    sum: Sum,
    bytes: u64,
}

impl<'a> Summed<'a> {
    /// Begins one in an empty file.
    pub fn begin(file: &'a File, header: &Header) -> io::Result<Summed<'a>> {
        let mut out = Summed { file, buffer: Vec::with_capacity(PIECE), sum: Sum::NEW, bytes: 0 };
        let header = serde_json::to_vec(header).map_err(io::Error::other)?;
        out.write_all(MAGIC)?;
        out.write_all(&(header.len() as u64).to_le_bytes())?;
        out.write_all(&header)?;
        Ok(out)
    }

    fn empty(&mut self) -> io::Result<()> {
        self.sum.add(&self.buffer);
        self.file.write_all(&self.buffer)?;
        self.bytes += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Ends it, and sees to it that it is on the disk; its length.
    pub fn finish(mut self) -> io::Result<u64> {
        self.empty()?;
        self.file.write_all(&self.sum.0.to_le_bytes())?;
        self.file.sync_all()?;
        Ok(self.bytes + 8)
    }
}

impl Write for Summed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let fits = bytes.len().min(PIECE - self.buffer.len());
        self.buffer.extend_from_slice(&bytes[..fits]);
        if self.buffer.len() == PIECE {
            self.empty()?;
        }
        Ok(fits)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What the engine wrote.
pub struct Body {
    file: BufReader<File>,
    start: u64,
    /// Bytes in front of the checksum, and how many are left to read.
    end: u64,
    left: u64,
}

impl Body {
    /// Opens a checkpoint and reads its header.
    pub fn open(path: &Path) -> Result<(Header, Body), String> {
        let shown = shown(path);
        let read = |why: io::Error| format!("cannot read {shown}: {}", reason(&why));
        let damaged = || format!("{shown} is not a checkpoint, or damaged");
        let file = files::open(path).map_err(read)?;
        let length = file.metadata().map_err(read)?.len();
        let mut file = BufReader::with_capacity(PIECE, file);
        let mut magic = vec![0; MAGIC.len()];
        let mut size = [0; 8];
        file.read_exact(&mut magic).map_err(|_| damaged())?;
        file.read_exact(&mut size).map_err(|_| damaged())?;
        let size = u64::from_le_bytes(size);
        let start = MAGIC.len() as u64 + 8;
        if magic != MAGIC || size > LONGEST || start + size + 8 > length {
            return Err(damaged());
        }
        let mut header = vec![0; size as usize];
        file.read_exact(&mut header).map_err(|_| damaged())?;
        let header = serde_json::from_slice(&header).map_err(|_| damaged())?;
        let (start, end) = (start + size, length - 8);
        Ok((header, Body { file, start, end, left: end - start }))
    }

    /// Compares the checksum with what is there.
    pub fn verify(&mut self) -> Result<(), String> {
        self.sums_up().map_err(|why| why.to_string())?.then_some(()).ok_or_else(|| {
            "the file is damaged: its checksum is not that of its contents".to_owned()
        })
    }

    fn sums_up(&mut self) -> io::Result<bool> {
        self.file.seek(SeekFrom::Start(0))?;
        let mut sum = Sum::NEW;
        let mut left = self.end;
        let mut piece = vec![0; PIECE];
        while left > 0 {
            let size = left.min(PIECE as u64) as usize;
            self.file.read_exact(&mut piece[..size])?;
            sum.add(&piece[..size]);
            left -= size as u64;
        }
        let mut expected = [0; 8];
        self.file.read_exact(&mut expected)?;
        self.file.seek(SeekFrom::Start(self.start))?;
        self.left = self.end - self.start;
        Ok(u64::from_le_bytes(expected) == sum.0)
    }
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = self.left.min(buffer.len() as u64) as usize;
        let count = self.file.read(&mut buffer[..most])?;
        self.left -= count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_byte_is_noticed() {
        let path = std::env::temp_dir().join(format!("everypath-sum-{}", std::process::id()));
        let header = Header {
            path: "a.pml".into(),
            words: Vec::new(),
            same: vec![("version".to_owned(), "1".to_owned())],
            states: 7,
        };
        let body: Vec<u8> = (0..100_003u32).map(|n| (n.wrapping_mul(n) >> 3) as u8).collect();
        let file = File::create(&path).unwrap();
        let mut out = Summed::begin(&file, &header).unwrap();
        out.write_all(&body).unwrap();
        let bytes = out.finish().unwrap();
        let good = std::fs::read(&path).unwrap();
        assert_eq!(good.len() as u64, bytes);
        let (read, mut file) = Body::open(&path).unwrap();
        assert_eq!(read.states, 7);
        file.verify().unwrap();
        let mut again = Vec::new();
        file.read_to_end(&mut again).unwrap();
        assert!(again == body);
        for at in (0..good.len()).step_by(997).chain([good.len() - 1, 0, 30]) {
            let mut bad = good.clone();
            bad[at] ^= 1 << (at % 8);
            std::fs::write(&path, &bad).unwrap();
            let noticed = match Body::open(&path) {
                Ok((_, mut file)) => file.verify().is_err(),
                Err(_) => true,
            };
            assert!(noticed, "byte {at}");
        }
        for cut in [0, 5, 30, 40, good.len() / 2, good.len() - 1] {
            std::fs::write(&path, &good[..cut]).unwrap();
            assert!(Body::open(&path).map_or(true, |(_, mut file)| file.verify().is_err()));
        }
        std::fs::remove_file(path).unwrap();
    }
}
