import type { OptionRepository, Store } from '../../store/store.ts'

/** Options kept in a map, which tests may read and spoil. */
export function optionsInMemory(stored: Readonly<Record<string, string>> = {}): OptionRepository & {
  readonly rows: Map<string, string>
} {
  const rows = new Map(Object.entries(stored))
  return {
    rows,
    listAll: async () => [...rows].map(([key, value]) => ({ key, value })),
    write: async (options, cause) => {
      // There is no transaction here; causes of tests write elsewhere.
      await cause?.({} as Store)
      for (const { key, value } of options) {
        if (value === null) rows.delete(key)
        else rows.set(key, value)
      }
    },
  }
}
