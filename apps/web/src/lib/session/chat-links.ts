import { type ChatFilling, filledChatLink } from '@tollgate/api'

/** A chat client that can be opened with a key: its name and the template of its link. */
export interface ChatLink {
  readonly name: string
  readonly template: string
}

/** Links as the operator saved them: an ordered list of objects with one property each. */
export function chatLinksOf(
  chats: readonly Readonly<Record<string, string>>[] | undefined,
): readonly ChatLink[] {
  return (chats ?? []).flatMap((entry) => {
    const [pair] = Object.entries(entry)
    return pair ? [{ name: pair[0], template: pair[1] }] : []
  })
}

/** Decides whether the link passes a key to its target. */
export function carriesKey(template: string): boolean {
  return template.includes('{key}')
}

/**
 * The link to open; `undefined` when the template makes none. Native clients have protocols of their own, so what is
 * refused are the ones that run or read something here.
 */
export function fillChatLink(template: string, filling: ChatFilling): string | undefined {
  const filled = filledChatLink(template, filling)
  if (!URL.canParse(filled)) return undefined
  return forbiddenProtocols.has(new URL(filled).protocol) ? undefined : filled
}

const forbiddenProtocols: ReadonlySet<string> = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'blob:',
  'file:',
  'about:',
  'view-source:',
])

/** Web clients open beside the console; a native one takes the link without leaving the page. */
export function openChatLink(link: string): void {
  if (/^https?:/i.test(link)) window.open(link, '_blank', 'noopener,noreferrer')
  else window.location.assign(link)
}
