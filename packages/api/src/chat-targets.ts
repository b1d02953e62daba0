/** The values of a chat link. */
export interface ChatFilling {
  /** Key with its `sk-`. */
  readonly key: string
  readonly serverAddress: string
}

/** A template with key and address in their places. */
export function filledChatLink(template: string, { key, serverAddress }: ChatFilling): string {
  return template
    .replaceAll('{key}', () => key)
    .replaceAll('{address}', () => encodeURIComponent(serverAddress))
}

/** Class of browsers and the server alike, which the language's own library does not declare. */
declare const URL: {
  new (
    address: string,
  ): {
    readonly protocol: string
    readonly origin: string
    readonly href: string
    readonly hostname: string
  }
  canParse(address: string): boolean
}

const samples = [
  { key: 'sk-a', serverAddress: 'https://a.example' },
  { key: 'sk-b', serverAddress: 'https://b.example' },
] as const

/**
 * The recipient of the key in a chat link: a site (`https://chat.example.com`), or the programs on the device that open
 * a protocol (`opencat:`). `undefined` when the link makes no address, or one whose site depends on the inserted
 * values.
 */
export function chatTargetOf(template: string): string | undefined {
  const [one, other] = samples.map((sample) => targetOf(filledChatLink(template, sample)))
  return one === other ? one : undefined
}

function targetOf(link: string): string | undefined {
  if (!URL.canParse(link)) return undefined
  const { protocol, origin } = new URL(link)
  return protocol === 'http:' || protocol === 'https:' ? origin : protocol
}

/** The canonical spelling of a target that a user names: a host, a site or a protocol. */
export function chatTargetNamed(text: string): string | undefined {
  const named = text.trim().replace(/\/+$/, '')
  if (/^[a-z][a-z\d+.-]*:$/i.test(named)) return /^https?:$/i.test(named) ? undefined : named.toLowerCase()
  const address = /^https?:\/\//i.test(named) ? named : `https://${named}`
  if (!URL.canParse(address)) return undefined
  const { origin, href, hostname } = new URL(address)
  return hostname !== '' && href === `${origin}/` ? origin : undefined
}
