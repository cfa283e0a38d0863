//! From result documents to text.
//!
//! Every renderer sees the [`RunResult`](everypath_verdict::RunResult) and the sources, nothing else:
//! what one format says, the others can say too.

pub mod concise;
pub mod full;
pub mod json;
pub mod snippet;
pub mod style;
pub mod table;
