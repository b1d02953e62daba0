/** A language of the console and of messages. */
export type Language = 'en' | 'zh'

/** A sentence for each refusal, in both languages. It says what to do; `{name}` is filled from the refusal's details. */
export type LocalizedTexts = Readonly<Record<string, { readonly en: string; readonly zh: string }>>

/** Details that fill the slots of a sentence; a list is enumerated as its language does. */
export type TextDetails = Readonly<Record<string, string | number | readonly string[]>>

/** Text between two items of a list in a sentence. */
export const listSeparators: Readonly<Record<Language, string>> = { en: ', ', zh: '、' }

/** Returns items in a row, as a sentence of the language enumerates them: `a, b`, `a、b`. */
export function listText(items: readonly string[], language: Language): string {
  return items.join(listSeparators[language])
}

/** Fills `{name}` slots of a sentence of the language; an unknown slot stays as it is. */
export function fillText(text: string, details: TextDetails, language: Language): string {
  return text.replace(/\{(\w+)\}/g, (slot, name: string) => {
    const detail = details[name] ?? slot
    return typeof detail === 'object' ? listText(detail, language) : String(detail)
  })
}
