import { QueryClientProvider } from '@tanstack/preact-query';
import { render } from 'preact';
import { queries } from './api/queries';
import { openSession } from './api/session';
import { App } from './app';
import { LanguageProvider } from './language/language';
import { applyTheme } from './look/theme';
import './look/theme.css';
import './look/frame.css';
import './look/components.css';

const root = document.getElementById('site');
if (root === null) throw new Error('index.html has no element #site');

applyTheme();
void openSession();
render(
  <QueryClientProvider client={queries}>
    <LanguageProvider>
      <App />
    </LanguageProvider>
  </QueryClientProvider>,
  root,
);
