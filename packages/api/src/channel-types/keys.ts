/** The format of a channel's keys, for the form that checks them as they are typed and the server that refuses them. */

import { rowOfType } from '@tollgate/providers/table'

/** Reasons that make a key unusable: invalid in a header, another shape than the type's, not a service account. */
export type KeyFault = 'characters' | 'format' | 'service-account'

interface KeyFormat {
  /** Shape of a key, as the channel's form shows it. */
  readonly shape: string
  readonly fits: (key: string) => boolean
}

/** Keys of another gateway in front of the vendor start like those of this one. */
const accessKeyOrGateway: KeyFormat = {
  shape: 'AccessKey|SecretKey or sk-...',
  fits: (key) => /^sk-[^\s|]+$/.test(key) || parts('AccessKey|SecretKey').fits(key),
}

/** Keys of another shape than parts between bars, by provider. */
const ownFormats: Readonly<Record<string, KeyFormat>> = {
  'zhipu-v3': { shape: 'id.secret', fits: (key) => /^[^\s.|]+\.[^\s.|]+$/.test(key) },
  fastgpt: { shape: 'APIKey-AppId', fits: (key) => /^.*[^-\s]-[^-\s]+$/.test(key) },
  aws: { shape: 'AccessKeyId|SecretAccessKey|Region', fits: isAwsKey },
  volcengine: { shape: 'APIKey or, for speech, AppId|AccessToken', fits: isOneOrTwo },
  qianfan: { shape: 'APIKey or APIKey|AppId', fits: isOneOrTwo },
  kling: accessKeyOrGateway,
  jimeng: accessKeyOrGateway,
}

/** `undefined` for types whose key is one text. */
function formatOf(type: number): KeyFormat | undefined {
  const row = rowOfType(type)
  if (row === undefined) return undefined
  return ownFormats[row.id] ?? (row.key.includes('|') ? parts(row.key) : undefined)
}

/** The shape of a type's keys, such as `AppId|SecretKey`; empty for types whose key is one text. */
export function keyShape(type: number): string {
  return formatOf(type)?.shape ?? ''
}

/** Recognises types whose keys are mostly service accounts: JSON that may take many lines. */
export function hasServiceAccounts(type: number): boolean {
  return rowOfType(type)?.id === 'vertex'
}

/** The keys in a form's text, in their order and none twice: one on each line, or service accounts however pasted. */
export function keysIn(text: string, type: number): readonly string[] {
  const keys = hasServiceAccounts(type) ? serviceAccountsIn(text) : linesOf(text)
  return [...new Set(keys)]
}

/** The fault of one key; `undefined` without one. */
export function keyFault(key: string, type: number): KeyFault | undefined {
  if (hasServiceAccounts(type)) return isVertexKey(key) ? undefined : 'service-account'
  if (!/^[\x20-\x7e]+$/.test(key)) return 'characters'
  const format = formatOf(type)
  return format === undefined || format.fits(key) ? undefined : 'format'
}

function isOneOrTwo(key: string): boolean {
  return /^[^\s|]+(\|[^\s|]+)?$/.test(key)
}

/** The number of parts of the shape, none empty. */
function parts(shape: string): KeyFormat {
  const count = shape.split('|').length
  return {
    shape,
    fits: (key) => {
      const provided = key.split('|')
      return provided.length === count && provided.every((part) => part.trim() !== '')
    },
  }
}

/**
 * Recognises a key of AWS; two parts are an API key of Bedrock. The region becomes a part of the host: no other text is allowed.
 */
function isAwsKey(key: string): boolean {
  const provided = key.split('|').map((part) => part.trim())
  const region = provided.at(-1) ?? ''
  return (
    (provided.length === 2 || provided.length === 3) &&
    !provided.includes('') &&
    /^[a-z]{2,4}(-[a-z]+)+-\d+$/.test(region)
  )
}

function linesOf(text: string): readonly string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map(bareKey)
    .filter((line) => line !== '')
}

/** A key as it was copied from a header, a list or a shell: without `Bearer`, quotes and separators around it. */
function bareKey(line: string): string {
  const text = line.trim().replace(/^(["'`])(.*)\1[,;]?$/, '$2')
  return text.trim().replace(/^bearer\s+/i, '')
}

/** One, a list of them, or one on each line. Other text stays as typed. */
function serviceAccountsIn(text: string): readonly string[] {
  const parsed = parse(text)
  if (Array.isArray(parsed)) return parsed.map(oneLine)
  if (parsed !== undefined) return [oneLine(parsed)]
  return linesOf(text).map((line) => {
    const account = parse(line)
    return account === undefined ? line : oneLine(account)
  })
}

/** Writes an account on one line of plain ASCII, as keys are stored. */
function oneLine(account: unknown): string {
  return JSON.stringify(account).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** API keys of Google, which Vertex accepts in express mode. */
const googleKey = /^(AIza[\w-]{20,}|AQ\.[\w-]{20,})$/

function isVertexKey(key: string): boolean {
  return googleKey.test(key) || isServiceAccount(parse(key))
}

/**
 * The fields that a call needs of it: who signs, with what, and for which project, which becomes a part of the address.
 */
function isServiceAccount(account: unknown): boolean {
  const { client_email, private_key, project_id } = (account ?? {}) as Readonly<Record<string, unknown>>
  return (
    typeof client_email === 'string' &&
    client_email.trim() !== '' &&
    typeof private_key === 'string' &&
    private_key.includes('-----BEGIN') &&
    typeof project_id === 'string' &&
    /^[a-z0-9.:-]+$/.test(project_id)
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
