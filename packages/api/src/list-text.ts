import type { Language } from './errors/localized-texts.ts'

/** Text between two items of a list in a sentence. */
export const listSeparators: Readonly<Record<Language, string>> = { en: ', ', zh: '、' }

/** Returns items in a row, as a sentence of the language enumerates them: `a, b`, `a、b`. */
export function listText(items: readonly string[], language: Language): string {
  return items.join(listSeparators[language])
}
