// Sets the chosen theme before the first paint. It is a file of its own, because the site allows no inline scripts.
(() => {
  const theme = localStorage.getItem('guildhall.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
})();
