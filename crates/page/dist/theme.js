// Applies the stored theme before the first paint, so that the page does not flash.
try {
  var theme = localStorage.getItem('aileron.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch (error) {
  // Storage is blocked: the system's theme applies.
}
