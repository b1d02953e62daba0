/** A text that only the named visitors may see. */
export interface Secret {
  readonly what: string
  readonly value: string
  /** Decides which visitor may see it in the response of which call; by default none. */
  readonly shownTo?: (visitor: string, call: string) => boolean
}

/** A text in every encoding in which it could leak. */
function coats(value: string): string[] {
  const bytes = Buffer.from(value)
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    bytes.toString('hex'),
    bytes.toString('base64url'),
    ...base64Inside(bytes),
  ]
}

/** Returns the base64 of a text at each offset in what is encoded: without the characters that its neighbours decide. */
function base64Inside(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const head = before === 0 ? 0 : before + 1
    return encoded.slice(head, encoded.length - 1)
  })
}

export interface SecretFinder {
  /** Secrets inside a text that the visitor may not see. */
  find(text: string, visitor: string, call: string): readonly string[]
}

export function createSecretFinder(secrets: readonly Secret[]): SecretFinder {
  const watched = secrets.map((secret) => ({ ...secret, coats: [...new Set(coats(secret.value))] }))
  return {
    find: (text, visitor, call) =>
      watched
        .filter((secret) => secret.coats.some((coat) => text.includes(coat)))
        .filter(({ shownTo: visibleTo }) => visibleTo?.(visitor, call) !== true)
        .map(({ what }) => what),
  }
}
