// Sets light or dark before the first paint. A file of its own, because the security policy allows no inline script.
(() => {
  let wanted = null;
  try {
    wanted = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Storage is switched off: follow the system.
  }
  const dark = window.matchMedia('(prefers-color-scheme: dark)').matches;
  const scheme = wanted === 'light' || wanted === 'dark' ? wanted : dark ? 'dark' : 'light';
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
})();
