// Builds the console into dist/, which the hub serves under /console/. Nothing in it needs an inline script or style.
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { themeVariablesCss } from './src/app/theme.ts';

const THEME_CSS = 'virtual:theme-variables.css';
const THEME_CSS_FILE = '/__theme-variables.css';

/** Mantine would inject the theme's variables as a <style> element; a strict Content-Security-Policy wants a file. */
function themeVariables(): Plugin {
  return {
    name: 'theme-variables',
    resolveId: (id) => (id === THEME_CSS ? THEME_CSS_FILE : null),
    load: (id) => (id === THEME_CSS_FILE ? themeVariablesCss() : null),
  };
}

export default defineConfig({
  base: '/console/',
  plugins: [react(), themeVariables()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
});
