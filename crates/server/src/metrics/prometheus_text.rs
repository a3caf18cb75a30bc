//! Converts OpenMetrics text to the Prometheus text format 0.0.4, which names a counter in `# TYPE` as in its
//! samples, with `_total`, and knows no type `info`.

/// The same metrics in the Prometheus text format.
pub(super) fn from_open_metrics(text: &str) -> String {
    let mut converted = String::with_capacity(text.len());
    let mut help = None;
    for line in text.lines() {
        if let Some(described) = line.strip_prefix("# HELP ") {
            help = described.split_once(' ');
        } else if let Some((name, kind)) =
            line.strip_prefix("# TYPE ").and_then(|typed| typed.split_once(' '))
        {
            let (suffix, kind) = match kind {
                "counter" => ("_total", kind),
                "info" => ("_info", "gauge"),
                _ => ("", kind),
            };
            if let Some((_, help)) = help.take() {
                converted.push_str(&format!("# HELP {name}{suffix} {help}\n"));
            }
            converted.push_str(&format!("# TYPE {name}{suffix} {kind}\n"));
        } else if !line.starts_with("# ") {
            converted.push_str(line);
            converted.push('\n');
        }
    }
    converted
}
