/**
 * What a row counts: attempts at a channel; or calls as their callers received them, of everybody (0), of a user or with a key.
 */
export const countedKinds = ['channel', 'calls', 'user-calls', 'token-calls'] as const
export type CountedKind = (typeof countedKinds)[number]

/** Programs of before counted attempts of users and keys so, which nobody reads. */
export const formerKinds = ['user', 'token'] as const
