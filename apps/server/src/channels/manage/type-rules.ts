import { Refusal } from '../../lib/refusal.ts'

const sparkType = 18
const vertexType = 41
const sparkVersion = 'v2.1'

/** What the free field means for some types (operations §3.2). Throws `Refusal` for what such a channel cannot use. */
export function readOther(other: string, type: number): string {
  if (type === sparkType) return other === '' ? sparkVersion : other
  if (type === vertexType) checkRegion(other)
  return other
}

/** A region, or a JSON object of regions by model that has one for the others. */
function checkRegion(other: string): void {
  if (other === '') throw new Refusal('channel_region_required')
  const regions = parseObject(other)
  if (regions === undefined) return
  const { default: region } = regions as { readonly default?: unknown }
  if (typeof region !== 'string' || region.trim() === '') throw new Refusal('channel_region_default_required')
}

/**
 * The keys in a form's text as one line each. A service account is JSON of many lines: one, a list of them, or one on
 * each line. Throws `Refusal`, which never quotes a key.
 */
export function keyLines(text: string, type: number): string {
  if (type !== vertexType || text.trim() === '') return text
  return serviceAccountsIn(text).map(accountLine).join('\n')
}

function serviceAccountsIn(text: string): readonly unknown[] {
  const whole = parse(text)
  if (Array.isArray(whole)) return whole
  if (whole !== undefined) return [whole]
  return text
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '')
    .map(parse)
}

function accountLine(account: unknown, index: number): string {
  const { client_email, private_key } = (account ?? {}) as Readonly<Record<string, unknown>>
  if (typeof client_email !== 'string' || typeof private_key !== 'string')
    throw new Refusal('channel_service_account_invalid', { line: index + 1 })
  // Keys are kept in plain ASCII.
  return JSON.stringify(account).replace(/[^ -~]/g, escaped)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function parseObject(text: string): object | undefined {
  const value = parse(text)
  return typeof value === 'object' && value !== null ? value : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
