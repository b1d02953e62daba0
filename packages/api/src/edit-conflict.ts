/** Details of one value in a refusal with the code `edit_conflict`. Plain data, without zod. */
export interface EditConflict {
  /** The name of the field in JSON; of an option its key. */
  readonly field: string
  /** The entry of a map, where the conflict is about one. */
  readonly entry?: string
  /** The value that the edit was made on; null for an entry that was not there. */
  readonly base: unknown
  /** Value that somebody else has saved. */
  readonly current: unknown
  /** Value of the edit. */
  readonly sent: unknown
}
