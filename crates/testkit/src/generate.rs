//! Random Promela models.
