//! Where classes come from: the JDK's modules image, directories and jars.

mod classpath;
mod image;
mod jar;
mod jdk;

pub(crate) use classpath::ClassPath;
pub(crate) use image::Image;
pub(crate) use jar::file_in as jar_file;
pub use jdk::Jdk;
