export type BulkField = 'tag' | 'priority' | 'weight'

/** `null` takes a tag off. */
export interface ValueAnswer {
  readonly value: string | null
}

/** Asks what to set; `undefined` when the person thinks better of it. */
export type AskValue = (field: BulkField, count: number) => Promise<ValueAnswer | undefined>
