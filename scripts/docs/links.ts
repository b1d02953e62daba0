import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** A link of a document to a file of the repository, with what is wrong about it. */
export interface BrokenLink {
  readonly document: string
  readonly target: string
  readonly why: 'no such file' | 'no such heading'
}

/**
 * Finds the links between files of the repository that lead nowhere: to a file that is not there, or to a heading that its document
 * has not. Addresses of sites are not followed.
 * @param documents paths of Markdown files below the root
 */
export function brokenLinks(documents: readonly string[], root: string): BrokenLink[] {
  return documents.flatMap((document) =>
    linksIn(readFileSync(join(root, document), 'utf8')).flatMap((target) => {
      const why = faultOf(document, target, root)
      return why === undefined ? [] : [{ document, target, why }]
    }),
  )
}

/** The targets of a document's links that are not addresses of sites; those inside of code are examples. */
export function linksIn(markdown: string): string[] {
  const prose = markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '')
  const inline = [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)]
  const references = [...prose.matchAll(/^\[[^\]]+\]:\s+<?(\S+?)>?$/gm)]
  return [...inline, ...references]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/i.test(target))
}

function faultOf(document: string, target: string, root: string): BrokenLink['why'] | undefined {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? document : normalize(join(dirname(document), decodeURIComponent(path)))
  if (!existsSync(join(root, file))) return 'no such file'
  if (anchor === undefined || anchor === '' || !file.endsWith('.md')) return undefined
  return anchorsOf(readFileSync(join(root, file), 'utf8')).has(anchor) ? undefined : 'no such heading'
}

/** Anchors of a document's headings, as code hosts make them: lower case, blanks as dashes, a number behind the second of a name. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const prose = markdown.replace(/^```[\s\S]*?^```/gm, '')
  const anchors = new Set<string>([...prose.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = '']) => id))
  for (const [, heading = ''] of prose.matchAll(/^#{1,6} (.+)$/gm)) {
    const name = anchorOf(heading)
    let anchor = name
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${name}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

function anchorOf(heading: string): string {
  const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').trim()
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}
