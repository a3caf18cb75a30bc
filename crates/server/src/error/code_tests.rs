//! The page about the API names every code, beside its status.

use super::*;

const PAGE: &str = include_str!("../../../../docs/http-api.md");

#[test]
fn the_documentation_lists_every_code() {
    for code in ApiErrorCode::ALL {
        let (status, name) = (code.status().as_u16().to_string(), code.as_str());
        let mut rows =
            PAGE.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| `"));
        let row = rows.find(|line| line.contains(&format!("`{name}`")));
        let row = row.unwrap_or_else(|| panic!("{name} is not in docs/http-api.md"));
        assert!(row.contains(&status), "{name}: {row}");
    }
}
