// Faults in words.
import { AileronError } from '@aileron/client';
import { expect, it } from 'vitest';
import { faultOf } from './fault';

it('an error of the server has its sentence, code and advice', () => {
  expect(faultOf(new AileronError('BUSY', 'another answer is running', 409))).toEqual({
    message: 'Another answer is running.',
    code: 'BUSY',
    status: 409,
    advice: 'Another answer is being written in this conversation. Wait for it, or stop it there.',
  });
});

it('a lost connection says what to check', () => {
  expect(faultOf(new AileronError('NETWORK', 'the server cannot be reached: Failed to fetch'))).toMatchObject({
    message: 'The server cannot be reached.',
  });
  expect(faultOf(new TypeError('Failed to fetch')).message).toBe('The server cannot be reached.');
});

it('anything else is an unknown error', () => {
  expect(faultOf(undefined)).toEqual({ message: 'An unknown error occurred.' });
});
