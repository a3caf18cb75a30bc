//! A value that is set once, later, and awaited by any executor or by a thread.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// Takes a lock, also if a thread panicked while holding it.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Debug)]
pub(crate) struct SharedOnce<T> {
    state: Mutex<OnceState<T>>,
    ready: Condvar,
}

#[derive(Debug)]
struct OnceState<T> {
    value: Option<T>,
    wakers: Vec<Waker>,
}

impl<T> SharedOnce<T> {
    pub(crate) fn new() -> Arc<Self> {
        let state = Mutex::new(OnceState { value: None, wakers: Vec::new() });
        Arc::new(Self { state, ready: Condvar::new() })
    }

    /// Sets the value and wakes all waiters. Only the first value counts.
    pub(crate) fn set(&self, value: T) {
        let mut state = lock(&self.state);
        if state.value.is_some() {
            return;
        }
        state.value = Some(value);
        let wakers = std::mem::take(&mut state.wakers);
        drop(state);
        self.ready.notify_all();
        wakers.into_iter().for_each(Waker::wake);
    }

    /// Polls, reading the value with `read`.
    pub(crate) fn poll<R>(
        &self,
        context: &mut Context<'_>,
        read: impl FnOnce(&mut Option<T>) -> Option<R>,
    ) -> Poll<R> {
        let mut state = lock(&self.state);
        if let Some(value) = read(&mut state.value) {
            return Poll::Ready(value);
        }
        if !state.wakers.iter().any(|waker| waker.will_wake(context.waker())) {
            state.wakers.push(context.waker().clone());
        }
        Poll::Pending
    }

    /// Blocks the thread until there is a value that `read` accepts.
    pub(crate) fn wait<R>(&self, mut read: impl FnMut(&mut Option<T>) -> Option<R>) -> R {
        let mut state = lock(&self.state);
        loop {
            if let Some(value) = read(&mut state.value) {
                return value;
            }
            state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
