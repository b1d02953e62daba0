import { createElement, type ReactNode } from 'react'

const allowedTags = new Set(
  (
    'a b blockquote br code del div em h1 h2 h3 h4 h5 h6 hr i img li ol p pre s small span strong sub sup ' +
    'table tbody td th thead tr u ul'
  ).split(' '),
)

/**
 * Shows a little HTML written by an operator. The text is parsed into an inert document and rebuilt element by
 * element from a list of what is allowed, so nothing unknown, and no script, can come through.
 */
export function SafeHtml({ html }: { readonly html: string }): ReactNode {
  const body = new DOMParser().parseFromString(html, 'text/html').body
  return <>{rebuildAll(body)}</>
}

function rebuildAll(parent: Node): ReactNode[] {
  return [...parent.childNodes].map((node, index) => rebuild(node, index))
}

function rebuild(node: Node, key: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof Element)) return null
  const tag = node.localName
  if (tag === 'script' || tag === 'style') return null
  if (!allowedTags.has(tag)) return createElement('span', { key }, ...rebuildAll(node))
  const attributes = { key, ...attributesOf(node) }
  return tag === 'br' || tag === 'hr' || tag === 'img'
    ? createElement(tag, attributes)
    : createElement(tag, attributes, ...rebuildAll(node))
}

function attributesOf(element: Element): Readonly<Record<string, string>> {
  const title = element.getAttribute('title')
  const shared = title === null ? {} : { title }
  if (element.localName === 'a') {
    const href = safeAddress(element.getAttribute('href'), linkProtocols)
    return {
      ...shared,
      ...(href && { href, target: '_blank', rel: 'noopener noreferrer', className: 'underline' }),
    }
  }
  if (element.localName === 'img') {
    const src = safeAddress(element.getAttribute('src'), imageProtocols)
    return {
      ...shared,
      alt: element.getAttribute('alt') ?? '',
      className: 'inline max-h-8',
      ...(src && { src }),
    }
  }
  return shared
}

const linkProtocols: readonly string[] = ['http:', 'https:', 'mailto:']
const imageProtocols: readonly string[] = ['http:', 'https:']

/** The address when its protocol is allowed. Exported for its test. */
export function safeAddress(address: string | null, protocols: readonly string[]): string | undefined {
  if (address === null) return undefined
  try {
    return protocols.includes(new URL(address, 'https://relative.invalid').protocol) ? address : undefined
  } catch {
    return undefined
  }
}
