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
  const shown = hidePassword(read.proxy)
  return shown === read.proxy ? setting : JSON.stringify({ ...read.setting, proxy: shown })
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

function hidePassword(proxy: string): string {
  return proxy.replace(userInfo, `$1:${hidden}@`)
}

function readProxy(text: string): { readonly setting: object; readonly proxy: string } | undefined {
  try {
    const setting = JSON.parse(text) as { readonly proxy?: unknown } | null
    if (typeof setting !== 'object' || setting === null || typeof setting.proxy !== 'string') return undefined
    return { setting, proxy: setting.proxy.trim() }
  } catch {
    return undefined
  }
}
