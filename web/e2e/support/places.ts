// Where things are: the repository, the program under test, the folder for unpacked files.
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

export const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

/** The program under test. */
export const PROGRAM = process.env.AILERON_BIN ?? join(REPOSITORY, 'target/debug/aileron');

/** A folder with the page, to test it without building the program again. Without it the page in the program is tested. */
export const PAGE = process.env.AILERON_PAGE;

/** The unpacked browser. */
export const BROWSER = join(REPOSITORY, 'target/chromium');

/** A project with its knowledge base, which each server copies. */
export const TEMPLATE = join(REPOSITORY, 'target/page-project');

/** Public test data beside the repository, which may be absent. */
export const CORPORA = process.env.AILERON_CORPORA ?? join(REPOSITORY, '../shared/corpora');
