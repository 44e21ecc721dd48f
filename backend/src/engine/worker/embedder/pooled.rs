//! From the vectors of a text's tokens to the vector of the text. Pure.

use hearth_protocol::embed::Pooling;

/// The vectors of a text's tokens so far, as one.
#[derive(Debug, Clone)]
pub(super) struct Pooled {
    pooling: Pooling,
    /// Their sum, or the one that counts.
    numbers: Vec<f64>,
    tokens: usize,
}

impl Pooled {
    /// No token yet; vectors of so many numbers.
    pub(super) fn new(pooling: Pooling, width: usize) -> Self {
        Self {
            pooling,
            numbers: vec![0.0; width],
            tokens: 0,
        }
    }

    /// Adds the vector of the next token.
    pub(super) fn add(&mut self, vector: &[f32]) {
        debug_assert_eq!(vector.len(), self.numbers.len());
        let counts = match self.pooling {
            Pooling::Mean | Pooling::Last => true,
            Pooling::Cls => self.tokens == 0,
        };
        if counts {
            let adds = self.pooling == Pooling::Mean;
            for (number, more) in self.numbers.iter_mut().zip(vector) {
                *number = f64::from(*more) + if adds { *number } else { 0.0 };
            }
        }
        self.tokens += 1;
    }

    /// The vector of the text: of at most `dimensions` numbers, and scaled to length 1 if it is to be `normalised`, as far
    /// as it has a length. `None` where it holds what is no number.
    pub(super) fn finish(self, dimensions: Option<u32>, normalised: bool) -> Option<Vec<f32>> {
        let mut numbers = self.numbers;
        if let Some(dimensions) = dimensions {
            numbers.truncate(dimensions as usize);
        }
        let length = numbers.iter().map(|number| number * number).sum::<f64>().sqrt();
        let scale = match self.pooling {
            _ if normalised && length > 0.0 => 1.0 / length,
            Pooling::Mean => 1.0 / self.tokens.max(1) as f64,
            Pooling::Cls | Pooling::Last => 1.0,
        };
        let vector: Vec<f32> = numbers.iter().map(|number| (number * scale) as f32).collect();
        vector.iter().all(|number| number.is_finite()).then_some(vector)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pooled(pooling: Pooling, dimensions: Option<u32>, normalised: bool) -> Option<Vec<f32>> {
        let mut pooled = Pooled::new(pooling, 3);
        for vector in [[1.0, 0.0, 2.0], [2.0, 8.0, 4.0]] {
            pooled.add(&vector);
        }
        pooled.finish(dimensions, normalised)
    }

    #[test]
    fn each_kind_takes_its_tokens() {
        let cases = [
            (Pooling::Mean, None, false, vec![1.5, 4.0, 3.0]),
            (Pooling::Cls, None, false, vec![1.0, 0.0, 2.0]),
            (Pooling::Last, None, false, vec![2.0, 8.0, 4.0]),
            (Pooling::Last, Some(2), false, vec![2.0, 8.0]),
            (Pooling::Last, Some(9), false, vec![2.0, 8.0, 4.0]),
            // Scaled after it was cut.
            (Pooling::Cls, Some(2), true, vec![1.0, 0.0]),
            (Pooling::Mean, Some(1), true, vec![1.0]),
        ];
        for (pooling, dimensions, normalised, expected) in cases {
            assert_eq!(
                pooled(pooling, dimensions, normalised),
                Some(expected),
                "{pooling:?}"
            );
        }
    }

    #[test]
    fn a_vector_without_length_stays_and_one_without_numbers_is_none() {
        let mut nothing = Pooled::new(Pooling::Mean, 2);
        nothing.add(&[0.0, 0.0]);
        assert_eq!(nothing.finish(None, true), Some(vec![0.0, 0.0]));
        let mut broken = Pooled::new(Pooling::Mean, 1);
        broken.add(&[f32::NAN]);
        assert_eq!(broken.finish(None, true), None);
    }
}
