//! Data that a walk collects for the checks of a whole schema.

use std::collections::HashMap;

use aileron_schema::uri;

/// The things a schema names and refers to.
#[derive(Debug)]
pub(crate) struct Survey<'a> {
    pub(crate) references: Vec<Reference<'a>>,
    /// The schema itself, then every part of it with its own `$id`.
    pub(crate) resources: Vec<Resource>,
    by_uri: HashMap<String, usize>,
    /// Pointers by resource and `$anchor`.
    pub(crate) anchors: HashMap<(usize, &'a str), String>,
    pub(crate) patterns: Vec<Pattern<'a>>,
    pub(crate) samples: Vec<Sample>,
}

/// A `$ref` or `$dynamicRef`.
#[derive(Debug)]
pub(crate) struct Reference<'a> {
    /// The schema that holds it.
    pub(crate) holder: String,
    pub(crate) keyword: &'static str,
    pub(crate) text: &'a str,
    pub(crate) resource: usize,
    /// The length of the prefix of `holder` that points to the outermost schema about the same
    /// value; only keywords such as `allOf` follow.
    pub(crate) run: usize,
}

/// A schema with its own URI.
#[derive(Debug)]
pub(crate) struct Resource {
    pub(crate) uri: String,
    pub(crate) pointer: String,
}

/// A regular expression.
#[derive(Debug)]
pub(crate) struct Pattern<'a> {
    pub(crate) pointer: String,
    pub(crate) text: &'a str,
}

/// A value that the author gives for a schema: a `default` or one of its `examples`.
#[derive(Debug)]
pub(crate) struct Sample {
    pub(crate) schema: String,
    pub(crate) value: String,
}

impl<'a> Survey<'a> {
    pub(crate) fn new(root: &str) -> Self {
        let resource = Resource { uri: uri::DEFAULT_BASE.to_owned(), pointer: root.to_owned() };
        Self {
            references: Vec::new(),
            resources: vec![resource],
            by_uri: HashMap::new(),
            anchors: HashMap::new(),
            patterns: Vec::new(),
            samples: Vec::new(),
        }
    }

    /// Records an `$id` and returns its resource; the root keeps its index.
    pub(crate) fn identify(&mut self, pointer: &str, id: &'a str, base: usize) -> usize {
        let base_uri = self.resources.get(base).map_or(uri::DEFAULT_BASE, |outer| &outer.uri);
        let Some(uri) = uri::resolve(base_uri, id.trim_end_matches('#')) else { return base };
        if let Some(root) = self.resources.first_mut().filter(|root| root.pointer == pointer) {
            root.uri.clone_from(&uri);
            self.by_uri.insert(uri, 0);
            return 0;
        }
        let index = self.resources.len();
        self.by_uri.entry(uri.clone()).or_insert(index);
        self.resources.push(Resource { uri, pointer: pointer.to_owned() });
        index
    }

    /// The resource with this URI.
    pub(crate) fn with_uri(&self, uri: &str) -> Option<usize> {
        self.by_uri.get(uri).copied()
    }

    /// The innermost resource that holds a pointer.
    pub(crate) fn owner(&self, pointer: &str) -> usize {
        let holds = |outer: &str| {
            pointer.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let holding = self.resources.iter().enumerate().filter(|(_, r)| holds(&r.pointer));
        holding.max_by_key(|(_, resource)| resource.pointer.len()).map_or(0, |(at, _)| at)
    }
}
