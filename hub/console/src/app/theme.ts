// The theme: colors, type and spacing, and the style sheet of variables that the build creates from them.
import {
  type CSSVariablesResolver,
  convertCssVariables,
  createTheme,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  type MantineColorsTuple,
  mergeMantineTheme,
} from '@mantine/core';
import { texts } from '../texts.ts';

const tide: MantineColorsTuple = [
  '#eaf6f8',
  '#d6ebef',
  '#aed7df',
  '#82c2ce',
  '#5db0bf',
  '#3d9bac',
  '#1f8192',
  '#0f6777',
  '#0b5462',
  '#07414c',
];

const gray: MantineColorsTuple = [
  '#f7f9fa',
  '#eff2f4',
  '#e4e9ec',
  '#d5dce1',
  '#bcc6ce',
  '#8795a1',
  '#586673',
  '#41505c',
  '#2c3843',
  '#1b252e',
];

const dark: MantineColorsTuple = [
  '#dbe2e8',
  '#bcc7d0',
  '#9aa8b4',
  '#7f8e9b',
  '#3a4752',
  '#2a353f',
  '#1c252d',
  '#131a21',
  '#0e141a',
  '#090d12',
];

const red: MantineColorsTuple = [
  '#fdecea',
  '#fbd9d6',
  '#f5b5b0',
  '#ee8c85',
  '#e6675f',
  '#dc4a41',
  '#c8352d',
  '#b3261e',
  '#9b1c1c',
  '#7f1616',
];

const SANS =
  "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif";
const MONO = "ui-monospace, 'SF Mono', 'Cascadia Mono', 'Liberation Mono', Menlo, monospace";

const PLAIN_HEADER = { header: { role: 'presentation' } };
const PLAIN_LIST = {
  withScrollArea: false,
  styles: { options: { maxHeight: 260, overflowY: 'auto' } },
};

export const theme = createTheme({
  primaryColor: 'tide',
  primaryShade: { light: 7, dark: 6 },
  colors: { tide, gray, dark, red },
  black: '#17212a',
  fontFamily: SANS,
  fontFamilyMonospace: MONO,
  headings: { fontFamily: SANS, fontWeight: '650' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Scroll locking would inject a <style> element; ui.css does the same with a rule.
    // Their <header> is no landmark of the page.
    Modal: { defaultProps: { lockScroll: false, centered: true, attributes: PLAIN_HEADER } },
    Drawer: { defaultProps: { lockScroll: false, attributes: PLAIN_HEADER } },
    // Mantine's scroll area cannot be reached by keyboard, the list itself can.
    Select: { defaultProps: PLAIN_LIST },
    Autocomplete: { defaultProps: PLAIN_LIST },
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': texts.ui.dismiss } } },
  },
});

const readable: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-placeholder': '#65727e',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-disabled-color': '#6b7883',
  },
  dark: {
    '--mantine-color-placeholder': '#8b99a5',
    '--mantine-color-error': '#ff9b93',
    '--mantine-color-anchor': '#6fc3d1',
    '--mantine-color-disabled-color': '#84929e',
  },
});

/** The style sheet that replaces Mantine's injected variables. */
export function themeVariablesCss(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  const base = defaultCssVariablesResolver(merged);
  const own = readable(merged);
  return convertCssVariables({
    variables: { ...base.variables, ...own.variables },
    light: { ...base.light, ...own.light },
    dark: { ...base.dark, ...own.dark },
  });
}
