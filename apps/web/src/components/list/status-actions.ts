import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { RowOutcome } from '@tollgate/api'
import { type LucideIcon, Power, PowerOff, Trash2 } from 'lucide-react'
import type { BulkAction } from './bulk-actions.tsx'

export type StatusAction = 'enable' | 'disable' | 'delete'

/** What a list of things that are on or off says of its bulk actions, such as `disableDone`. */
export type StatusActionText =
  | StatusAction
  | `${StatusAction}Done`
  | `${StatusAction}Failed`
  | 'deleteTitle'
  | 'deleteConfirm'

export interface StatusActionsOptions {
  /** One call for all; answers what became of each. */
  readonly change: (act: StatusAction, ids: readonly number[]) => Promise<readonly RowOutcome[]>
  readonly lists: { readonly refresh: (client: QueryClient) => Promise<void> }
  readonly text: (name: StatusActionText, count: number) => string
  /** What deleting does, asked before. */
  readonly deletion: string
}

const icons = {
  enable: Power,
  disable: PowerOff,
  delete: Trash2,
} as const satisfies Readonly<Record<StatusAction, LucideIcon>>

/** What can be done to many things that are on or off: enable, disable and, asked first, delete. */
export function useStatusActions({
  change,
  lists,
  text,
  deletion,
}: StatusActionsOptions): readonly BulkAction[] {
  const client = useQueryClient()
  const action = (id: StatusAction): BulkAction => ({
    id,
    label: text(id, 0),
    icon: icons[id],
    async run(ids) {
      const outcomes = await change(id, ids)
      await lists.refresh(client)
      return outcomes
    },
    done: (count) => text(`${id}Done`, count),
    failed: (count) => text(`${id}Failed`, count),
  })
  const question = (count: number) => ({
    title: text('deleteTitle', count),
    description: deletion,
    confirmLabel: text('deleteConfirm', count),
    danger: true,
  })
  return [action('enable'), action('disable'), { ...action('delete'), danger: true, question }]
}
