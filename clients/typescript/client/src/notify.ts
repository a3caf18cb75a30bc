// Calls functions of the application. An exception in one of them is not a fault of the connection: it is reported as
// uncaught, and the work goes on.

export function notify(listener: () => void): void {
  try {
    listener();
  } catch (cause) {
    queueMicrotask(() => {
      throw cause;
    });
  }
}
