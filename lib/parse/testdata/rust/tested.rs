pub fn add(a: u8) -> u8 { a }

#[cfg(not(test))]
pub fn real() {}

#[cfg(any(test, feature = "mock"))]
pub fn mock() {}

#[cfg(test)]
impl Isbn { fn sample() {} }

#[test]
fn top() {}

#[tokio::test(flavor = "multi_thread")]
async fn waits() {}

#[rstest]
#[case(1)]
fn cases(#[case] n: u8) {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const ONE: u8 = 1;
    fn helper() {}

    #[bench]
    fn speed(b: &mut Bencher) {}
}
