//! A conversation in the store: loaded, saved, owned by one process at a time, and changed durably.

mod change;
mod document;
mod load;
mod ownership;
mod pending_saves;
mod restore_turn;
mod resume;
mod save;
mod saved_state;

pub use self::change::StateChangeError;
pub(crate) use self::change::{TurnOpened, begin_turn, hear, on_event_durably};
pub(crate) use self::load::{
    dry_run_copy, end_stored, enter, load, load_or_begin, snapshot, stored,
};
pub(crate) use self::ownership::{ATTEMPTS, is_owner, own, own_again};
pub(crate) use self::save::save;
pub(crate) use self::saved_state::SavedState;
