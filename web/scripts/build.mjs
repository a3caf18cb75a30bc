// Builds the page into the folder that the server embeds. `cargo xtask page` runs it.
import { buildInto, DIST } from './page-files.mjs';

await buildInto(DIST);
