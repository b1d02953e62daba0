import type { OptionRepository } from '../../store/store.ts'

/** Options kept in a map, which tests may read and spoil. */
export function optionsInMemory(stored: Readonly<Record<string, string>> = {}): OptionRepository & {
  readonly rows: Map<string, string>
} {
  const rows = new Map(Object.entries(stored))
  return {
    rows,
    listAll: async () => [...rows].map(([key, value]) => ({ key, value })),
    set: async (key, value) => {
      rows.set(key, value)
    },
  }
}
