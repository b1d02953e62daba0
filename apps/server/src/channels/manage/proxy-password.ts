import { Refusal } from '../../lib/refusal.ts'

/** Shown in place of a password. */
const hidden = '***'
const userInfo = /^([a-z][a-z0-9+.-]*:\/\/[^/?#:@]*):([^/?#]*)@/i
const urlPasswords = /(\w:\\?\/\\?\/[^\s/"'?#:@\\]*):[^\s/"'?#]*@/g

/** The text without the passwords of its URLs. */
export function withoutUrlPasswords(text: string): string {
  return text.replace(urlPasswords, `$1:${hidden}@`)
}

/** The channel's `setting` for display: the password of its proxy is a secret. */
export function withHiddenPassword(setting: string): string {
  const read = readProxy(setting)
  if (read === undefined) return withoutUrlPasswords(setting)
  const visible = hidePassword(read.proxy)
  return visible === read.proxy ? setting : JSON.stringify({ ...read.setting, proxy: visible })
}

/**
 * The `setting` that a form means: a hidden password is the stored one, as long as the rest of the proxy's address is
 * unchanged. Throws `Refusal` where it is not.
 */
export function withStoredPassword(sent: string, stored: string): string {
  const read = readProxy(sent)
  if (read === undefined || userInfo.exec(read.proxy)?.[2] !== hidden) return sent
  const known = readProxy(stored)?.proxy ?? ''
  if (hidePassword(known) !== read.proxy) throw new Refusal('channel_proxy_password_required')
  return JSON.stringify({ ...read.setting, proxy: known })
}

/** The proxy that a `setting` names; empty for none. */
export function proxyIn(setting: string): string {
  return readProxy(setting)?.proxy ?? ''
}

/** The `setting` with another proxy, or without one. Leaves a text that cannot be read as it is. */
export function withProxy(setting: string, proxy: string): string {
  const fields = readFields(setting === '' ? '{}' : setting)
  if (fields === undefined) return setting
  const { proxy: _, ...others } = fields
  const changed = proxy === '' ? others : { ...others, proxy }
  return Object.keys(changed).length === 0 ? '' : JSON.stringify(changed)
}

function hidePassword(proxy: string): string {
  return proxy.replace(userInfo, `$1:${hidden}@`)
}

function readProxy(text: string): { readonly setting: object; readonly proxy: string } | undefined {
  const setting = readFields(text)
  if (typeof setting?.['proxy'] !== 'string') return undefined
  return { setting, proxy: setting['proxy'].trim() }
}

function readFields(text: string): { readonly [name: string]: unknown } | undefined {
  try {
    const fields = JSON.parse(text) as { readonly [name: string]: unknown } | null
    return typeof fields === 'object' && fields !== null ? fields : undefined
  } catch {
    return undefined
  }
}
