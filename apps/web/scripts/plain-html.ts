import { minifySync, type Plugin } from 'vite'

/** Sends index.html without its comments and indentation and with its script minified: every first visit loads them. */
export function plainHtml(): Plugin {
  return {
    name: 'plain-html',
    apply: 'build',
    transformIndexHtml: { order: 'post', handler: (html) => withShortScripts(withoutComments(html)) },
  }
}

/** Returns a page without comments of HTML, without comments that are a line of a script, and without indentation. */
export function withoutComments(html: string): string {
  return html
    .replace(/<!--.*?-->/gs, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/^\s+/gm, '')
}

function withShortScripts(html: string): string {
  return html.replace(/(<script>)(.*?)(<\/script>)/gs, (_, start, code, end) => {
    const short = minifySync('index.js', code, { module: false })
    if (short.errors.length > 0) throw new Error(`the script of index.html: ${short.errors[0]?.message}`)
    return `${start}${short.code.trim()}${end}`
  })
}
