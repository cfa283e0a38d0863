//! Hints to the processor: they change nothing that a program could see.

/// Asks for the cache line of `list[index]`. Does nothing where that is not possible.
#[inline(always)]
pub(crate) fn prefetch<T>(list: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(element) = list.get(index) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing that the program could see, and the address is valid.
        #[allow(unsafe_code)]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(element).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (list, index);
}

/// Asks for the cache line of `list[index]` in order to write to it.
#[inline(always)]
pub(crate) fn prefetch_to_write<T>(list: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(element) = list.get(index) {
        // SAFETY: as above. A processor that does not know the instruction does nothing.
        #[allow(unsafe_code)]
        unsafe {
            std::arch::asm!(
                "prefetchw [{}]",
                in(reg) std::ptr::from_ref(element),
                options(nostack, preserves_flags, readonly)
            );
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (list, index);
}
