//! A strict reader of OpenMetrics text, after the specification: families that are not interleaved, suffixes
//! that fit the type, cumulative buckets, no duplicate, `# EOF` at the end.

use std::collections::{BTreeMap, BTreeSet};

/// A metric family.
#[derive(Debug, Default)]
pub(crate) struct Family {
    pub(crate) kind: String,
    pub(crate) samples: Vec<Sample>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) labels: BTreeMap<String, String>,
    pub(crate) value: f64,
}

/// The suffixes of the samples of each type.
fn suffixes(kind: &str) -> &'static [&'static str] {
    match kind {
        "counter" => &["_total"],
        "gauge" => &[""],
        "histogram" => &["_bucket", "_sum", "_count"],
        "info" => &["_info"],
        other => panic!("the type {other}"),
    }
}

/// The families of a text, by name.
pub(crate) fn read(text: &str) -> BTreeMap<String, Family> {
    let body = text.strip_suffix("# EOF\n").expect("the text ends with # EOF");
    let mut families: BTreeMap<String, Family> = BTreeMap::new();
    let (mut current, mut seen) = (String::new(), BTreeSet::new());
    for line in body.lines() {
        if let Some(typed) = line.strip_prefix("# TYPE ") {
            let (name, kind) = typed.split_once(' ').unwrap();
            name.clone_into(&mut current);
            let family = Family { kind: kind.to_owned(), samples: Vec::new() };
            assert!(families.insert(current.clone(), family).is_none(), "{name} comes twice");
        } else if !line.starts_with("# HELP ") {
            assert!(seen.insert(line.rsplit_once(' ').unwrap().0), "{line} comes twice");
            let sample = sample(line);
            let family = families.get_mut(&current).expect("a type before its samples");
            let fits = |suffix: &&str| sample.name == format!("{current}{suffix}");
            assert!(suffixes(&family.kind).iter().any(fits), "{line} in {current}");
            family.samples.push(sample);
        }
    }
    families.iter().filter(|(_, family)| family.kind == "histogram").for_each(check_histogram);
    families
}

fn sample(line: &str) -> Sample {
    let (series, value) = line.rsplit_once(' ').unwrap();
    let (name, labels) = match series.split_once('{') {
        Some((name, labels)) => (name, labels.strip_suffix('}').unwrap()),
        None => (series, ""),
    };
    let pair = |pair: &str| {
        let (name, value) = pair.split_once("=\"").unwrap();
        (name.to_owned(), value.strip_suffix('"').unwrap().to_owned())
    };
    let labels = labels.split(',').filter(|pair| !pair.is_empty()).map(pair).collect();
    Sample { name: name.to_owned(), labels, value: value.parse().unwrap() }
}

/// Each series has ascending buckets up to `+Inf`, which has the count of the series.
fn check_histogram((name, family): (&String, &Family)) {
    let mut series: BTreeMap<BTreeMap<String, String>, Vec<(f64, f64)>> = BTreeMap::new();
    for sample in family.samples.iter().filter(|sample| sample.name.ends_with("_bucket")) {
        let mut labels = sample.labels.clone();
        let bound = labels.remove("le").unwrap().replace("+Inf", "inf");
        series.entry(labels).or_default().push((bound.parse().unwrap(), sample.value));
    }
    for (labels, buckets) in series {
        assert!(buckets.is_sorted_by(|a, b| a.0 < b.0 && a.1 <= b.1), "{name}{labels:?}");
        let (last, all) = *buckets.last().unwrap();
        let count =
            family.samples.iter().find(|one| one.name.ends_with("_count") && one.labels == labels);
        assert_eq!((last, Some(all)), (f64::INFINITY, count.map(|one| one.value)), "{name}");
    }
}

/// The value of the sample with these labels.
pub(crate) fn value(
    families: &BTreeMap<String, Family>,
    name: &str,
    labels: &[(&str, &str)],
) -> f64 {
    let wanted = labels.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let wanted: BTreeMap<_, _> = wanted.collect();
    let mut all = families.values().flat_map(|family| &family.samples);
    let found = all.find(|sample| sample.name == name && sample.labels == wanted);
    found.unwrap_or_else(|| panic!("{name}{wanted:?}")).value
}
