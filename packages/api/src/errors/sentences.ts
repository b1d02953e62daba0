/** A sentence for each refusal, in both languages. It says what to do; `{name}` is filled from the refusal's details. */
export type Sentences = Readonly<Record<string, { readonly en: string; readonly zh: string }>>
