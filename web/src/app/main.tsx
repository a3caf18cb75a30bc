// Starts the page: styles, address, session, event stream, and the shell.
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/buttons.css';
import '../styles/controls.css';
import '../styles/json.css';
import '../styles/markdown.css';
import '../styles/states.css';
import '../styles/dialog.css';
import '../styles/shell.css';
import { render } from 'preact';
import { startLive } from './live';
import { startRouter } from './router';
import { startSession } from './session';
import { Shell } from './shell';

startRouter();
startLive();
void startSession();

const root = document.getElementById('app');
if (root) render(<Shell />, root);
