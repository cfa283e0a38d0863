//! Looking at all slots of a cache line at once.
//!
//! Slots of a line are filled from the first to the last and never change afterwards, while other
//! threads may be filling them. What a scan sees of a free slot may therefore be out of date, but
//! a slot that it sees as taken is seen as it will stay. Callers take a free slot by a compare and
//! exchange, which tells them when they were late.

#![allow(unsafe_code)]

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// Which slots of a line have the wanted value, and which are free, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scan {
    pub found: u32,
    pub free: u32,
}

/// One way of looking at lines.
pub(crate) trait Scanner {
    /// Scans a line of 16 slots of 32 bits, of which zero is free. Only the bits of `care` have to be
    /// the wanted ones.
    fn words(line: &[AtomicU32; 16], wanted: u32, care: u32) -> Scan;

    /// Scans a line of 8 slots of 64 bits, of which zero is free. Only the bits of `care` have to be
    /// the wanted ones.
    fn double_words(line: &[AtomicU64; 8], wanted: u64, care: u64) -> Scan;

    /// The bits of a word under a mask, side by side.
    fn gather(word: u64, mask: u64) -> u64;
}

/// Work on many lines, which is compiled for each way of looking at them.
pub(crate) trait Job {
    /// What comes out.
    type Outcome;

    /// Does it. Has to be inlined to be of use.
    fn run<S: Scanner>(self) -> Self::Outcome;
}

/// What the processor can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Isa {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Plain,
}

impl Isa {
    /// The best of this machine.
    pub fn detect() -> Isa {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2") {
                if is_x86_feature_detected!("avx512f") {
                    return Isa::Avx512;
                }
                if is_x86_feature_detected!("avx2") {
                    return Isa::Avx2;
                }
            }
        }
        Isa::Plain
    }

    /// Does a job in the best way.
    #[inline]
    pub fn run<J: Job>(self, job: J) -> J::Outcome {
        match self {
            // SAFETY: `detect` found the features.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => unsafe { x86::run_avx512(job) },
            // SAFETY: `detect` found the features.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => unsafe { x86::run_avx2(job) },
            Isa::Plain => job.run::<Plain>(),
        }
    }
}

/// One slot after the other.
pub(crate) struct Plain;

impl Scanner for Plain {
    #[inline]
    fn words(line: &[AtomicU32; 16], wanted: u32, care: u32) -> Scan {
        let mut scan = Scan { found: 0, free: 0 };
        for (i, slot) in line.iter().enumerate() {
            let value = slot.load(Relaxed);
            scan.found |= u32::from(value & care == wanted) << i;
            scan.free |= u32::from(value == 0) << i;
        }
        scan
    }

    #[inline]
    fn double_words(line: &[AtomicU64; 8], wanted: u64, care: u64) -> Scan {
        let mut scan = Scan { found: 0, free: 0 };
        for (i, slot) in line.iter().enumerate() {
            let value = slot.load(Relaxed);
            scan.found |= u32::from(value & care == wanted) << i;
            scan.free |= u32::from(value == 0) << i;
        }
        scan
    }

    #[inline]
    fn gather(word: u64, mut mask: u64) -> u64 {
        let (mut gathered, mut width) = (0, 0);
        while mask != 0 {
            // Neighbouring bits at a time.
            let first = mask.trailing_zeros();
            let run = (mask >> first).trailing_ones();
            let bits = u64::MAX >> (64 - run);
            gathered |= (word >> first & bits) << width;
            width += run;
            mask &= !(bits << first);
        }
        gathered
    }
}

