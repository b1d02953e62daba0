import type { Language } from '@tollgate/api'

/** Language of messages: Chinese for those whose first wish is any Chinese, English for everybody else. */
export function languageOf(headers: Pick<Headers, 'get'>): Language {
  return /^\s*zh\b/i.test(headers.get('accept-language') ?? '') ? 'zh' : 'en'
}
