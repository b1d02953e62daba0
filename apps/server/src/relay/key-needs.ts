/** What a call asks of the key that presents it, beside being switched on and having an owner who may call. */
export const keyNeeds = {
  /** Work that is charged. */
  spend: { time: true, balance: true },
  /** What is free: lists of models, counted prompts, tasks and responses that were paid for. */
  use: { time: true, balance: false },
  /** The key's own figures, which say how it ended: an expired key has them, too. */
  figures: { time: false, balance: false },
} as const satisfies Readonly<Record<string, { readonly time: boolean; readonly balance: boolean }>>

export type KeyNeed = keyof typeof keyNeeds
