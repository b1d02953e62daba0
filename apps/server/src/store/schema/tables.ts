/**
 * The rows of every table, for Kysely. Each aggregate adds its own: `declare module '../../tables.ts'`.
 * Integers are 64 bits wide in the database; outside the safe range they are an error, never rounded.
 */
// biome-ignore lint/suspicious/noEmptyInterface: aggregates add to it
export interface Tables {}
