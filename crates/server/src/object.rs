//! Deserialises a struct from an object only. Derived implementations also accept an array of the fields in
//! order, which no client means.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// A value that was read from an object.
#[derive(Debug)]
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Members(PhantomData)).map(Self)
    }
}

struct Members<T>(PhantomData<T>);

fn found<T, E: Error>(what: &str) -> Result<T, E> {
    Err(E::custom(format!("expected an object, found {what}")))
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(members))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<T, A::Error> {
        found("an array")
    }

    fn visit_unit<E: Error>(self) -> Result<T, E> {
        found("null")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<T, E> {
        found("a boolean")
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<T, E> {
        found("a number")
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<T, E> {
        found("a number")
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<T, E> {
        found("a number")
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<T, E> {
        found("a string")
    }
}
