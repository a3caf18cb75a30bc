// Medians and percentiles of measurements.

export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

/** The row of a table: name, median, 95th percentile. */
export function row(name: string, unit: string, samples: readonly number[], goal: string): string {
  const write = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1));
  return `| ${name} | ${write(percentile(samples, 0.5))} ${unit} | ${write(percentile(samples, 0.95))} ${unit} | ${goal} |`;
}
