import type { OptionRepository, Store } from '../../store/store.ts'

/**
 * Options in a map, which tests may read and spoil.
 * @param store of the `decide` callbacks, whose writes are undone with its transaction
 */
export function optionsInMemory(
  stored: Readonly<Record<string, string>> = {},
  store: Pick<Store, 'transaction'> = noStore,
): OptionRepository & {
  readonly rows: Map<string, string>
} {
  const rows = new Map(Object.entries(stored))
  return {
    rows,
    listAll: async () => [...rows].map(([key, value]) => ({ key, value })),
    listLocked: async () => [...rows].map(([key, value]) => ({ key, value })),
    change: (decide) =>
      store.transaction(async (tx) => {
        const stored = [...rows].map(([key, value]) => ({ key, value }))
        for (const { key, value } of await decide(stored, tx)) {
          if (value === null) rows.delete(key)
          else rows.set(key, value)
        }
      }),
  }
}

/** Store for callbacks that write elsewhere: nobody is in a group, and nobody has a passkey. */
const noStore: Pick<Store, 'transaction'> = {
  transaction: (work) =>
    work({
      groupMembers: { count: async () => ({ users: 0, tokens: 0, channels: 0 }) },
      passkeys: { count: async () => ({ passkeys: 0, users: 0 }) },
    } as unknown as Store),
}
