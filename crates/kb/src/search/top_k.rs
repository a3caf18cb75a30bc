//! The best few of many scored passages.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Keeps the highest scores; of equal ones, those of the first passages.
#[derive(Debug)]
pub(super) struct TopK {
    most: usize,
    heap: BinaryHeap<Reverse<(ScoreOrd, Reverse<u32>)>>,
}

/// Orders scores that are never negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ScoreOrd(u32);

impl TopK {
    /// `most` is at least 1.
    pub(super) fn new(most: usize) -> Self {
        Self { most, heap: BinaryHeap::new() }
    }

    /// Adds a passage; passages come in ascending order.
    pub(super) fn push(&mut self, passage: u32, score: f32) {
        if score <= self.threshold() {
            return;
        }
        if self.heap.len() == self.most {
            self.heap.pop();
        }
        self.heap.push(Reverse((ScoreOrd(score.to_bits()), Reverse(passage))));
    }

    /// The score that a passage has to exceed.
    pub(super) fn threshold(&self) -> f32 {
        let worst = self.heap.peek().filter(|_| self.heap.len() >= self.most);
        worst.map_or(0.0, |Reverse((score, _))| f32::from_bits(score.0))
    }

    /// Passages with their scores, in no order.
    pub(super) fn into_passages(self) -> Vec<(u32, f32)> {
        let entries = self.heap.into_iter();
        entries
            .map(|Reverse((score, Reverse(passage)))| (passage, f32::from_bits(score.0)))
            .collect()
    }
}

#[cfg(test)]
#[path = "top_k_tests.rs"]
mod tests;
