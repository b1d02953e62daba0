import type { Plugin } from 'vite'

/** Sends index.html without its comments and indentation, which every first visit would load. */
export function plainHtml(): Plugin {
  return {
    name: 'plain-html',
    apply: 'build',
    transformIndexHtml: { order: 'post', handler: withoutComments },
  }
}

/** Returns a page without comments of HTML, without comments that are a line of a script, and without indentation. */
export function withoutComments(html: string): string {
  return html
    .replace(/<!--.*?-->/gs, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/^\s+/gm, '')
}
