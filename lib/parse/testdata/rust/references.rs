use std::collections::{HashMap, hash_map::Entry as Slot};
use crate::store::*;
use super::walk::Walk;
use serde as sd;
use self::inner::{self, Deep, more::{One, Two as Second}};

use {bare, lone::Leaf, deep::{self as d, Nest}, glob::*};

mod parts;
extern crate regex;

pub struct Shelf<T: Item> {
    pub first: Book<T>,
    rest: Option<Box<dyn Item>>,
    books: Vec<Book>,
}

pub trait Item: Named + fmt::Debug {
    fn open(&self, by: Reader) -> Page;
    fn twice(&self) -> Page { self.open(Reader::new()); self.open(crate::reader::any()) }
}

impl<T> Item for Shelf<T> {
    fn open(&self, by: Reader) -> Page {
        let page = self.first.page(1)?.turn().await;
        let book: Book = by.take();
        let made = Shelf { first: book, rest: None, books: vec![Book::new(page.number())] };
        book.close();
        made.count();
        for b in self.books.iter() { b.close(); }
        if let Some(item) = self.find() { item.open(by); }
        println!("{}", parts::shown(&page));
        parts::log::warn!("x");
        super::walk::run::<u8>(page);
        Self::helper(|p: Page| p.turn());
        <Shelf as Item>::open(&made, by);
        inner::Kind::Big(1);
        page
    }
}

impl<T> Shelf<T> {
    pub fn new() -> Self { Self { first: Book::default(), ..Default::default() } }
    fn helper(f: impl Fn(Page) -> Page) { f(Page(1)); }
}

mod inner {
    use super::*;
    pub enum Kind { Big(u8) }
    fn call() { super::walk::run(); Shelf::<u8>::new(); }
}

struct Wrapped<'a, K: Ord, V>(pub Box<V>, #[doc(hidden)] pub(crate) K, &'a str);

impl<'a, A, B> Deref for Wrapped<'a, A, B> {
    type Target = B;
    fn deref(&self) -> &B { &self.0 }
}

fn pairs(all: Vec<(Page, Book)>) -> fn(u8) {
    let (mut page, (book, _)) = made();
    page.turn();
    book.close();
    for (p, b) in &all { p.turn(); b.close(); }
    for (_, each) in all.iter().enumerate() { each.0.turn(); }
    let shared = Arc::new(Book::new(1));
    shared.close();
    run(convert::<u8>, stop as fn());
    if all.is_empty() { return convert; }
    convert::<Page>
}
