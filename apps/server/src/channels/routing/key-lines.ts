/** One key per line, in their order. Blank lines and repetitions are dropped. */
export function splitKeys(text: string): readonly string[] {
  const keys = text.split(/\r\n|\r|\n/).map((line) => line.trim())
  return [...new Set(keys)].filter((key) => key !== '')
}

export function joinKeys(keys: readonly string[]): string {
  return keys.join('\n')
}
