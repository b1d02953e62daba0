import type { Language } from '@tollgate/api'

/** Language of messages: Chinese when the first preference is any Chinese, otherwise English. */
export function languageOf(headers: Pick<Headers, 'get'>): Language {
  return /^\s*zh\b/i.test(headers.get('accept-language') ?? '') ? 'zh' : 'en'
}
