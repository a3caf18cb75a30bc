//! Errors of the store.

use std::fmt;
use std::path::PathBuf;

use aileron_contract::ConversationId;
use aileron_contract::audit::ChainBreak;

/// The kinds of errors, distinguished by the action that the caller can take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreError {
    /// Nothing can be written at the moment. Reads still work; accepted writes are retried.
    Unwritable { why: String },
    /// A read failed.
    Unreadable { why: String },
    /// The file does not exist, and the caller did not ask to create it.
    Missing { path: PathBuf },
    /// The file is not an Aileron store.
    NotOurs { path: PathBuf, why: String },
    /// A later Aileron wrote this store.
    Newer { path: PathBuf, found: i64, known: i64 },
    /// The content of the store cannot be understood.
    Corrupt { why: String },
    /// The operation itself cannot be stored; trying again will not help.
    Rejected { why: String },
    /// A record of the audit chain does not fit.
    BrokenChain(ChainBreak),
    /// Another process decided that this call's process was dead and closed the call.
    Lost { call: String },
    /// The conversation was ended, or has another owner. Nothing was written.
    NotOwner { conversation: String },
    /// The store has fewer commits than were made: a part of it is gone.
    Rewound { path: PathBuf, counter: PathBuf, made: u64, found: u64 },
    /// The store is closed, or its writer has died.
    Closed,
}

impl StoreError {
    pub(crate) fn not_owner(conversation: &ConversationId) -> Self {
        Self::NotOwner { conversation: conversation.to_string() }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unwritable { why } => write!(f, "the store cannot be written: {why}"),
            Self::Unreadable { why } => write!(f, "the store cannot be read: {why}"),
            Self::Missing { path } => write!(f, "there is no store at {}", path.display()),
            Self::NotOurs { path, why } => {
                write!(f, "{} is not an Aileron store: {why}; name another file", path.display())
            }
            Self::Newer { path, found, known } => write!(
                f,
                "{} has format {found}, this Aileron knows up to {known}; \
                 use the Aileron that wrote it or a later one",
                path.display()
            ),
            Self::Corrupt { why } => write!(
                f,
                "the store is damaged: {why}; stop all processes that use it and restore a backup"
            ),
            Self::Rejected { why } => write!(f, "the store refused the operation: {why}"),
            Self::BrokenChain(broken) => broken.fmt(f),
            Self::Lost { call } => write!(
                f,
                "call {call} was closed by another process that took this one for dead; \
                 its outcome counts as unknown"
            ),
            Self::NotOwner { conversation } => write!(
                f,
                "conversation {conversation} was ended or taken over by another process; \
                 look at it again, then go on"
            ),
            Self::Rewound { path, counter, made, found } => write!(
                f,
                "{} has {found} of the {made} changes that were made to it: the file was emptied, \
                 its -wal file was removed, or an older copy was put in its place; what was done \
                 since is not known any more and may be done twice. Restore the store with its -wal \
                 file, or remove {} to go on with what is left",
                path.display(),
                counter.display()
            ),
            Self::Closed => f.write_str("the store is closed; open it again"),
        }
    }
}

impl std::error::Error for StoreError {}
