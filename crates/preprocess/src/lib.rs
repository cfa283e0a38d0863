//! The C99 preprocessor.
