/** Secrets that a message of an upstream must not reveal. */
export interface Secrets {
  /** Keys of the channel that was called; parts of compound keys (`a|b|c`) count too. */
  readonly keys: readonly string[]
  /** Host names (or addresses) of the upstream, with or without a port. */
  readonly hosts: readonly string[]
}

/** Shorter texts are words, not secrets: taking them out would only spoil the message. */
const minKeyPart = 8
const minHost = 4

/** Marks that vendors put for the part of a key that they do not quote; looked for first, as channels may have many keys. */
const masks = /\*{2}|\.{3}|…/

const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>)\]}]+/gi, '[address]'],
  // Keys of the known shapes, and keys as vendors mask them: sk-abc***xyz, sk-ab...yz.
  [
    /\b(?:sk|rk|pk|xai|gsk|pplx|nvapi|jina|bce-v3|app|hf|r8|fk)[-_/][\w/-]{0,100}(?:\*+|\.{3}|…)[\w*/-]*/g,
    '[key]',
  ],
  [/\b(?:sk|rk|pk|xai|gsk|pplx|nvapi|jina|bce-v3|app|hf|r8|fk)[-_/][\w/-]{16,}/g, '[key]'],
  [/\bAIza[\w-]{30,}/g, '[key]'],
  [/\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/g, '[key]'],
  [/[\w-]{0,100}\*{3,}[\w*-]*/g, '[key]'],
  [/\b(?:org|proj)[-_][A-Za-z0-9]{8,}/g, '[organization]'],
  [/\b(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?\b/g, '[address]'],
  [/\[?\b(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{0,4}\]?(?::\d{1,5})?/gi, '[address]'],
  [
    /\[?(?:\b[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,5})?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,5})\b\]?(?::\d{1,5})?/gi,
    '[address]',
  ],
]

/**
 * An upstream's message without what its caller must not learn: keys, also masked ones, addresses, and the
 * operator's organisation. Everything else stays, so that the message still helps.
 */
export function redact(text: string, secrets: Secrets): string {
  let out = text
  const isMasked = masks.test(text)
  for (const key of secretParts(secrets.keys)) {
    out = out.replaceAll(key, '[key]')
    if (isMasked) out = out.replace(maskedForm(key), '[key]')
  }
  for (const [pattern, mark] of patterns) out = out.replace(pattern, mark)
  for (const host of secrets.hosts) if (host.length >= minHost) out = out.replace(caseless(host), '[address]')
  return out
}

function secretParts(keys: readonly string[]): readonly string[] {
  const parts = keys.flatMap((key) => [key, ...key.split('|')]).filter((part) => part.length >= minKeyPart)
  return [...new Set(parts)].sort((a, b) => b.length - a.length)
}

/** The key's beginning and end with stars or dots between, as vendors quote it: `xa***y`. */
function maskedForm(key: string): RegExp {
  return new RegExp(`${literal(key.slice(0, 2))}[\\w-]{0,100}(?:\\*{2,}|\\.{3,}|…)[\\w*-]*`, 'g')
}

function caseless(host: string): RegExp {
  return new RegExp(literal(host), 'gi')
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}
