//! Shelves and the books on them.

use std::collections::HashMap;
use std::{fmt, io::{self, Read as _}};
extern crate alloc;

mod remote;
pub(crate) mod codes {
    //! What stands on the spine.

    /// The longest code.
    pub const LONGEST: usize = 13;
}

/// A book.
///
/// It has a title.
#[derive(Debug, Clone)]
// Kept small.
pub struct Book<'a, T: Clone = u8>
where
    T: fmt::Debug,
{
    /// Not a symbol of its own.
    pub title: &'a str,
    extra: T,
}

pub struct Isbn(pub u64, u8);
struct Mark;

#[cfg_attr(
    docsrs, // for the page
    doc(cfg(unix)),
)]
/// Stands between attributes.
///
/// On two lines.
#[derive(Debug)]
// Kept small.
pub struct Between;

/** Bits of a word.
 *
 * Same place, two views. */
#[repr(C)]
pub union Word { number: u32, bytes: [u8; 4] }

#[doc = "How a book"]
#[doc = "is bound."]
pub enum Binding {
    /// Cloth.
    Cloth = 1,
    Paper(u8), // soft
    Spiral { rings: u8 },
}

pub type Result<T> = std::result::Result<T, io::Error>;
type Table = HashMap<String, u64>;

/// Anything with a place.
pub trait Placed: Sized {
    /// Kind of place.
    type Place: Copy;
    const FLOORS: u8 = 3;
    /// Where it is.
    fn place(&self) -> Self::Place;
    async fn fetch(self) -> Result<()> { Ok(()) }
}

impl<'a, T: Clone> Placed for Book<'a, T>
where
    T: fmt::Debug,
{
    type Place = u8;
    const FLOORS: u8 = 2;
    fn place(&self) -> u8 {
        const LOCAL: u8 = 1;
        fn nested() -> u8 { LOCAL }
        nested()
    }
}

impl Mark {
    pub fn new() -> Self { Mark }
}

impl Isbn {
    pub const EMPTY: Isbn = Isbn(0, 0);
    /// Checks the last digit.
    // Slow, but it is seldom asked.
    #[inline]
    #[must_use]
    pub const fn check(&self) -> bool { true }
    pub(crate) unsafe fn raw(&self) -> u64 { self.0 }
    fn r#match(&self) {}
}

impl<T> From<codes::Code<T>> for super::shop::Price { fn from(_: codes::Code<T>) -> Self { todo!() } }
impl<'b> PartialEq<str> for &'b mut Isbn { fn eq(&self, _: &str) -> bool { false } }
impl fmt::Display for (Isbn, u8) { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { Ok(()) } }
impl dyn Find { fn all(&self) {} }
impl Placed for dyn Find + Send { fn place(&self) {} }
impl<const N: usize> Placed for [u8; N] { fn place(&self) {} }

static mut COUNT: u64 = 0;
pub static NAME: &str = "shelf";
const _: () = assert!(size_of::<Isbn>() < 20);

extern "C" {
    pub fn shelf_open(path: *const u8) -> i32;
    static shelf_errno: i32;
    type Opaque;
}

#[no_mangle]
pub unsafe extern "C" fn shelf_close() {}

/// Makes a book.
#[macro_export]
macro_rules! book {
    ($t:expr) => { fn hidden() {} };
}
macro_rules! local { () => {} }

cfg_remote! {
    /// Over the wire.
    #[cfg(unix)]
    pub mod wire;

    cfg_tls! { pub fn secure() {} }
    impl Isbn { pub fn lookup(&self) {} }
}

impl Isbn {
    cfg_remote! {
        /// Sends it.
        pub fn send(&self) { select! { x => { fn no() {} } } }
    }
}

vec_of! { 1 + not items }

fn private() { struct Inner; impl Inner { fn go() {} } }
