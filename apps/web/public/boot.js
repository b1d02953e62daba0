// Runs before the first paint, as a file of its own because the content security policy allows no inline script:
// without it a person who chose the dark theme would see a white flash, and the frame that index.html draws would
// not have the side menu and the name that the page has.
;(() => {
  const root = document.documentElement
  const kept = (name) => {
    try {
      return localStorage.getItem(name)
    } catch {
      return null
    }
  }
  const theme = kept('theme-mode')
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.dataset.theme = dark ? 'dark' : 'light'
  root.lang = kept('language') || ((navigator.language || '').toLowerCase().startsWith('zh') ? 'zh' : 'en')
  const name = kept('system_name')
  if (name) root.style.setProperty('--shell-name', JSON.stringify(name))
  const forGuests =
    /^\/(about|chat|chat2link|docs|login|oauth|pricing|register|reset|setup|user\/reset)?(\/|$)/
  if (kept('user') && !forGuests.test(location.pathname))
    root.dataset.shell = kept('default_collapse_sidebar') === 'true' ? 'rail' : 'menu'
})()
