//! Every promise of the store, over both implementations where both can keep it.

mod sample;