/// The loads are assembly because the memory is shared: to the language each stands for relaxed
/// atomic loads of the slots it covers, which an aligned vector load of this architecture is made
/// of.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{AtomicU32, AtomicU64, Job, Scan, Scanner};
    use std::arch::asm;

    pub struct Avx512;
    pub struct Avx2;

    // SAFETY of both: a scanner is reached through `run` of this module only, whose callers have
    // found the features.
    impl Scanner for Avx512 {
        #[inline(always)]
        fn words(line: &[AtomicU32; 16], wanted: u32, care: u32) -> Scan {
            unsafe { words_avx512(line, wanted, care) }
        }

        #[inline(always)]
        fn double_words(line: &[AtomicU64; 8], wanted: u64, care: u64) -> Scan {
            unsafe { double_words_avx512(line, wanted, care) }
        }

        #[inline(always)]
        fn gather(word: u64, mask: u64) -> u64 {
            unsafe { gather_bmi2(word, mask) }
        }
    }

    impl Scanner for Avx2 {
        #[inline(always)]
        fn words(line: &[AtomicU32; 16], wanted: u32, care: u32) -> Scan {
            unsafe { words_avx2(line, wanted, care) }
        }

        #[inline(always)]
        fn double_words(line: &[AtomicU64; 8], wanted: u64, care: u64) -> Scan {
            unsafe { double_words_avx2(line, wanted, care) }
        }

        #[inline(always)]
        fn gather(word: u64, mask: u64) -> u64 {
            unsafe { gather_bmi2(word, mask) }
        }
    }

    #[target_feature(enable = "avx512f,bmi1,bmi2")]
    pub unsafe fn run_avx512<J: Job>(job: J) -> J::Outcome {
        job.run::<Avx512>()
    }

    #[target_feature(enable = "avx2,bmi1,bmi2")]
    pub unsafe fn run_avx2<J: Job>(job: J) -> J::Outcome {
        job.run::<Avx2>()
    }

    #[inline]
    #[target_feature(enable = "bmi2")]
    fn gather_bmi2(word: u64, mask: u64) -> u64 {
        std::arch::x86_64::_pext_u64(word, mask)
    }

    // SAFETY of all: the line is 64 bytes that are readable, aligned because lines are, and the
    // assembly changes nothing but its outputs.

    #[inline]
    #[target_feature(enable = "avx512f,bmi1,bmi2")]
    unsafe fn words_avx512(line: &[AtomicU32; 16], wanted: u32, care: u32) -> Scan {
        let (found, free): (u32, u32);
        unsafe {
            asm!(
                "vmovdqu32 {v}, [{line}]",
                "vpbroadcastd {w}, {wanted:e}",
                "vptestnmd {b}, {v}, {v}",
                "vpbroadcastd {c}, {care:e}",
                "vpandd {v}, {v}, {c}",
                "vpcmpeqd {a}, {v}, {w}",
                "kmovw {found:e}, {a}",
                "kmovw {free:e}, {b}",
                line = in(reg) line.as_ptr(),
                wanted = in(reg) wanted,
                care = in(reg) care,
                v = out(zmm_reg) _,
                w = out(zmm_reg) _,
                c = out(zmm_reg) _,
                a = out(kreg) _,
                b = out(kreg) _,
                found = lateout(reg) found,
                free = lateout(reg) free,
                options(nostack, readonly, preserves_flags),
            );
        }
        Scan { found, free }
    }

    #[inline]
    #[target_feature(enable = "avx512f,bmi1,bmi2")]
    unsafe fn double_words_avx512(line: &[AtomicU64; 8], wanted: u64, care: u64) -> Scan {
        let (found, free): (u32, u32);
        unsafe {
            asm!(
                "vmovdqu64 {v}, [{line}]",
                "vpbroadcastq {w}, {wanted}",
                "vptestnmq {b}, {v}, {v}",
                "vpbroadcastq {c}, {care}",
                "vpandq {v}, {v}, {c}",
                "vpcmpeqq {a}, {v}, {w}",
                "kmovw {found:e}, {a}",
                "kmovw {free:e}, {b}",
                line = in(reg) line.as_ptr(),
                wanted = in(reg) wanted,
                care = in(reg) care,
                v = out(zmm_reg) _,
                w = out(zmm_reg) _,
                c = out(zmm_reg) _,
                a = out(kreg) _,
                b = out(kreg) _,
                found = lateout(reg) found,
                free = lateout(reg) free,
                options(nostack, readonly, preserves_flags),
            );
        }
        Scan { found: found & 0xff, free: free & 0xff }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    unsafe fn words_avx2(line: &[AtomicU32; 16], wanted: u32, care: u32) -> Scan {
        let (found0, free0, found1, free1): (u32, u32, u32, u32);
        unsafe {
            asm!(
                "vmovd {x:x}, {wanted:e}",
                "vpbroadcastd {x}, {x:x}",
                "vmovd {c:x}, {care:e}",
                "vpbroadcastd {c}, {c:x}",
                "vpxor {z}, {z}, {z}",
                "vmovdqu {v}, [{line}]",
                "vpcmpeqd {t}, {v}, {z}",
                "vmovmskps {free0:e}, {t}",
                "vpand {v}, {v}, {c}",
                "vpcmpeqd {t}, {v}, {x}",
                "vmovmskps {found0:e}, {t}",
                "vmovdqu {v}, [{line} + 32]",
                "vpcmpeqd {t}, {v}, {z}",
                "vmovmskps {free1:e}, {t}",
                "vpand {v}, {v}, {c}",
                "vpcmpeqd {t}, {v}, {x}",
                "vmovmskps {found1:e}, {t}",
                line = in(reg) line.as_ptr(),
                wanted = in(reg) wanted,
                care = in(reg) care,
                x = out(ymm_reg) _,
                c = out(ymm_reg) _,
                z = out(ymm_reg) _,
                v = out(ymm_reg) _,
                t = out(ymm_reg) _,
                found0 = out(reg) found0,
                free0 = out(reg) free0,
                found1 = out(reg) found1,
                free1 = out(reg) free1,
                options(nostack, readonly, preserves_flags),
            );
        }
        Scan { found: found0 | found1 << 8, free: free0 | free1 << 8 }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    unsafe fn double_words_avx2(line: &[AtomicU64; 8], wanted: u64, care: u64) -> Scan {
        let (found0, free0, found1, free1): (u32, u32, u32, u32);
        unsafe {
            asm!(
                "vmovq {x:x}, {wanted}",
                "vpbroadcastq {x}, {x:x}",
                "vmovq {c:x}, {care}",
                "vpbroadcastq {c}, {c:x}",
                "vpxor {z}, {z}, {z}",
                "vmovdqu {v}, [{line}]",
                "vpcmpeqq {t}, {v}, {z}",
                "vmovmskpd {free0:e}, {t}",
                "vpand {v}, {v}, {c}",
                "vpcmpeqq {t}, {v}, {x}",
                "vmovmskpd {found0:e}, {t}",
                "vmovdqu {v}, [{line} + 32]",
                "vpcmpeqq {t}, {v}, {z}",
                "vmovmskpd {free1:e}, {t}",
                "vpand {v}, {v}, {c}",
                "vpcmpeqq {t}, {v}, {x}",
                "vmovmskpd {found1:e}, {t}",
                line = in(reg) line.as_ptr(),
                wanted = in(reg) wanted,
                care = in(reg) care,
                x = out(ymm_reg) _,
                c = out(ymm_reg) _,
                z = out(ymm_reg) _,
                v = out(ymm_reg) _,
                t = out(ymm_reg) _,
                found0 = out(reg) found0,
                free0 = out(reg) free0,
                found1 = out(reg) found1,
                free1 = out(reg) free1,
                options(nostack, readonly, preserves_flags),
            );
        }
        Scan { found: found0 | found1 << 4, free: free0 | free1 << 4 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Isa> {
        let mut all = vec![Isa::Plain];
        #[cfg(target_arch = "x86_64")]
        {
            let best = Isa::detect();
            if best == Isa::Avx512 {
                all.push(Isa::Avx2);
            }
            all.push(best);
        }
        all
    }

    struct Words<'a>(&'a [AtomicU32; 16], u32, u32);

    impl Job for Words<'_> {
        type Outcome = Scan;

        #[inline(always)]
        fn run<S: Scanner>(self) -> Scan {
            S::words(self.0, self.1, self.2)
        }
    }

    struct DoubleWords<'a>(&'a [AtomicU64; 8], u64, u64);

    impl Job for DoubleWords<'_> {
        type Outcome = Scan;

        #[inline(always)]
        fn run<S: Scanner>(self) -> Scan {
            S::double_words(self.0, self.1, self.2)
        }
    }

    #[test]
    fn every_way_of_scanning_sees_the_same() {
        let mut x = 7u64;
        let mut next = || {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            x >> 33
        };
        for _ in 0..2000 {
            let values: Vec<u64> = (0..16).map(|_| next() % 4 * 0x8000_0001).collect();
            let words: [AtomicU32; 16] = std::array::from_fn(|i| AtomicU32::new(values[i] as u32));
            let doubles: [AtomicU64; 8] =
                std::array::from_fn(|i| AtomicU64::new(values[i] << (7 * (values[i] & 3))));
            let wanted = next() % 4 * 0x8000_0001;
            let wide = wanted << (7 * (wanted & 3));
            let care = !(next() % 2);
            let (word, wide) = ((wanted & care) as u32, wide & care);
            let expected = Plain::words(&words, word, care as u32);
            let expected_wide = Plain::double_words(&doubles, wide, care);
            for isa in all() {
                assert_eq!(isa.run(Words(&words, word, care as u32)), expected, "{isa:?}");
                let scan = isa.run(DoubleWords(&doubles, wide, care));
                assert_eq!(scan, expected_wide, "{isa:?}");
            }
            for (i, &value) in values.iter().enumerate() {
                assert_eq!(expected.found >> i & 1 == 1, (value & care) as u32 == word);
            }
        }
    }

    struct Gather(u64, u64);

    impl Job for Gather {
        type Outcome = u64;

        #[inline(always)]
        fn run<S: Scanner>(self) -> u64 {
            S::gather(self.0, self.1)
        }
    }

    #[test]
    fn bits_are_gathered_in_their_order() {
        let mut random = 1_u64;
        let mut next = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            random ^ random >> 29
        };
        for round in 0..2_000 {
            let word = next();
            let mask = match round {
                0 => 0,
                1 => u64::MAX,
                _ => next() & next() | next() & next(),
            };
            let mut expected = 0;
            for (to, from) in (0..64).filter(|bit| mask >> bit & 1 == 1).enumerate() {
                expected |= (word >> from & 1) << to;
            }
            for isa in all() {
                assert_eq!(isa.run(Gather(word, mask)), expected, "{isa:?} {word:x} {mask:x}");
            }
        }
    }
}
