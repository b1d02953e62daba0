import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { BulkAction } from './bulk-actions.tsx'

/** Texts of a page about an action on many rows: the verb, that all worked, that some did not. */
export type BulkText<Id extends string> = Id | `${Id}Done` | `${Id}Failed`

interface BulkActOptions<Id extends string> {
  readonly text: (name: BulkText<Id>, count: number) => string
  readonly lists: { readonly refresh: (client: QueryClient) => Promise<void> }
}

type BulkAct<Id extends string> = Omit<BulkAction, 'id' | 'label' | 'done' | 'failed'> & { readonly id: Id }

/** Makes actions on many rows, each with the texts of its name; the list is read again after each. */
export function useBulkAction<Id extends string>({ text, lists }: BulkActOptions<Id>) {
  const client = useQueryClient()
  return ({ id, run, ...act }: BulkAct<Id>): BulkAction => ({
    ...act,
    id,
    label: text(id, 0),
    async run(ids) {
      const outcomes = await run(ids)
      await lists.refresh(client)
      return outcomes
    },
    done: (count) => text(`${id}Done`, count),
    failed: (count) => text(`${id}Failed`, count),
  })
}
