// The application's own builder, which aileron replaces.
import { readdirSync } from 'node:fs';

console.log(readdirSync('tools').length);
