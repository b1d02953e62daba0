// Runs before the first paint, as a file of its own because the content security policy allows no inline script:
// without it a person who chose the dark theme would see a white flash.
;(() => {
  const root = document.documentElement
  let theme = null
  let language = null
  try {
    theme = localStorage.getItem('theme-mode')
    language = localStorage.getItem('language')
  } catch {}
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.dataset.theme = dark ? 'dark' : 'light'
  root.lang = language || ((navigator.language || '').toLowerCase().startsWith('zh') ? 'zh' : 'en')
})()
