/// Stays.
pub fn before() {}

pub fn broken(a: ) -> { let x = ; }

impl Shelf {
    fn first(&self) {}
    fn (&self) {}
    fn last(&self) {}
}

pub struct After { a: u8, b }

/// Also stays.
pub fn after() {
    if true {
