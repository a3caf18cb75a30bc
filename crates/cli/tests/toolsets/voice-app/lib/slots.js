// The application's own bookings.
import { randomUUID } from 'node:crypto';

const BOOKED = new Map();

export function book(day, clientId) {
  if (BOOKED.has(day)) return null;
  const booking = { id: randomUUID(), day, clientId };
  BOOKED.set(day, booking);
  return booking;
}
