import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import { reloadOnce } from './app/reloadOnce';

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce;

// The styles of all components. The policy of the page allows them by its nonce.
const styles = createCache({ key: 'css', ...(nonce ? { nonce } : {}) });

window.addEventListener('vite:preloadError', reloadOnce);

const place = document.getElementById('console');
if (place) {
  createRoot(place).render(
    <StrictMode>
      <CacheProvider value={styles}>
        <App />
      </CacheProvider>
    </StrictMode>,
  );
}
