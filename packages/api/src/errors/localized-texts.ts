/** A language of the console and of messages. */
export type Language = 'en' | 'zh'

/** A sentence for each refusal, in both languages. It says what to do; `{name}` is filled from the refusal's details. */
export type LocalizedTexts = Readonly<Record<string, { readonly en: string; readonly zh: string }>>

/** Fills `{name}` slots of a sentence; an unknown slot stays as it is. */
export function fillText(text: string, details: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (slot, name: string) => String(details[name] ?? slot))
}
