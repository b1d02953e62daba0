/** The words of a text with blanks between them: a list of names without its quotes. */
export function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

/** The meaning of each word, from lists of words by meaning: `{ quota: '1113 30001' }`. */
export function meaningsOf<Meaning extends string>(
  lists: { readonly [Each in Meaning]?: string },
): Readonly<Record<string, Meaning>> {
  return Object.fromEntries(
    Object.entries<string | undefined>(lists).flatMap(
      ([meaning, words = '']) => wordsOf(words).map((word) => [word, meaning as Meaning]), // Its keys are the meanings.
    ),
  )
}
