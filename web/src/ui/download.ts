// Saves a file on the person's device.

/** The browser needs the address of the file a moment longer than the click. */
const KEEP_MS = 10_000;

export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEEP_MS);
}
