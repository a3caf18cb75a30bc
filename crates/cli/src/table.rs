//! Aligned columns. Widths only grow, so that rows printed later still fit.

use anstyle::Style;

/// The alignment of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// One text in a row.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    pub(crate) fn new(text: impl Into<String>, style: Style) -> Self {
        Self { text: text.into(), style }
    }

    fn width(&self) -> usize {
        self.text.chars().count()
    }

    fn padded(&self, width: usize, align: Align) -> String {
        let (space, style) = (" ".repeat(width.saturating_sub(self.width())), self.style);
        let text = format!("{style}{}{style:#}", self.text);
        match align {
            Align::Left => text + &space,
            Align::Right => space + &text,
        }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::new(text, Style::new())
    }
}

/// Columns and their widths.
#[derive(Debug)]
pub(crate) struct Table<const N: usize> {
    columns: [(&'static str, Align); N],
    widths: [usize; N],
}

impl<const N: usize> Table<N> {
    pub(crate) fn new(columns: [(&'static str, Align); N]) -> Self {
        Self { columns, widths: columns.map(|(title, _)| title.len()) }
    }

    /// The titles and all rows.
    pub(crate) fn whole(&mut self, rows: &[[Cell; N]]) -> String {
        self.fit(rows);
        std::iter::once(self.header())
            .chain(rows.iter().map(|row| self.line(row)))
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Rows without the titles.
    pub(crate) fn more(&mut self, rows: &[[Cell; N]]) -> String {
        self.fit(rows);
        rows.iter().map(|row| self.line(row)).collect::<Vec<_>>().join("\n")
    }

    fn fit(&mut self, rows: &[[Cell; N]]) {
        for row in rows {
            for (width, cell) in self.widths.iter_mut().zip(row) {
                *width = cell.width().max(*width);
            }
        }
    }

    fn header(&self) -> String {
        self.line(&self.columns.map(|(title, _)| Cell::new(title, Style::new().bold())))
    }

    fn line(&self, row: &[Cell; N]) -> String {
        let cells = row.iter().zip(self.widths).zip(self.columns);
        let padded = cells.map(|((cell, width), (_, align))| cell.padded(width, align));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    }
}
