/**
 * The address when the whole text is one that may be framed: https, and not this console's own, because a sandboxed
 * page of the same origin could take its sandbox off.
 */
export function framedAddress(content: string, ownOrigin = window.location.origin): string | undefined {
  const text = content.trim()
  if (!/^https:\/\/\S+$/.test(text) || !URL.canParse(text)) return undefined
  return new URL(text).origin === ownOrigin ? undefined : text
}
